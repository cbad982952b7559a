package groupby

import (
	"math"
	"math/big"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// twinSpread is the mean of the squared distances from the mean: the definition,
// which the engine does not compute.
func twinSpread(name string, values []any, t arrow.DataType) any {
	n := int64(len(values))
	if strings.HasSuffix(name, "_samp") {
		n--
	}
	if n == 0 {
		return nil
	}
	var numbers []*big.Int // in units of 2^-1074, or digits
	sum := new(big.Int)
	unit := big.NewInt(1)
	for _, c := range values {
		v := twinUnits(c)
		if v == nil {
			return math.NaN()
		}
		numbers = append(numbers, v)
		sum.Add(sum, v)
	}
	if _, isFloat := values[0].(float64); isFloat {
		unit.Lsh(unit, 1074)
	} else {
		unit.Exp(big.NewInt(10), big.NewInt(int64(scaleOfTwin(t))), nil)
	}
	count := big.NewInt(int64(len(values)))
	squares := new(big.Int)
	for _, v := range numbers { // count times the distance from the mean
		d := new(big.Int).Sub(new(big.Int).Mul(v, count), sum)
		squares.Add(squares, d.Mul(d, d))
	}
	below := new(big.Int).Mul(count, count)
	below.Mul(below, big.NewInt(n)).Mul(below, unit).Mul(below, unit)
	variance := new(big.Rat).SetFrac(squares, below)
	if strings.HasPrefix(name, "var") {
		v, _ := variance.Float64()
		return v
	}
	return twinRoot(variance)
}

// twinUnits is a number as an integer: in digits, or of a double in units of
// 2^-1074. It is nil for a double that is not finite.
func twinUnits(c any) *big.Int {
	f, isFloat := c.(float64)
	switch {
	case !isFloat:
		return twinInt(c)
	case f-f != 0:
		return nil
	}
	v := new(big.Float).SetMantExp(big.NewFloat(f), 1074)
	units, _ := v.Int(nil)
	return units
}

func scaleOfTwin(t arrow.DataType) int32 {
	if d, ok := t.(arrow.DecimalType); ok {
		return d.GetScale()
	}
	return 0
}

// twinRoot is the double nearest to the root, from 2,300 bits of it: enough for
// the least subnormal's, with which no root is a tie.
func twinRoot(v *big.Rat) float64 {
	f := new(big.Float).SetPrec(2400).SetRat(v)
	root, _ := f.Sqrt(f).Float64()
	return root
}

// twinPair is an aggregate of two columns.
func twinPair(def Aggregate, spec Spec, g *twinGroup) any {
	var columns [2][]any
	for k, c := range def.Arguments {
		for _, row := range g.in {
			columns[k] = append(columns[k], g.table[c][row])
		}
	}
	types := [2]arrow.DataType{spec.Columns[def.Arguments[0]].Type, spec.Columns[def.Arguments[1]].Type}
	switch def.Function.Name {
	case "ratio":
		return twinRatio(columns, types)
	case "weighted_mean":
		return twinWeighted(columns, types)
	case "arg_min":
		return twinArg(columns, -1)
	case "arg_max":
		return twinArg(columns, 1)
	}
	panic("no twin of " + def.Function.Name)
}

// twinTotal is an exact sum, or, of values that are not finite, a double.
func twinTotal(cells []any, t arrow.DataType) (sum *big.Rat, special float64, some bool) {
	total, unit := new(big.Int), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scaleOfTwin(t))), nil)
	for _, c := range cells {
		if c == nil {
			continue
		}
		some = true
		f, isFloat := c.(float64)
		if isFloat {
			unit = new(big.Int).Lsh(big.NewInt(1), 1074)
		}
		if v := twinUnits(c); v != nil {
			total.Add(total, v)
		} else {
			special += f
		}
	}
	return new(big.Rat).SetFrac(total, unit), special, some
}

func twinRatio(columns [2][]any, types [2]arrow.DataType) any {
	a, specialA, someA := twinTotal(columns[0], types[0])
	b, specialB, someB := twinTotal(columns[1], types[1])
	return twinQuotient(a, specialA, b, specialB, someA && someB)
}

func twinQuotient(a *big.Rat, specialA float64, b *big.Rat, specialB float64, some bool) any {
	switch {
	case !some || specialB == 0 && b.Sign() == 0:
		return nil
	case specialA == 0 && specialB == 0:
		v, _ := new(big.Rat).Quo(a, b).Float64()
		return v
	case specialA == 0 && specialB == specialB:
		return 0.0
	case specialA == 0 || specialB != 0:
		return math.NaN()
	}
	return specialA * float64(b.Sign())
}

func twinWeighted(columns [2][]any, types [2]arrow.DataType) any {
	var weights []any
	products, unit := new(big.Int), big.NewInt(1)
	special, some := 0.0, false
	for i, x := range columns[0] {
		w := columns[1][i]
		if x == nil || w == nil {
			continue
		}
		some = true
		weights = append(weights, w)
		a, b := twinUnits(x), twinUnits(w)
		if a == nil || b == nil {
			special += twinDouble(x) * twinDouble(w)
			continue
		}
		products.Add(products, new(big.Int).Mul(a, b))
	}
	for _, t := range types {
		if isFloat(t) {
			unit.Lsh(unit, 1074)
			continue
		}
		unit.Mul(unit, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scaleOfTwin(t))), nil))
	}
	below, specialBelow, _ := twinTotal(weights, types[1])
	return twinQuotient(new(big.Rat).SetFrac(products, unit), special, below, specialBelow, some)
}

// twinDouble is a number near enough to one to multiply an infinity by.
func twinDouble(c any) float64 {
	if f, ok := c.(float64); ok {
		return f
	}
	f, _ := new(big.Float).SetInt(twinInt(c)).Float64()
	return f
}

// twinArg is the x of the row with the least (sign -1) or greatest (1) y.
func twinArg(columns [2][]any, sign int) any {
	best := -1
	for i, y := range columns[1] {
		if y == nil {
			continue
		}
		if best >= 0 {
			switch c := twinCompare(y, columns[1][best]); {
			case c == -sign, c == 0 && twinCompare(columns[0][i], columns[0][best]) >= 0:
				continue
			}
		}
		best = i
	}
	if best < 0 {
		return nil
	}
	return columns[0][best]
}
