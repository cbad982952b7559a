package groupby

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// A row is left out if its value or its weight is null. Weights that add up to
// zero give null, as a division by zero does in SQL; a NaN among values or
// weights gives NaN, and so does an infinite value of weight zero.
var weightedMeanFunction = Function{
	Name:         "weighted_mean",
	Help:         "the exact sum of x times y by the exact sum of y, divided once: how means of y rows each merge",
	MinArguments: 2,
	MaxArguments: 2,
	Merge:        "none",
	Bind: func(arguments []arrow.DataType, _ BindOptions) (arrow.DataType, error) {
		return bindNumbers("weighted_mean", arguments)
	},
	SQL: func(arguments []string, _ []arrow.DataType, _ arrow.DataType) string {
		x, w := arguments[0], arguments[1]
		return fmt.Sprintf("SUM(CAST(%s AS DOUBLE) * CAST(%s AS DOUBLE)) / "+
			"NULLIF(SUM(CASE WHEN %s IS NOT NULL THEN CAST(%s AS DOUBLE) END), 0)", x, w, x, w)
	},
	accumulate: func(arguments []Column, _ arrow.DataType) (accumulator, error) {
		x, w := valueType(arguments[0].Type), valueType(arguments[1].Type)
		sum, err := newSum(w, arrow.PrimitiveTypes.Float64)
		if err != nil {
			return nil, err
		}
		a := &weightedMean{weights: sum.(summation), x: x}
		if isFloat(x) || isFloat(w) {
			a.products = &productSum{}
		} else {
			_, wide, _ := laneOf(x)
			_, wider, _ := laneOf(w)
			a.products = &intProducts{width: wide + wider + 1}
		}
		return a, nil
	},
}

// products is the exact sum of x*w of every group.
type products interface {
	words() int
	bind(at int)
	reset()
	size() int64
	update(s *states, ids []uint32, x, w *vector)
	merge(s *states, ids []uint32, from *states, other products, rows []uint32)
	// exactly makes d the sum, without decimal scales, if it is finite.
	exactly(s *states, id uint32, d *exact.Dyadic) (finite bool)
	double(s *states, id uint32) float64
	// addExactly adds d, and reports whether it fits.
	addExactly(s *states, id uint32, d *exact.Dyadic) bool
}

// weightedMean is the sum of the products and that of the weights, side by side.
type weightedMean struct {
	products products
	weights  summation
	x        arrow.DataType
}

func (a *weightedMean) words() int     { return a.products.words() + a.weights.words() }
func (a *weightedMean) needs() [2]bool { return [2]bool{true, true} }
func (a *weightedMean) grow(n int)     { a.weights.grow(n) }
func (a *weightedMean) size() int64    { return a.products.size() + a.weights.size() }

func (a *weightedMean) takesEach() [2]taking {
	x := takesNatural
	if isDecimal(a.x) {
		x = takesConverted
	}
	return [2]taking{x, a.weights.takes()}
}

func (a *weightedMean) bind(at int) {
	a.products.bind(at)
	a.weights.bind(at + a.products.words())
}

func (a *weightedMean) reset() {
	a.products.reset()
	a.weights.reset()
}

func (a *weightedMean) updatePair(s *states, ids []uint32, x, w *vector) {
	a.products.update(s, ids, x, w)
	a.weights.update(s, ids, w)
}

func (a *weightedMean) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	b := other.(*weightedMean)
	a.products.merge(s, ids, from, b.products, rows)
	a.weights.merge(s, ids, from, b.weights, rows)
}

func (a *weightedMean) finish(s *states, groups []uint32, out *column) int {
	dst := cast[float64](out.fixed)
	var top, below exact.Dyadic
	for i, id := range groups {
		dst[i] = 0
		finite := a.products.exactly(s, id, &top)
		switch finiteBelow := a.weights.exactly(s, id, &below); {
		case finiteBelow && below.IsZero():
			out.setNull(i)
		case finite && finiteBelow:
			dst[i] = exact.Quotient(&top, &below, scaleOf(a.x))
		default:
			dst[i] = divided(a.products.double(s, id), a.weights.double(s, id))
		}
	}
	return -1
}

// absorb takes over the sums of narrower columns, whose digits may stand for
// less.
func (a *weightedMean) absorb(s *states, ids []uint32, from *states, other accumulator, rows []uint32, types widened) error {
	b := other.(*weightedMean)
	power := 0
	for k := range types.old {
		power += scaleOf(types.now[k]) - scaleOf(types.old[k])
	}
	var d exact.Dyadic
	for i, row := range rows {
		if sum, ok := a.products.(*productSum); ok && !b.products.exactly(from, row, &d) {
			sum.add(sum.of(s, ids[i]), b.products.double(from, row))
			continue
		}
		b.products.exactly(from, row, &d)
		if d.MulPow10(power); !a.products.addExactly(s, ids[i], &d) {
			return fmt.Errorf("a sum of products does not fit those of %s and %s", types.now[0], types.now[1])
		}
	}
	if old, now := types.old[1], types.now[1]; !sameType(old, now) {
		return addTotals(a.weights, b.weights, old, now, s, ids, from, rows)
	}
	a.weights.merge(s, ids, from, b.weights, rows)
	return nil
}
