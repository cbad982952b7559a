package groupby

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// quantiles are the functions that random specs draw from, with their p.
var quantiles = func() (list []struct {
	p        string
	function *Function
},
) {
	for _, p := range []string{"0", "1", "0.5", "0.25", "0.99", "0.333", "0.123456789012345678", "1.0"} {
		f, err := quantileFunction.With(p)
		if err != nil {
			panic(err)
		}
		list = append(list, struct {
			p        string
			function *Function
		}{p, f})
	}
	return list
}()

func twinDistinct(values []any) int64 {
	seen := map[string]bool{}
	for _, c := range values {
		c = twinKey(c)
		seen[fmt.Sprintf("%T%v", c, c)] = true
	}
	return int64(len(seen))
}

// twinQuantile is x[i] + (h-i) (x[i+1] - x[i]) in rationals.
func twinQuantile(f *Function, values []any, t arrow.DataType) float64 {
	p := "0.5"
	for _, q := range quantiles {
		if q.function == f {
			p = q.p
		}
	}
	values = slices.Clone(values)
	slices.SortFunc(values, twinCompare)
	h, _ := new(big.Rat).SetString(p)
	h.Mul(h, new(big.Rat).SetInt64(int64(len(values)-1)))
	i := new(big.Int).Quo(h.Num(), h.Denom())
	h.Sub(h, new(big.Rat).SetInt(i))
	left := values[i.Int64()]
	right := left
	if h.Sign() != 0 {
		right = values[i.Int64()+1]
	}
	if x, ok := left.(float64); ok && (x-x != 0 || right.(float64)-right.(float64) != 0) {
		switch y := right.(float64); {
		case x != x || y != y:
			return math.NaN()
		case x == y:
			return x
		case math.IsInf(x, -1) && math.IsInf(y, 1):
			return math.NaN()
		case math.IsInf(x, 0):
			return x
		default:
			return y
		}
	}
	a, b := twinRat(left, t), twinRat(right, t)
	v, _ := a.Add(a, h.Mul(h, b.Sub(b, a))).Float64()
	return v + 0
}

func twinRat(c any, t arrow.DataType) *big.Rat {
	if f, ok := c.(float64); ok {
		return new(big.Rat).SetFloat64(f)
	}
	r := new(big.Rat).SetInt(twinInt(c))
	if d, ok := t.(arrow.DecimalType); ok {
		r.Quo(r, new(big.Rat).SetInt(tenTo(int64(d.GetScale()))))
	}
	return r
}
