package exact

// maxPow10 is the largest power of ten below 2^255, and the largest precision
// of a decimal256.
const maxPow10 = 76

var powersOfTen = func() (powers [maxPow10 + 1]Int256) {
	powers[0] = Int256{1}
	for i := 1; i <= maxPow10; i++ {
		p := powers[i-1][:]
		copy(powers[i][:], p)
		mulWord(powers[i][:], 10)
	}
	return powers
}()

// MulPow10 is a * 10^exponent, exponent >= 0.
func (a Int256) MulPow10(exponent int) (product Int256, overflow bool) {
	if a.IsZero() {
		return a, false
	}
	m := a.magnitude()
	for exponent > 0 && !overflow {
		step := min(exponent, 19) // 10^19 is the largest power in one word
		overflow = mulWord(m[:], powersOfTen[step][0]) != 0
		exponent -= step
	}
	product = Int256(m)
	if a.IsNegative() {
		product, _ = product.Neg()
	}
	// Unsigned, m may use the bit that is the sign's.
	return product, overflow || product.IsNegative() != a.IsNegative()
}

// FitsDecimal reports whether a has at most precision digits, which is what a
// decimal256(precision, s) can hold whatever s.
func (a Int256) FitsDecimal(precision int) bool {
	if precision < 0 || precision > maxPow10 {
		return false
	}
	return Int256(a.magnitude()).unsignedLess(powersOfTen[precision])
}

func (a Int256) unsignedLess(b Int256) bool {
	for i := 3; i > 0; i-- {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return a[0] < b[0]
}
