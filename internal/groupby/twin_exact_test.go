package groupby

import (
	"math"
	"math/big"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// twinRat is a finite number as a rational; ok is false for the others.
func twinRat(c any, t arrow.DataType) (r *big.Rat, ok bool) {
	if f, isFloat := c.(float64); isFloat {
		r = new(big.Rat).SetFloat64(f)
		return r, r != nil
	}
	r = new(big.Rat).SetInt(twinInt(c))
	if d, ok := t.(arrow.DecimalType); ok {
		power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.GetScale())), nil)
		r.Quo(r, new(big.Rat).SetInt(power))
	}
	return r, true
}

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
	var numbers []*big.Rat
	mean := new(big.Rat)
	for _, c := range values {
		r, ok := twinRat(c, t)
		if !ok {
			return math.NaN()
		}
		numbers = append(numbers, r)
		mean.Add(mean, r)
	}
	mean.Quo(mean, big.NewRat(int64(len(values)), 1))
	sum := new(big.Rat)
	for _, r := range numbers {
		d := new(big.Rat).Sub(r, mean)
		sum.Add(sum, d.Mul(d, d))
	}
	sum.Quo(sum, big.NewRat(n, 1))
	if strings.HasPrefix(name, "var") {
		v, _ := sum.Float64()
		return v
	}
	return twinRoot(sum)
}

// twinRoot is the double nearest to the root, from 2,300 bits of it: enough for
// the least subnormal's, with which no root is a tie.
func twinRoot(v *big.Rat) float64 {
	f := new(big.Float).SetPrec(2400).SetRat(v)
	root, _ := f.Sqrt(f).Float64()
	return root
}
