package groupby

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// Each sum skips its own nulls, as SUM does: rows are not left out pairwise. A
// group without a value of either, or whose b add up to zero, gives null, which
// is what dividing by zero gives in SQL. A sum that is NaN gives NaN, and
// infinite ones divide as doubles do.
var ratioFunction = Function{
	Name:         "ratio",
	Help:         "the exact sum of x by the exact sum of y, divided once: the mean of partial sums and counts",
	MinArguments: 2,
	MaxArguments: 2,
	Merge:        "none",
	Bind: func(arguments []arrow.DataType, _ BindOptions) (arrow.DataType, error) {
		return bindNumbers("ratio", arguments)
	},
	SQL: func(arguments []string, types []arrow.DataType, _ arrow.DataType) string {
		return fmt.Sprintf("%s / NULLIF(%s, 0)", doubleSumSQL(arguments[0], types[0]), doubleSumSQL(arguments[1], types[1]))
	},
	accumulate: func(arguments []Column, _ arrow.DataType) (accumulator, error) {
		r := &ratio{}
		for k, c := range arguments {
			t := valueType(c.Type)
			sum, err := newSum(t, arrow.PrimitiveTypes.Float64)
			if err != nil {
				return nil, err
			}
			r.sums[k], r.scale[k] = sum.(summation), scaleOf(t)
		}
		return r, nil
	},
}

// doubleSumSQL is a sum as a double; integers are added as decimals, so that
// nothing overflows.
func doubleSumSQL(x string, t arrow.DataType) string {
	switch t = valueType(t); {
	case isFloat(t):
		return fmt.Sprintf("SUM(CAST(%s AS DOUBLE))", x)
	case isInteger(t):
		x = fmt.Sprintf("CAST(%s AS DECIMAL(38,0))", x)
	}
	return fmt.Sprintf("CAST(SUM(%s) AS DOUBLE)", x)
}

// ratio is two sums side by side, and a word that says which has a value.
type ratio struct {
	place
	sums  [2]summation
	scale [2]int
	dense [2]dense
}

func (a *ratio) words() int           { return 1 + a.sums[0].words() + a.sums[1].words() }
func (a *ratio) takesEach() [2]taking { return [2]taking{a.sums[0].takes(), a.sums[1].takes()} }
func (a *ratio) needs() [2]bool       { return [2]bool{} }
func (a *ratio) size() int64          { return a.sums[0].size() + a.sums[1].size() }

func (a *ratio) bind(at int) {
	a.place.bind(at)
	a.sums[0].bind(at + 1)
	a.sums[1].bind(at + 1 + a.sums[0].words())
}

func (a *ratio) grow(n int) {
	a.sums[0].grow(n)
	a.sums[1].grow(n)
}

func (a *ratio) reset() {
	a.sums[0].reset()
	a.sums[1].reset()
}

func (a *ratio) updatePair(s *states, ids []uint32, x, y *vector) {
	for k, v := range [2]*vector{x, y} {
		if v.lane == laneNone {
			continue
		}
		rows := ids
		if v.valid != nil {
			a.dense[k].made = false
			d := a.dense[k].of(v, ids)
			rows, v = d.ids, &d.values
		}
		for _, id := range rows {
			s.records[int(id)*s.stride+a.at] |= 1 << k
		}
		a.sums[k].update(s, rows, v)
	}
}

func (a *ratio) mergeMarks(s *states, ids []uint32, from *states, b *ratio, rows []uint32) {
	for i, row := range rows {
		s.records[int(ids[i])*s.stride+a.at] |= from.records[int(row)*from.stride+b.at]
	}
}

func (a *ratio) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	b := other.(*ratio)
	a.mergeMarks(s, ids, from, b, rows)
	for k := range a.sums {
		a.sums[k].merge(s, ids, from, b.sums[k], rows)
	}
}

func (a *ratio) absorb(s *states, ids []uint32, from *states, other accumulator, rows []uint32, types widened) error {
	b := other.(*ratio)
	a.mergeMarks(s, ids, from, b, rows)
	for k := range a.sums {
		old, now := types.old[k], types.now[k]
		if sameType(old, now) {
			a.sums[k].merge(s, ids, from, b.sums[k], rows)
			continue
		}
		if err := addTotals(a.sums[k], b.sums[k], old, now, s, ids, from, rows); err != nil {
			return err
		}
	}
	return nil
}

func (a *ratio) finish(s *states, groups []uint32, out *column) int {
	dst := cast[float64](out.fixed)
	var top, below exact.Dyadic
	for i, id := range groups {
		dst[i] = 0
		if s.records[int(id)*s.stride+a.at] != 3 {
			out.setNull(i)
			continue
		}
		finite := a.sums[0].exactly(s, id, &top)
		switch finiteBelow := a.sums[1].exactly(s, id, &below); {
		case finiteBelow && below.IsZero():
			out.setNull(i)
		case finite && finiteBelow:
			dst[i] = exact.Quotient(&top, &below, a.scale[0]-a.scale[1])
		default:
			dst[i] = divided(a.sums[0].double(s, id), a.sums[1].double(s, id))
		}
	}
	return -1
}

// divided is a quotient with no NaN but the canonical one and no zero but +0.0.
func divided(a, b float64) float64 {
	switch q := a / b; {
	case q != q:
		return exact.NaN()
	case q != 0:
		return q
	}
	return 0
}
