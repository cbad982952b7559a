package groupby

import "math"

// fromFloat16 is the value of a half-precision float (IEEE 754 binary16).
func fromFloat16(h uint16) float64 {
	sign := uint64(h>>15) << 63
	exponent, fraction := int(h>>10&0x1f), uint64(h&0x3ff)
	switch exponent {
	case 0: // subnormal: fraction times 2^-24
		return math.Float64frombits(math.Float64bits(math.Ldexp(float64(fraction), -24)) | sign)
	case 0x1f:
		return math.Float64frombits(sign | 0x7ff<<52 | fraction<<42)
	}
	return math.Float64frombits(sign | uint64(exponent-15+1023)<<52 | fraction<<42)
}

// toFloat16 is the inverse of fromFloat16; every NaN becomes the canonical one.
// v must be a value that half precision has: minima, maxima and keys are.
func toFloat16(v float64) uint16 {
	b := math.Float64bits(v)
	sign := uint16(b >> 48 & 0x8000)
	switch {
	case v != v:
		return 0x7e00
	case math.IsInf(v, 0):
		return sign | 0x7c00
	case math.Abs(v) < 0x1p-14:
		return sign | uint16(math.Ldexp(math.Abs(v), 24))
	}
	return sign | uint16(int(b>>52&0x7ff)-1023+15)<<10 | uint16(b>>42&0x3ff)
}
