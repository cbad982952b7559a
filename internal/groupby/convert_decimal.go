package groupby

import (
	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// wideInt reads a value of two or four words, least significant first.
func wideInt(words []uint64) exact.Int256 {
	if len(words) == 2 {
		return exact.Int256FromInt128(exact.Int128{Hi: int64(words[1]), Lo: words[0]})
	}
	return exact.Int256(words[:4])
}

// putWide writes v into two or four words, as far as they reach.
func putWide(words []uint64, v exact.Int256) { copy(words, v[:]) }

// widenDecimal converts between decimals of one scale; nil where the lane is
// the same and every value fits.
func widenDecimal(from, to arrow.DataType) conversion {
	a, aWidth, _ := laneOf(from)
	b, bWidth, _ := laneOf(to)
	precision := int(to.(arrow.DecimalType).GetPrecision())
	if a == b && aWidth == bWidth && from.(arrow.DecimalType).GetPrecision() <= int32(precision) {
		return nil
	}
	return func(in, out *vector) int {
		bad := -1
		for i := range in.n {
			var v exact.Int256
			if in.lane == laneInts {
				v = exact.Int256FromInt64(in.ints[i])
			} else {
				v = wideInt(in.words[i*in.width : (i+1)*in.width])
			}
			if out.lane == laneInts {
				out.ints[i] = int64(v[0])
			} else {
				putWide(out.words[i*out.width:(i+1)*out.width], v)
			}
			if bad < 0 && !v.FitsDecimal(precision) && in.has(i) {
				bad = i
			}
		}
		return bad
	}
}

// scaleToDecimal converts integers to decimals: v has the digits v * 10^scale.
func scaleToDecimal(to arrow.DecimalType) conversion {
	scale, precision := int(to.GetScale()), int(to.GetPrecision())
	return func(in, out *vector) int {
		bad := -1
		for i := range in.n {
			v, fits := exact.Int256{}, true
			if in.lane == laneInts {
				v = exact.Int256FromInt64(in.ints[i])
			} else {
				v = exact.Int256FromUint64(in.uints[i])
			}
			if scale > 0 {
				var over bool
				v, over = v.MulPow10(scale)
				fits = !over
			}
			fits = fits && scale >= 0 && v.FitsDecimal(precision)
			putWide(out.words[i*out.width:(i+1)*out.width], v)
			if bad < 0 && !fits && in.has(i) {
				bad = i
			}
		}
		return bad
	}
}
