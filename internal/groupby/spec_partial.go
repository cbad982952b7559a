package groupby

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arena"
)

// Exporting is the spec of the same aggregation with a partial result: the
// keys, in their order, and after them each aggregate's states, one row a group.
// It may be one that merges. The error names the first aggregate whose states
// are not a few values.
func (s Spec) Exporting() (Spec, error) {
	prototype, err := newStates(s.Aggregates, s.Columns, &arena.Arena{})
	if err != nil {
		return Spec{}, err
	}
	for a, acc := range prototype.accumulators {
		if _, ok := acc.(holistic); ok {
			return Spec{}, &NotPortableError{Function: s.Aggregates[a].Function.Name, Column: s.Aggregates[a].Name}
		}
	}
	return s.Spilling()
}

// Spilling is Exporting for files of one's own, which may hold several rows of
// one key, one after the other (multiset_export.go): so every aggregate has
// states. Rows of one key may be merged in any order and at any time.
func (s Spec) Spilling() (Spec, error) {
	prototype, err := newStates(s.Aggregates, s.Columns, &arena.Arena{})
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
	for a, list := range prototype.fields() {
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
	placed := map[int]int{} // what reads one column goes on reading one
	for i := range m.Aggregates {
		a := &m.Aggregates[i]
		a.Arguments = slices.Clone(a.Arguments)
		for k, c := range a.Arguments {
			at, ok := placed[c]
			if !ok {
				at = len(m.Columns)
				placed[c] = at
				m.Columns = append(m.Columns, s.Columns[c])
			}
			a.Arguments[k] = at
		}
	}
	return m
}
