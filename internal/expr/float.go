package expr

import (
	"math"
	"math/big"

	"github.com/apache/arrow-go/v18/arrow"
)

// floatKey numbers floats in their order: -0.0 is 0.0, every NaN the same and
// greater than all numbers. So intervals of floats are intervals of integers.
func floatKey(bits uint64) uint64 {
	x := math.Float64frombits(bits)
	switch {
	case x == 0:
		bits = 0
	case x != x:
		return nanKey
	}
	k := int64(bits)
	return uint64(k ^ k>>63&math.MaxInt64)
}

// nanKey is past the key of +inf.
const nanKey = uint64(math.MaxInt64)

// lowestFloatKey is the key of -inf.
var lowestFloatKey = floatKey(math.Float64bits(math.Inf(-1)))

// round returns the value of the float type nearest to x, ties to even, as a
// column of that type would hold it. A literal 0.1 is then equal to the values
// that are shown as 0.1, in a float32 column as in a float64 one.
func round(x *big.Rat, dt arrow.DataType) float64 {
	switch dt.ID() {
	case arrow.FLOAT32:
		f, _ := x.Float32()
		return float64(f)
	case arrow.FLOAT16:
		return roundToHalf(x)
	}
	f, _ := x.Float64()
	return f
}

// roundToHalf rounds to 11 significant bits, or below the normal range to
// multiples of 2^-24; what then passes the greatest half, 65504, is infinite.
func roundToHalf(x *big.Rat) float64 {
	const precision, smallestNormal, greatest, scale = 11, 0x1p-14, 65504, 1 << 24
	f, _ := new(big.Float).SetPrec(precision).SetRat(x).Float64()
	if math.Abs(f) < smallestNormal {
		scaled, _ := new(big.Rat).Mul(x, big.NewRat(scale, 1)).Float64()
		return math.RoundToEven(scaled) / scale
	}
	if math.Abs(f) > greatest {
		return math.Inf(int(math.Copysign(1, f)))
	}
	return f
}
