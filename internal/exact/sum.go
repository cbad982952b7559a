package exact

import "math"

const (
	// sumBits: doubles have bits from 2^-1074 to 2^1023, and 2^62 of them may
	// have 62 bits more.
	sumBits = 1074 + 1024 + 62
	// sumLimbs: of the last limb's 63 bits they need 16. So it has room for
	// 2^47 such sums, and nothing that anybody can run overflows it.
	sumLimbs = sumBits/limbBits + 1

	// SumSize is what a Sum occupies, in bytes.
	SumSize = 8*sumLimbs + 8
)

// Sum is the exact sum of any doubles: a superaccumulator after Neal, "Fast
// exact summation using small and large superaccumulators" (2015), the small
// kind. It holds 2^62 doubles without overflow or loss, whatever their order
// and exponents, also where the running sum leaves the range of doubles and
// comes back.
//
// The zero value is an empty sum, and sum of nothing is +0.0. There are no
// pointers in it: it may lie in memory outside Go's heap, be copied by
// assignment, and cleared by zeroing. Equal sums may differ in memory, since
// carries are passed on late; compare AppendBinary's bytes instead. Methods
// that take s by pointer and do not add to it leave it unchanged, so that
// readers need no lock among themselves.
type Sum struct {
	limbs   [sumLimbs]int64 // bit 0 weighs 2^-1074
	pending uint32          // additions since the last carry
	special special
}

// Add adds x: a double of any kind.
func (s *Sum) Add(x float64) {
	b := math.Float64bits(x)
	// A normal double is m * 2^(position-1074), its biased exponent being
	// position+1.
	position := uint(b>>mantissaBits)&exponentMask - 1
	if position >= exponentMask-1 { // zero or subnormal, infinite or NaN
		s.addRare(x)
		return
	}
	m := b&mantissaMask | 1<<mantissaBits
	at, shift := position/limbBits, position%limbBits
	sign := int64(b) >> 63 // 0 or -1: (v^sign)-sign is ±v without a branch
	low := int64(m << shift & limbMask)
	high := int64(m >> (limbBits - shift)) // below 2^52, as shift is at most 31
	s.limbs[at] += (low ^ sign) - sign
	s.limbs[at+1] += (high ^ sign) - sign
	s.count()
}

// addRare is Add for what is not a normal double.
func (s *Sum) addRare(x float64) {
	if x-x != 0 { // infinite or NaN
		s.special.see(x)
		return
	}
	// A subnormal is its mantissa times 2^-1074.
	m := int64(math.Float64bits(x) & mantissaMask)
	if x < 0 {
		m = -m
	}
	s.limbs[0] += m
	s.count()
}

func (s *Sum) count() {
	s.pending++
	if s.pending >= maxPending {
		fixedPoint(s.limbs[:]).carry()
		s.pending = 0
	}
}

// AddPair adds hi + lo.
func (s *Sum) AddPair(hi, lo float64) {
	s.Add(hi)
	s.Add(lo)
}

// AddInt128 adds an integer, for integers among floats and their sums.
func (s *Sum) AddInt128(v Int128) {
	hi, lo := v.magnitude()
	fixedPoint(s.limbs[:]).add(hi, lo, -minExponent, v.Hi < 0)
	s.count()
}

// Merge adds what t holds; t is not changed. It may be s itself.
func (s *Sum) Merge(t *Sum) {
	fixedPoint(s.limbs[:]).merge(t.limbs[:])
	s.special |= t.special
	s.count()
}

// Reset makes s the empty sum.
func (s *Sum) Reset() { *s = Sum{} }

// IsZero reports whether the sum is exactly zero.
func (s *Sum) IsZero() bool {
	var digits [sumLimbs + 1]uint32
	_, _, highest := fixedPoint(s.limbs[:]).magnitude(digits[:])
	return highest < 0 && s.special == 0
}

// Round returns the double nearest to the sum, ties to even: ±inf past the
// largest double or when an infinity was added, the canonical NaN when a NaN
// or both infinities were, and +0.0 for an exact zero.
func (s *Sum) Round() float64 {
	if s.special != 0 {
		return s.special.float64()
	}
	var digits [sumLimbs + 1]uint32
	return fixedPoint(s.limbs[:]).round(digits[:], minExponent)
}

// Pair returns the sum as CanonicalPair would have, if two doubles can hold it.
func (s *Sum) Pair() (hi, lo float64, ok bool) {
	hi = s.Round()
	rest := *s // if hi is infinite or NaN, then so is what remains, and not zero
	rest.Add(-hi)
	lo = rest.Round()
	rest.Add(-lo)
	if !rest.IsZero() {
		return 0, 0, false
	}
	return hi, lo, true
}
