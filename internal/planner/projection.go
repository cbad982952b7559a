package planner

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrange"
	"arrowagg/internal/groupby"
	"arrowagg/internal/scan"
)

// Columns returns the columns that have to be decoded, as the projection takes
// them: the index of each in that schema, -1 where the schema lacks it.
func (p *Plan) Columns(schema *arrow.Schema) []int {
	if p.merging != nil { // all of them, in their order
		indices := make([]int, schema.NumFields())
		for i := range indices {
			indices[i] = i
		}
		return indices
	}
	indices := make([]int, len(p.inputs))
	for i, col := range p.inputs {
		indices[i] = -1
		if found := schema.FieldIndices(col.name); len(found) > 0 {
			indices[i] = found[0]
		}
	}
	return indices
}

// Projection is the way from decoded columns to the columns of the spec.
func (p *Plan) Projection() *scan.Projection { return p.projection }

// Arrangement is what becomes of the result: which groups are shown, in which
// order.
func (p *Plan) Arrangement() arrange.Arrangement {
	a := arrange.Arrangement{Having: p.having, Limit: arrange.All}
	if p.having != nil {
		a.HavingInputs = p.having.Uses()
	}
	if !p.sortedByKeys() {
		a.Keys = p.sort
	}
	if p.query.limit != nil {
		a.Limit = int64(*p.query.limit)
	}
	return a
}

// sortedByKeys tells whether the order asked for is the one that results have
// anyway.
func (p *Plan) sortedByKeys() bool {
	for i, s := range p.sort {
		ref := p.order()[s.Column]
		if ref.Aggregate || ref.Index != i || s.Descending {
			return false
		}
	}
	return true
}

func sortKey(column int, descending bool) arrange.Key {
	return arrange.Key{Column: column, Descending: descending}
}

// project lists the columns of the spec and where they come from: the inputs'
// columns that are keys or arguments, in their order, then what is computed,
// then the source. It returns the place of every key and of every column that
// is passed on as it is.
func (p *Plan) project() (columns []groupby.Column, keys []int, passed map[*column]int) {
	decoded := map[*column]int{}
	needed := map[*column]bool{}
	for _, k := range p.keys {
		if k.plain() {
			needed[k.columns[0]] = true
		}
	}
	for _, a := range p.aggregates {
		for _, col := range a.columns {
			needed[col] = true
		}
	}
	p.projection = &scan.Projection{}
	add := func(name string, dt arrow.DataType, from scan.Column) int {
		columns = append(columns, groupby.Column{Name: name, Type: dt})
		p.projection.Columns = append(p.projection.Columns, from)
		return len(columns) - 1
	}
	places := func(list []*column) []int {
		positions := make([]int, len(list))
		for i, col := range list {
			positions[i] = decoded[col]
		}
		return positions
	}
	passed = map[*column]int{}
	for i, col := range p.inputs {
		decoded[col] = i
		if needed[col] {
			passed[col] = add(col.name, p.types[col], scan.Column{Input: i})
		}
	}
	for _, k := range p.keys {
		switch {
		case k.plain():
			keys = append(keys, passed[k.columns[0]])
		case k.computed != nil:
			keys = append(keys, add(k.name, k.dataType, scan.Column{
				Computed: k.computed, Inputs: places(k.columns), Written: k.written,
			}))
		default:
			keys = append(keys, add(k.name, k.dataType, scan.Column{Source: true}))
		}
	}
	if p.where != nil {
		p.projection.Where, p.projection.WhereInputs = p.where.condition, places(p.where.columns)
	}
	return columns, keys, passed
}

// reads tells whether the filter uses the column.
func (p *Plan) reads(col *column) bool {
	return p.where != nil && slices.Contains(p.where.columns, col)
}
