package render

import (
	"math"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow/float16"
)

// Floats are printed with the fewest digits that read back as the same number
// of the same type, plain from 1e-5 up to 1e17 and with an exponent beyond,
// always with a point or an exponent so that no reader takes them for
// integers. A number of digits given by --float-digits is the number after the
// point instead, exactly, and 0 leaves out the point as well.

func doubles(values []float64, digits int) appender {
	return func(dst []byte, row int) []byte { return appendFloat(dst, values[row], digits, 64) }
}

func singles(values []float32, digits int) appender {
	return func(dst []byte, row int) []byte { return appendFloat(dst, float64(values[row]), digits, 32) }
}

func halves(values []float16.Num, digits int) appender {
	if digits >= 0 {
		return func(dst []byte, row int) []byte {
			return appendFloat(dst, halfValue(values[row].Uint16()), digits, 32)
		}
	}
	return func(dst []byte, row int) []byte {
		return appendFloat(dst, shortestHalf(halfValue(values[row].Uint16())), digits, 64)
	}
}

// appendFloat appends v, a number of a type of that many bits.
func appendFloat(dst []byte, v float64, digits, bits int) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, "NaN"...)
	case math.IsInf(v, 1):
		return append(dst, "inf"...)
	case math.IsInf(v, -1):
		return append(dst, "-inf"...)
	}
	if plain := plainRange(v, bits); digits >= 0 {
		// Below the range the digits asked for decide: 9e-06 to two is 0.00.
		if plain || math.Abs(v) < 1 {
			return strconv.AppendFloat(dst, v, 'f', digits, bits)
		}
		return strconv.AppendFloat(dst, v, 'e', digits, bits)
	} else if !plain {
		return strconv.AppendFloat(dst, v, 'e', -1, bits)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, v, 'f', -1, bits)
	for _, b := range dst[start:] {
		if b == '.' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

// plainRange says whether v is zero or its shortest digits lie in [1e-5, 1e17).
// The bounds are rounded to v's own type: the float32 that reads 1e-05 is a
// little less than the float64.
func plainRange(v float64, bits int) bool {
	low, high := 1e-5, 1e17
	if bits == 32 {
		low, high = float64(float32(low)), float64(float32(high))
	}
	v = math.Abs(v)
	return v == 0 || low <= v && v < high
}

// halfValue returns the value of a float16, which every float64 of this range
// holds. (arrow-go's conversion is wrong for subnormal numbers.)
func halfValue(bits uint16) float64 {
	const (
		fractionBits = 10
		bias         = 15
		special      = 31 // the exponent of NaN and the infinities
	)
	fraction := float64(bits & (1<<fractionBits - 1))
	exponent := int(bits >> fractionBits & 31)
	v := math.NaN()
	switch {
	case exponent == 0:
		v = math.Ldexp(fraction, 1-bias-fractionBits)
	case exponent < special:
		v = math.Ldexp(fraction+1<<fractionBits, exponent-bias-fractionBits)
	case fraction == 0:
		v = math.Inf(1)
	}
	if bits>>15 == 1 {
		v = -v
	}
	return v
}

// shortestHalf returns, for a finite number that is exactly a float16, the
// float64 whose shortest digits are the shortest of the float16: those in the
// interval that rounds to it, and of these the closest to it.
func shortestHalf(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	x := math.Abs(v)
	low, high, inclusive := halfInterval(x)
	exponent := int(math.Floor(math.Log10(x)))
	for precision := 1; ; precision++ {
		// Exact or correctly rounded once, since powers up to 1e22 are exact.
		scale := precision - 1 - exponent
		digits := math.Floor(timesPower(x, scale))
		best := math.Inf(1)
		for _, candidate := range [2]float64{timesPower(digits, -scale), timesPower(digits+1, -scale)} {
			inside := low < candidate && candidate < high || inclusive && (candidate == low || candidate == high)
			if inside && math.Abs(candidate-x) < math.Abs(best-x) {
				best = candidate
			}
		}
		if !math.IsInf(best, 1) {
			return math.Copysign(best, v)
		}
	}
}

// halfInterval returns the bounds between which numbers round to the float16 x
// > 0, and whether the bounds themselves do (ties go to even significands). The
// largest float16 has the bound that the next exponent would give.
func halfInterval(x float64) (low, high float64, inclusive bool) {
	const (
		precision   = 11  // bits of the significand
		minExponent = -14 // of normal numbers, as 1.f × 2^e
	)
	_, e := math.Frexp(x)
	step := math.Ldexp(1, max(e-1, minExponent)-(precision-1))
	below := step
	if significand := x / step; significand == 1<<(precision-1) && e-1 > minExponent {
		below = step / 2
	}
	return x - below/2, x + step/2, math.Mod(x/step, 2) == 0
}

// timesPower returns x × 10^power for small powers.
func timesPower(x float64, power int) float64 {
	if power < 0 {
		return x / math.Pow10(-power)
	}
	return x * math.Pow10(power)
}
