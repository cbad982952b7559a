package groupby

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// Ordered bits: every value of 64 bits or less has an unsigned word such that
// words compare as values do.
//
//	signed    the sign bit inverted
//	unsigned  as they are
//	floats    all bits of negatives inverted, the sign bit of the others; NaN,
//	          made canonical (positive), comes after +inf, and -0.0 before 0.0

const signBit uint64 = 1 << 63

func orderedInt(v int64) uint64 { return uint64(v) ^ signBit }

func intOfOrdered(w uint64) int64 { return int64(w ^ signBit) }

func orderedFloat(v float64) uint64 {
	b := math.Float64bits(v)
	if v != v {
		b = canonicalNaN
	}
	return b ^ (uint64(int64(b)>>63) | signBit)
}

func bitsOfOrdered(w uint64) uint64 { return w ^ (^uint64(int64(w)>>63) | signBit) }

func floatOfOrdered(w uint64) float64 {
	return math.Float64frombits(bitsOfOrdered(w))
}

var canonicalNaN = math.Float64bits(exact.NaN())

const canonicalNaN32 = 0x7fc0_0000

// orderedPut returns the function that stores ordered bits as values of type t.
func orderedPut(t arrow.DataType, out *column) func(i int, w uint64) {
	l, _, _ := laneOf(t)
	switch {
	case t.ID() == arrow.FLOAT64:
		dst := cast[float64](out.fixed)
		return func(i int, w uint64) { dst[i] = floatOfOrdered(w) }
	case t.ID() == arrow.FLOAT32:
		dst := cast[uint32](out.fixed)
		return func(i int, w uint64) { dst[i] = toFloat32(floatOfOrdered(w)) }
	case t.ID() == arrow.FLOAT16:
		dst := cast[uint16](out.fixed)
		return func(i int, w uint64) { dst[i] = toFloat16(floatOfOrdered(w)) }
	case l == laneInts:
		return func(i int, w uint64) { out.putInt(i, w^signBit) }
	}
	return out.putInt
}

// valuesOfOrdered makes ordered bits values of type t, which has 64 bits.
func valuesOfOrdered(t arrow.DataType, words []uint64) {
	switch l, _, _ := laneOf(t); l {
	case laneFloats:
		for i, w := range words {
			words[i] = bitsOfOrdered(w)
		}
	case laneInts:
		for i := range words {
			words[i] ^= signBit
		}
	}
}

// toFloat32 is the bits of a value that single precision has, every NaN
// becoming the canonical one.
func toFloat32(v float64) uint32 {
	if v != v {
		return canonicalNaN32
	}
	return math.Float32bits(float32(v))
}
