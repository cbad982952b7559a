package exact

import "math"

// special remembers the values that no fixed-point number can hold. Once one
// was added, finite values change nothing any more. The numbers are part of the
// binary form.
type special uint32

const (
	sawPositiveInf special = 1 << iota
	sawNegativeInf
	sawNaN

	specialMask = sawPositiveInf | sawNegativeInf | sawNaN
)

// see notes x, which is infinite or NaN.
func (p *special) see(x float64) {
	switch {
	case x > 0:
		*p |= sawPositiveInf
	case x < 0:
		*p |= sawNegativeInf
	default:
		*p |= sawNaN
	}
}

// settled is p in the one form that all equal sums share: +inf with -inf is
// NaN, and with NaN it does not matter what else was seen.
func (p special) settled() special {
	if p&sawNaN != 0 || p == sawPositiveInf|sawNegativeInf {
		return sawNaN
	}
	return p
}

// float64 is the sum that p amounts to, if anything was seen at all.
func (p special) float64() float64 {
	switch p.settled() {
	case sawPositiveInf:
		return math.Inf(1)
	case sawNegativeInf:
		return math.Inf(-1)
	}
	return NaN()
}
