package exact

import "math/bits"

// fixedPoint is the accumulator that Sum and ProductSum share: a fixed-point
// number cut into limbs of 32 bits, least significant first, each kept in a
// signed 64-bit word. The upper half of a word is room for carries that have
// not been passed on yet, which is why adding touches two limbs and no more:
//
//	value = unit * (limb[0] + limb[1] * 2^32 + limb[2] * 2^64 + ...)
//
// In carried form every limb but the last is in [0, 2^32) and the last has the
// sign: two's complement, one form for each value.
type fixedPoint []int64

const (
	limbBits = 32
	limbMask = 1<<limbBits - 1
	// maxPending is how many additions may follow one another before carries
	// are passed on. An addition changes a limb by less than 2^52, a carry by
	// less than 2^31, and a limb in carried form is below 2^32:
	// 2046 * 2^52 + 2^32 + 2^31 < 2^63.
	maxPending = 2046
)

// carry brings f into carried form.
func (f fixedPoint) carry() {
	last := len(f) - 1
	var c int64
	for i, v := range f[:last] {
		v += c
		f[i] = v & limbMask
		c = v >> limbBits
	}
	f[last] += c
}

// add adds ±(hi, lo) at the given bit position. It changes a limb by less than
// 2^32, so it counts as one addition.
func (f fixedPoint) add(hi, lo uint64, position int, negative bool) {
	at, shift := position/limbBits, uint(position%limbBits)
	low := lo << shift
	middle := hi<<shift | lo>>(64-shift) // a shift by 64 gives 0
	high := hi >> (64 - shift)
	sign := int64(0) // or -1: (v^sign)-sign is ±v without a branch
	if negative {
		sign = -1
	}
	limbs := f[at : at+5]
	limbs[0] += (int64(low&limbMask) ^ sign) - sign
	limbs[1] += (int64(low>>limbBits) ^ sign) - sign
	limbs[2] += (int64(middle&limbMask) ^ sign) - sign
	limbs[3] += (int64(middle>>limbBits) ^ sign) - sign
	limbs[4] += (int64(high) ^ sign) - sign
}

// merge adds g, of the same length, in any form; g is not changed. It counts
// as one addition.
func (f fixedPoint) merge(g fixedPoint) {
	last := len(g) - 1
	f = f[:len(g)]
	var c int64
	for i, v := range g[:last] {
		v += c
		f[i] += v & limbMask
		c = v >> limbBits
	}
	f[last] += g[last] + c
}

// magnitude writes |f| as 32-bit digits to digits, which is one longer than f
// because the last limb may use more than 32 bits, and returns the sign and
// the lowest and the highest digit that are not zero; highest is -1 for zero.
// f is not changed.
func (f fixedPoint) magnitude(digits []uint32) (negative bool, lowest, highest int) {
	last := len(f) - 1
	var c int64
	for i, v := range f[:last] {
		v += c
		digits[i] = uint32(v)
		c = v >> limbBits
	}
	top := f[last] + c
	digits[last], digits[last+1] = uint32(top), uint32(top>>limbBits)
	if negative = top < 0; negative {
		negate(digits)
	}
	lowest, highest = 0, last+1
	for highest >= 0 && digits[highest] == 0 {
		highest--
	}
	for lowest < highest && digits[lowest] == 0 {
		lowest++
	}
	return negative, lowest, highest
}

// negate takes the two's complement.
func negate(digits []uint32) {
	carry := uint64(1)
	for i, d := range digits {
		v := uint64(^d) + carry
		digits[i] = uint32(v)
		carry = v >> limbBits
	}
}

// round returns the double nearest to f, where bit 0 weighs 2^exponent;
// digits is scratch space as for magnitude.
func (f fixedPoint) round(digits []uint32, exponent int) float64 {
	negative, lowest, highest := f.magnitude(digits)
	if highest < 0 {
		return 0
	}
	// The topmost 96 bits, shifted left so that the first 64 are full.
	digit := func(i int) uint64 {
		if i < 0 {
			return 0
		}
		return uint64(digits[i])
	}
	hi := digit(highest)<<limbBits | digit(highest-1)
	lo := digit(highest - 2)
	shift := uint(bits.LeadingZeros64(hi)) // at most 31
	rest := lo << shift
	m := hi<<shift | rest>>limbBits
	sticky := rest&limbMask != 0 || lowest < highest-2
	e := exponent + (highest-1)*limbBits - int(shift)
	return withSign(roundMagnitude(m, e, sticky), negative)
}
