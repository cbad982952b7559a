package groupby

import (
	"math"
	"math/bits"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
)

// signedRange is the range of the integers that a type of laneInts can store,
// and of a time of day those that Arrow allows: a day's.
func signedRange(t arrow.DataType) (low, high int64) {
	if isTimeOfDay(t) {
		unit, _ := unitOf(t)
		return 0, int64(24*time.Hour/unit.Multiplier()) - 1
	}
	width := 64
	if f, ok := t.(arrow.FixedWidthDataType); ok {
		width = f.BitWidth()
	}
	return math.MinInt64 >> (64 - width), math.MaxInt64 >> (64 - width)
}

// toInteger converts between integer types, nil where every value fits as it
// is.
func toInteger(from, to arrow.DataType) conversion {
	low, high := signedRange(to) // of signed types; unsigned ones reach 2*high+1
	unsigned := uint64(high)<<1 | 1
	narrower := from.(arrow.FixedWidthDataType).BitWidth() > to.(arrow.FixedWidthDataType).BitWidth()
	switch {
	case isSigned(from) && isSigned(to):
		if !narrower {
			return nil
		}
		return func(in, out *vector) int {
			bad := -1
			for i, v := range in.ints {
				if out.ints[i] = v; (v < low || v > high) && bad < 0 && in.has(i) {
					bad = i
				}
			}
			return bad
		}
	case isUnsigned(from) && isUnsigned(to):
		if !narrower {
			return nil
		}
		return func(in, out *vector) int {
			bad := -1
			for i, v := range in.uints {
				if out.uints[i] = v; v > unsigned && bad < 0 && in.has(i) {
					bad = i
				}
			}
			return bad
		}
	case isUnsigned(from):
		return func(in, out *vector) int {
			bad := -1
			for i, v := range in.uints {
				if out.ints[i] = int64(v); v > uint64(high) && bad < 0 && in.has(i) {
					bad = i
				}
			}
			return bad
		}
	}
	return func(in, out *vector) int {
		bad := -1
		for i, v := range in.ints {
			if out.uints[i] = uint64(v); (v < 0 || uint64(v) > unsigned) && bad < 0 && in.has(i) {
				bad = i
			}
		}
		return bad
	}
}

// toFloats rounds integers to the nearest double.
func toFloats(in, out *vector) int {
	if in.lane == laneInts {
		for i, v := range in.ints {
			out.floats[i] = float64(v)
		}
		return -1
	}
	for i, v := range in.uints {
		out.floats[i] = float64(v)
	}
	return -1
}

// toBools reads the bytes of the bool8 extension: zero is false.
func toBools(in, out *vector) int {
	for i, v := range in.ints {
		out.ints[i] = 0
		if v != 0 {
			out.ints[i] = 1
		}
	}
	return -1
}

// multiply brings a unit to a finer one.
func multiply(factor int64, to arrow.DataType) conversion {
	low, high := signedRange(to)
	return func(in, out *vector) int {
		bad := -1
		for i, v := range in.ints {
			p := v * factor
			magnitude := uint64(v)
			if v < 0 {
				magnitude = -magnitude
			}
			over, product := bits.Mul64(magnitude, uint64(factor))
			fits := over == 0 && product <= math.MaxInt64 && p >= low && p <= high
			if out.ints[i] = p; !fits && bad < 0 && in.has(i) {
				bad = i
			}
		}
		return bad
	}
}

// divide brings a unit to a coarser one; what is no multiple does not fit.
func divide(by int64) conversion {
	return func(in, out *vector) int {
		bad := -1
		for i, v := range in.ints {
			q := v / by
			if out.ints[i] = q; (q*by != v || q != int64(int32(q))) && bad < 0 && in.has(i) {
				bad = i
			}
		}
		return bad
	}
}
