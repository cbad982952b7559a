package exact

import (
	"math"
	"math/bits"
)

const (
	canonicalNaN = 0x7ff8000000000000

	mantissaBits = 52
	mantissaMask = 1<<mantissaBits - 1
	exponentMask = 0x7ff
	// minExponent is the weight of the lowest bit of the least subnormal:
	// every finite double is an integer times 2^minExponent.
	minExponent = -1074
)

// NaN returns the only NaN that arrowagg writes: quiet, positive, payload 0.
// It is what C, Java, Rust and WebAssembly call NaN; math.NaN has payload 1,
// and x86 produces a negative one for 0/0, so neither is fit for output that
// must not depend on the processor.
func NaN() float64 { return math.Float64frombits(canonicalNaN) }

// roundMagnitude returns the double nearest to (m + f) * 2^exponent, ties to
// even, where f is 0, or somewhere strictly between 0 and 1 if sticky. The top
// bit of m must be set, so that the ten bits that a double cannot hold are
// always among m's own. Subnormal results round at 2^-1074; results past the
// largest double are +inf. It is the one place where this package rounds by
// hand (IEEE 754-2019, 4.3.1).
func roundMagnitude(m uint64, exponent int, sticky bool) float64 {
	// drop is how many low bits of m do not survive: 11 for normal results,
	// more where the result is subnormal.
	drop := 63 - mantissaBits
	if low := minExponent - exponent; low > drop {
		drop = low
	}
	switch {
	case drop > 64: // below half the least subnormal
		return 0
	case exponent+drop > 1023-mantissaBits:
		return math.Inf(1)
	}
	kept := m >> uint(drop) // 0 when drop is 64
	rest := m << uint(64-drop)
	const half = 1 << 63
	if rest > half || rest == half && (sticky || kept&1 == 1) {
		kept++
	}
	// kept has at most 53 bits, or is 2^53 exactly after a carry. Adding it to
	// the exponent field lets the carry walk from mantissa into exponent: from
	// subnormal to normal, and from the largest double to infinity.
	biased := uint64(exponent+drop-minExponent) << mantissaBits
	return math.Float64frombits(biased + kept)
}

// roundWords rounds the unsigned integer in words, least significant first,
// times 2^exponent; sticky says that a fraction below words was cut off.
func roundWords(words []uint64, exponent int, sticky bool) float64 {
	top := len(words) - 1
	for top >= 0 && words[top] == 0 {
		top--
	}
	if top < 0 {
		return 0
	}
	shift := uint(bits.LeadingZeros64(words[top]))
	m := words[top] << shift
	for i := top - 1; i >= 0; i-- {
		rest := words[i]
		if i == top-1 {
			m |= rest >> (64 - shift)
			rest <<= shift
		}
		sticky = sticky || rest != 0
	}
	return roundMagnitude(m, exponent+64*top-int(shift), sticky)
}

func withSign(magnitude float64, negative bool) float64 {
	if negative {
		return -magnitude
	}
	return magnitude
}
