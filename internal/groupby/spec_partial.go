package groupby

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arena"
)

// Exporting is the spec of the same aggregation with a partial result: the
// keys, in their order, and after them each aggregate's states. It may be one
// that merges. The error names the first aggregate whose states cannot travel.
func (s Spec) Exporting() (Spec, error) {
	prototype, err := newStates(s.Aggregates, s.Columns, &arena.Arena{})
	if err != nil {
		return Spec{}, err
	}
	states, err := prototype.fields()
	if err != nil {
		return Spec{}, err
	}
	p := s
	p.Partial, p.Order = true, nil
	var fields []arrow.Field
	for i := range s.Keys {
		p.Order = append(p.Order, Ref{Index: i})
		fields = append(fields, s.Output.Field(slices.Index(s.Order, Ref{Index: i})))
	}
	n := 0
	for a, list := range states {
		for _, f := range list {
			f.Name = s.Aggregates[a].Name + "." + f.Name
			fields = append(fields, f)
			p.Order = append(p.Order, Ref{Aggregate: true, Index: n})
			n++
		}
	}
	p.Output = arrow.NewSchema(fields, nil)
	return p, nil
}

// Merging is the spec of a run that merges partial results of s, and has the
// result that s has.
func (s Spec) Merging() Spec {
	m := s
	m.Merges = true
	m.Columns, m.Keys, m.Aggregates = nil, slices.Clone(s.Keys), slices.Clone(s.Aggregates)
	for i := range m.Keys {
		k := &m.Keys[i]
		m.Columns = append(m.Columns, Column{Name: s.Columns[k.Column].Name, Type: k.Type})
		k.Column = i
	}
	for i := range m.Aggregates {
		a := &m.Aggregates[i]
		a.Arguments = slices.Clone(a.Arguments)
		for k, c := range a.Arguments {
			a.Arguments[k] = len(m.Columns)
			m.Columns = append(m.Columns, s.Columns[c])
		}
	}
	return m
}
