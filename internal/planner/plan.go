package planner

import (
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrange"
	"arrowagg/internal/expr"
	"arrowagg/internal/groupby"
	"arrowagg/internal/scan"
	"arrowagg/internal/syntax"
	"arrowagg/internal/warning"
)

// Plan is a query bound to schemas: every column with its role, every type
// settled. Spec and Columns may be called concurrently with everything else;
// Extend, Explain and SQL with nothing but those.
type Plan struct {
	query      *Query
	catalog    *catalog
	keys       []key       // in sort order
	aggregates []aggregate // in output order
	unused     []unused
	inputs     []*column // in use, in the order of the catalog
	types      map[*column]arrow.DataType
	where      *filter         // nil: all rows
	having     *expr.Condition // nil: all groups
	sort       []arrange.Key   // by output column
	found      []finding
	spec       groupby.Spec
	projection *scan.Projection
	merging    *merging // nil: the inputs are raw
}

// finding is a warning before it has its words.
type finding struct{ id, column string }

// warnings puts findings into words. A skipped column is named with its type,
// which is what is wrong with it.
func (p *Plan) warnings(found []finding) []warning.Warning {
	list := make([]warning.Warning, len(found))
	for i, f := range found {
		list[i] = warning.Warning{ID: f.id, Subject: syntax.Column(f.column)}
		if f.id == "skipped-column" {
			list[i].Subject += " (" + strings.Join(p.catalog.typesOf(p.catalog.byName[f.column]), ", ") + ")"
		}
	}
	return list
}

// Spec is what the engine runs. It shares memory with the plan: read only.
func (p *Plan) Spec() groupby.Spec { return p.spec }

func (p *Plan) newSpec() groupby.Spec {
	spec := groupby.Spec{Order: p.order()}
	columns, keys, index := p.project()
	spec.Columns = columns
	for i, k := range p.keys {
		spec.Keys = append(spec.Keys, groupby.Key{Column: keys[i], Type: k.dataType})
	}
	for _, a := range p.aggregates {
		var arguments []int
		for _, col := range a.columns {
			arguments = append(arguments, index[col])
		}
		spec.Aggregates = append(spec.Aggregates, groupby.Aggregate{
			Function: a.function, Arguments: arguments, Name: a.name, Type: a.dataType,
		})
	}
	fields := make([]arrow.Field, len(spec.Order))
	for i, ref := range spec.Order {
		fields[i] = p.outputField(ref)
	}
	spec.Output = arrow.NewSchema(fields, nil)
	return spec
}

// order puts the keys before the aggregates as soon as a flag names one of
// them. Where the rule alone decides, the inputs' order is kept.
func (p *Plan) order() []groupby.Ref {
	var refs []groupby.Ref
	for i := range p.keys {
		refs = append(refs, groupby.Ref{Index: i})
	}
	for i := range p.aggregates {
		refs = append(refs, groupby.Ref{Aggregate: true, Index: i})
	}
	if p.query.keys == nil && p.query.aggregates == nil {
		place := map[*column]int{nil: -1} // of the source
		for i, col := range p.inputs {
			place[col] = i
		}
		slices.SortStableFunc(refs, func(a, b groupby.Ref) int {
			return place[p.columnOf(a)] - place[p.columnOf(b)]
		})
	}
	return refs
}

// columnOf is the first column that an output comes from, nil for the source
// and for count(*).
func (p *Plan) columnOf(ref groupby.Ref) *column {
	var columns []*column
	if ref.Aggregate {
		columns = p.aggregates[ref.Index].columns
	} else {
		columns = p.keys[ref.Index].columns
	}
	if len(columns) == 0 {
		return nil
	}
	return columns[0]
}

// outputField is a field of the result. All are nullable: whether there are
// nulls must not show in the type.
func (p *Plan) outputField(ref groupby.Ref) arrow.Field {
	if ref.Aggregate {
		a := p.aggregates[ref.Index]
		return arrow.Field{
			Name: a.name, Type: a.dataType, Nullable: true,
			Metadata: arrow.NewMetadata([]string{mergeKey}, []string{a.function.Merge}),
		}
	}
	k := p.keys[ref.Index]
	return arrow.Field{Name: k.name, Type: k.dataType, Nullable: true, Metadata: p.keyMetadata(k)}
}

// keyMetadata is the metadata that all inputs give a key whose type they all
// have unchanged: then what it says (a unit, an extension type) is still true.
// How the column was to be merged is over, for it is a key now.
func (p *Plan) keyMetadata(k key) arrow.Metadata {
	if !k.plain() {
		return arrow.Metadata{}
	}
	agreed, first, same := arrow.Metadata{}, true, true
	p.catalog.each(k.columns[0], func(_ *variant, f arrow.Field) {
		md := without(f.Metadata, mergeKey)
		if first {
			agreed, first = md, false
		}
		same = same && arrow.TypeEqual(f.Type, k.dataType) && md.Equal(agreed)
	})
	if !same {
		return arrow.Metadata{}
	}
	return agreed
}

// without copies metadata, leaving out one key and sorting the others, since
// their order says nothing but would show in the bytes.
func without(md arrow.Metadata, key string) arrow.Metadata {
	kept := md.ToMap()
	delete(kept, key)
	return arrow.MetadataFrom(kept)
}
