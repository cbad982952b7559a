package exact

// The double nearest to m * 10^-scale for any scale, from integers alone.
//
// With 10^s = 2^s * 5^s the power of two goes into the exponent, so only 5^s is
// divided or multiplied, in steps of 5^27, the largest power in one word.
// Dividing step by step is exact because floor(floor(m/a)/b) = floor(m/(a*b)),
// and the fraction is zero only if every remainder is. What is left of m must
// keep the 64 bits that roundMagnitude wants: m is first shifted to the top of
// its words, and 5^76 has 177 bits, so 4 words do for every scale that a decimal
// type can have. More words serve the scales that only a hostile schema has.

const (
	pow5Step = 27
	// Beyond these scales the answer is known: |m| < 2^256 < 10^78, the least
	// subnormal is 4.9e-324 and the largest double below 10^309.
	maxScale = 78 + 324
	minScale = -309
	// scaledWords: 5^402 has 934 bits, and 64 must be left; 2^256 * 5^309
	// has 974 bits.
	scaledWords = 16
)

// exactPow10 are the powers of ten that are doubles.
var exactPow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

var pow5 = func() (powers [pow5Step + 1]uint64) {
	powers[0] = 1
	for i := 1; i <= pow5Step; i++ {
		powers[i] = 5 * powers[i-1]
	}
	return powers
}()

func scaled(m [4]uint64, negative bool, scale int) float64 {
	if m[3]|m[2]|m[1] == 0 && m[0] < 1<<53 && scale >= 0 && scale < len(exactPow10) {
		if m[0] == 0 {
			return 0
		}
		// Both operands are exact, so that the division rounds once.
		return withSign(float64(m[0])/exactPow10[scale], negative)
	}
	if m == [4]uint64{} {
		return 0
	}
	scale = max(min(scale, maxScale), minScale)
	if scale >= 0 && scale <= maxPow10 {
		return withSign(divPow10(m[:], scale), negative)
	}
	var words [scaledWords]uint64
	if scale > 0 {
		copy(words[:], m[:])
		return withSign(divPow10(words[:], scale), negative)
	}
	copy(words[:], m[:])
	for left := -scale; left > 0; left -= pow5Step {
		mulWord(words[:], pow5[min(left, pow5Step)])
	}
	return withSign(roundWords(words[:], -scale, false), negative)
}

func divPow10(words []uint64, scale int) float64 {
	shift := shiftToTop(words)
	sticky := false
	for left := scale; left > 0; left -= pow5Step {
		sticky = divWord(words, pow5[min(left, pow5Step)]) != 0 || sticky
	}
	return roundWords(words, -shift-scale, sticky)
}
