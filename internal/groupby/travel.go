package groupby

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

// portable is an accumulator whose states can leave the process: as columns of
// plain Arrow types, one row a group, out of which another engine takes them
// up again without loss. Equal states are equal bytes, whatever the order of
// the rows that led to them, so partial results do not show it either.
//
//	sum of floats   | high | low | exact |    high + low is the sum, or exact is
//	sum of integers | sum |                   as a decimal, which cannot overflow
//	mean            | sum… | count |
//	min             | value |
//
// A group without a value is null in all columns. Every accumulator is portable
// but the holistic ones, whose values travel as they are, several rows a group:
// multiset_export.go.
type portable interface {
	accumulator
	// stateFields are the columns, named as parts of the aggregate; out is the
	// type of the aggregate's output.
	stateFields(out arrow.DataType) []arrow.Field
	// export writes the states of the groups listed; what it writes for groups
	// without a value does not matter. It returns the first position in groups
	// whose state cannot be written, or -1.
	export(s *states, groups []uint32, out []*column) (bad int)
	// load folds exported states into groups: row i into group ids[i]. The
	// first column has no nulls. It returns the first row that export cannot
	// have written, or -1.
	load(s *states, ids []uint32, in []*vector) (bad int)
}

// maxTravelling bounds the parts of sums above 64 bits (128 bits in sums of
// decimals) that load takes up. Nobody can sum 2^50 rows, so nothing true is
// refused, and of what is forged no sum of that many workers' wraps around.
const maxTravelling = 1 << 50

// fields are the state columns by aggregate. What several holistic ones share
// travels with the first of them.
func (s *states) fields() [][]arrow.Field {
	list := make([][]arrow.Field, len(s.accumulators))
	sets, of := multisetsOf(s)
	for a, acc := range s.accumulators {
		switch k := of[a]; {
		case k < 0:
			list[a] = acc.(portable).stateFields(s.aggregates[a].Type)
		case sets[k].first == a:
			list[a] = sets[k].stateFields()
		}
	}
	return list
}

// export returns the state columns of one aggregate for the groups listed, and
// the first position whose state cannot be written, or -1.
func (s *states) export(aggregate int, groups []uint32, alloc func(int) []byte) ([]*column, int) {
	acc, def := s.accumulators[aggregate].(portable), s.aggregates[aggregate]
	var out []*column
	for _, f := range acc.stateFields(def.Type) {
		out = append(out, newColumn(f.Type, len(groups), alloc))
	}
	bad := acc.export(s, groups, out)
	if def.Function.neverNull {
		return out, bad
	}
	for i, id := range groups {
		if s.flags.has(id, aggregate) {
			continue
		}
		for _, c := range out {
			c.setNull(i)
		}
	}
	return out, bad
}

// NotPortableError: the states of a function are no partial result, since they
// are not a few values a group.
type NotPortableError struct{ Function, Column string }

func (e *NotPortableError) Error() string {
	return fmt.Sprintf("column %q: there are no partial results of %s", e.Column, e.Function)
}
