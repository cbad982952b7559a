package exact

import "math/bits"

// Unsigned integers of several words, least significant first.

// mulWord multiplies in place and returns the word that did not fit.
func mulWord(words []uint64, by uint64) (carry uint64) {
	for i, w := range words {
		hi, lo := bits.Mul64(w, by)
		var c uint64
		words[i], c = bits.Add64(lo, carry, 0)
		carry = hi + c // hi <= 2^64-2
	}
	return carry
}

// divWord divides in place and returns the remainder.
func divWord(words []uint64, by uint64) (remainder uint64) {
	for i := len(words) - 1; i >= 0; i-- {
		words[i], remainder = bits.Div64(remainder, words[i], by)
	}
	return remainder
}

// shiftToTop shifts left in place until the top bit is set, and returns by how
// much. The integer must not be zero.
func shiftToTop(words []uint64) (shift int) {
	n := len(words)
	top := n - 1
	for words[top] == 0 {
		top--
	}
	if whole := n - 1 - top; whole > 0 {
		copy(words[whole:], words[:top+1])
		clear(words[:whole])
		shift = 64 * whole
	}
	if part := bits.LeadingZeros64(words[n-1]); part > 0 {
		for i := n - 1; i > 0; i-- {
			words[i] = words[i]<<part | words[i-1]>>(64-part)
		}
		words[0] <<= part
		shift += part
	}
	return shift
}
