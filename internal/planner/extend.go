package planner

import (
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/groupby"
	"arrowagg/internal/syntax"
	"arrowagg/internal/warning"
)

// lateHint is the way out for streams that would change the plan too late.
const lateHint = "give it first, or save it to a file: regular files' schemas are known before any row is read"

// Extend binds one more source, found only while reading. It returns the plan
// itself where the source changes nothing that the engine sees, or a wider plan
// where an aggregated column widens. Keys and output columns are settled by
// then: a source that would change them is a *ConflictError. The warnings are
// those that the source adds.
func (p *Plan) Extend(s Source) (*Plan, []warning.Warning, error) {
	switch {
	case p.merging != nil:
		return p, nil, p.merging.admit(s)
	case isPartial(s.Schema):
		return nil, nil, mixed(p.catalog.variants[0].names, nameList{[]string{s.Name}, 1})
	}
	if v := p.catalog.find(s.Schema); v != nil {
		v.names.add(s.Name)
		return p, nil, nil
	}
	next, err := p.query.bind(p.catalog.with(s))
	if err != nil {
		return nil, nil, asConflicts(err)
	}
	if err := p.admits(next, s); err != nil {
		return nil, nil, err
	}
	var added []finding
	for _, f := range next.found {
		if !slices.Contains(p.found, f) {
			added = append(added, f)
		}
	}
	warnings := next.warnings(added)
	if next.spec.Output.Equal(p.spec.Output) && sameColumns(p.spec, next.spec) {
		p.adopt(next)
		return p, warnings, nil
	}
	return next, warnings, nil
}

// adopt takes over all that another plan knows, but for the spec, which is
// equal and may be in use.
func (p *Plan) adopt(next *Plan) {
	p.catalog, p.inputs, p.types, p.found = next.catalog, next.inputs, next.types, next.found
	p.keys, p.aggregates, p.unused = next.keys, next.aggregates, next.unused
	p.where, p.having, p.projection = next.where, next.having, next.projection
}

// asConflicts makes every fault found late one of the inputs: the command line
// was right for all that it could know.
func asConflicts(err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	var errs []error
	for _, e := range joined.Unwrap() {
		var usage *UsageError
		if errors.As(e, &usage) {
			e = &ConflictError{Text: usage.Text, Hint: usage.Hint}
		}
		errs = append(errs, e)
	}
	return errors.Join(errs...)
}

// admits tells whether next differs from p in nothing but what may still
// change: the types of aggregated columns and the metadata of keys.
func (p *Plan) admits(next *Plan, s Source) error {
	var errs []error
	late := func(format string, args ...any) {
		errs = append(errs, &ConflictError{Text: s.Name + ": " + fmt.Sprintf(format, args...), Hint: lateHint})
	}
	settled := map[string]arrow.DataType{}
	for _, k := range p.keys {
		settled[k.name] = k.dataType
	}
	for _, k := range next.keys {
		switch before, ok := settled[k.name]; {
		case !ok:
			late("key column %s appears only here, after the keys were settled", syntax.Column(k.name))
		case !arrow.TypeEqual(before, k.dataType):
			late("key column %s was settled as %s and would have to become %s",
				syntax.Column(k.name), typeName(before), typeName(k.dataType))
		}
	}
	functions := map[string]*groupby.Function{}
	for _, a := range p.aggregates {
		functions[a.name] = a.function
	}
	for _, a := range next.aggregates {
		switch before, ok := functions[a.name]; {
		case !ok:
			late("column %s appears only here, after the output columns were settled", syntax.Column(a.name))
		case before != a.function:
			late("column %s was settled as %s and would have to become %s",
				syntax.Column(a.name), before.Name, a.function.Name)
		}
	}
	if len(errs) == 0 && (len(next.keys) != len(p.keys) || len(next.aggregates) != len(p.aggregates)) {
		late("its schema changes which columns are keys")
	}
	return errors.Join(errs...)
}

func sameColumns(a, b groupby.Spec) bool {
	return slices.EqualFunc(a.Columns, b.Columns, func(x, y groupby.Column) bool {
		return x.Name == y.Name && arrow.TypeEqual(x.Type, y.Type)
	})
}
