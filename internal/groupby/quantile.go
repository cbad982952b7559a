package groupby

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

var medianFunction = quantileOf("median", "the middle value, or the mean of both middle ones, as float64", half)

// quantileFunction stands in the table as the one for p = 0.5; With makes the
// others.
var quantileFunction = func() Function {
	const help = "the value below which a part p of the values lies, between neighbours on a line, as float64"
	f := quantileOf("quantile", help, half)
	f.Parameter = "p"
	f.With = func(text string) (*Function, error) {
		p, err := parsePortion(text)
		if err != nil {
			return nil, err
		}
		g := quantileOf(f.Name, f.Help, p)
		g.Parameter, g.With = f.Parameter, f.With
		return &g, nil
	}
	return f
}()

// portion is a number between 0 and 1, as it was written: part/whole.
type portion struct {
	text        string
	part, whole uint64
}

var half = portion{"0.5", 1, 2}

// portionDigits bounds the digits of a portion, so that a position among 2^63 rows
// has 128 bits.
const portionDigits = 18

func parsePortion(text string) (portion, error) {
	wrong := errors.New("p is a number from 0 to 1, as 0.99")
	whole, digits, _ := strings.Cut(text, ".")
	if whole+digits == "" || strings.Trim(whole+digits, "0123456789") != "" {
		return portion{}, wrong
	}
	if digits = strings.TrimRight(digits, "0"); len(digits) > portionDigits {
		return portion{}, fmt.Errorf("p has more than %d digits", portionDigits)
	}
	p := portion{text: text, whole: 1}
	for _, d := range strings.TrimLeft(whole, "0") + digits {
		if p.part > 1e18 {
			return portion{}, wrong
		}
		p.part = 10*p.part + uint64(d-'0')
	}
	for range digits {
		p.whole *= 10
	}
	if p.part > p.whole {
		return portion{}, wrong
	}
	for a, b := p.whole, p.part; ; a, b = b, a%b { // Euclid: small numbers round seldom
		if b == 0 {
			p.part, p.whole = p.part/a, p.whole/a
			return p, nil
		}
	}
}

// quantileOf makes the function of the quantile at p: with the values in order,
// x[0] to x[n-1], what a straight line between its neighbours has at p (n-1),
//
//	h = p (n-1)    i = ⌊h⌋    x[i] + (h-i) (x[i+1] - x[i])
//
// which is definition 7 of R. J. Hyndman and Y. Fan, Sample Quantiles in
// Statistical Packages (1996), and what numpy, DuckDB's quantile_cont and
// spreadsheets mean. p is what was written and not a double near it, and the
// formula is worked out exactly and rounded once. NaN is the greatest value, so
// one of them spoils only what lies beside it.
func quantileOf(name, help string, p portion) Function {
	note := ""
	if p.whole > 2 {
		note = "in DataFusion: PERCENTILE_CONT keeps six digits of the way between two values"
	}
	return Function{
		SQLNote:      note,
		Name:         name,
		Help:         help,
		MinArguments: 1,
		MaxArguments: 1,
		Merge:        "none",
		Bind: func(arguments []arrow.DataType, _ BindOptions) (arrow.DataType, error) {
			t := valueType(arguments[0])
			if isInteger(t) || isFloat(t) || isDecimal(t) {
				return arrow.PrimitiveTypes.Float64, nil
			}
			return nil, fmt.Errorf("%s takes integers, floats and decimals, not %s", name, t)
		},
		SQL: func(arguments []string, _ []arrow.DataType, _ arrow.DataType) string {
			return fmt.Sprintf("PERCENTILE_CONT(%s) WITHIN GROUP (ORDER BY CAST(%s AS DOUBLE))", p.text, arguments[0])
		},
		accumulate: func(arguments []Column, _ arrow.DataType) (accumulator, error) {
			t := valueType(arguments[0].Type)
			l, _, _ := laneOf(t)
			return &quantile{p: p, lane: l, scale: scaleOf(t)}, nil
		},
	}
}

// quantile has the bits of the answer in its word.
type quantile struct {
	unfolded
	p           portion
	lane        lane
	scale       int // of decimals
	left, right exact.Dyadic
	found       [2][4]uint64
	one         exact.Dyadic
}

// position is where the part p of n values is: at a row, and so many parts of
// p.whole on the way to the next.
func (p portion) position(n uint64) (row, parts uint64) {
	high, low := bits.Mul64(p.part, n-1)
	return bits.Div64(high, low, p.whole) // part ≤ whole, so it fits
}

func (a *quantile) fold(s *states, id uint32, from groupValues) {
	row, parts := a.p.position(from.rows())
	left, right := a.neighbours(from, row, parts != 0)
	var v float64
	if parts == 0 || equalWords(left, right) {
		v = a.nearest(left)
	} else {
		v = a.between(left, right, parts)
	}
	s.records[int(id)*s.stride+a.at] = math.Float64bits(v)
}

// neighbours are the values at a position among all rows, the first being 0,
// and, if both are asked for, at the next.
func (a *quantile) neighbours(from groupValues, row uint64, both bool) (left, right []uint64) {
	before := uint64(0) // rows
	from.each(func(value []uint64, count uint64) bool {
		before = saturated(before, count)
		if left == nil && before > row {
			left = append(a.found[0][:0], value...)
		}
		if left != nil && (!both || before > row+1) {
			right = append(a.found[1][:0], value...)
			return false
		}
		return true
	})
	return left, right
}

func (a *quantile) finish(s *states, groups []uint32, out *column) int {
	dst := cast[uint64](out.fixed)
	for i, id := range groups {
		dst[i] = s.records[int(id)*s.stride+a.at]
	}
	return -1
}

// nearest is a value as a double.
func (a *quantile) nearest(code []uint64) float64 {
	switch {
	case a.lane == laneFloats:
		return floatOfOrdered(code[0])
	case a.lane == laneInts && a.scale == 0:
		return float64(intOfOrdered(code[0]))
	case a.lane == laneUints:
		return float64(code[0])
	}
	a.set(&a.left, code)
	a.one.SetWords([]uint64{1})
	return exact.Quotient(&a.left, &a.one, a.scale)
}

// set makes d a finite value, without its scale.
func (a *quantile) set(d *exact.Dyadic, code []uint64) {
	switch a.lane {
	case laneFloats:
		terms := []float64{floatOfOrdered(code[0])}
		if len(code) > 1 {
			terms = append(terms, float64(intOfOrdered(code[1])))
		}
		d.SetFloats(terms...)
	case laneInts:
		d.SetWords([]uint64{code[0] ^ signBit})
	case laneUints:
		d.SetWords([]uint64{code[0], 0})
	default:
		words := slices.Clone(code)
		words[0] ^= signBit
		slices.Reverse(words)
		d.SetWords(words)
	}
}

// between is the value so many parts of p.whole on the way from left to right.
func (a *quantile) between(left, right []uint64, parts uint64) float64 {
	switch a.lane {
	case laneFloats:
		x, y := floatOfOrdered(left[0]), floatOfOrdered(right[0])
		if x-x != 0 || y-y != 0 {
			return onTheWay(x, y)
		}
	case laneInts:
		x, y := intOfOrdered(left[0]), intOfOrdered(right[0])
		const most = 1 << 53 // integers up to here are doubles, and a quotient of two rounds once
		if bound := most / int64(min(a.p.whole, most)); a.scale == 0 && -bound < x && y < bound {
			return float64(x*int64(a.p.whole-parts)+y*int64(parts)) / float64(a.p.whole)
		}
	}
	a.set(&a.left, left)
	a.set(&a.right, right)
	return exact.Between(&a.left, &a.right, parts, a.p.whole, a.scale)
}

// onTheWay is between of two different values of which one is not finite: the
// infinite one, unless there are two.
func onTheWay(x, y float64) float64 {
	switch {
	case y != y || x-x != 0 && y-y != 0:
		return exact.NaN()
	case x-x != 0:
		return x
	}
	return y
}
