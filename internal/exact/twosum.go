package exact

import "math"

// TwoSum returns s, the double nearest to a+b, and e, the error that rounding
// made: s + e == a + b exactly, in whatever order of magnitude a and b come.
// If a+b overflows, or a or b is not finite, e is NaN or infinite, never zero
// and never a plausible wrong number. e is never -0.
//
// Knuth, The Art of Computer Programming 2, 4.2.2, theorem B. There is no
// product in it, so nothing that a compiler may fuse.
func TwoSum(a, b float64) (s, e float64) {
	s = a + b
	bb := s - a
	return s, (a - (s - bb)) + (b - bb)
}

// QuickTwoSum is TwoSum for |a| >= |b| or a == 0, at half the operations
// (Dekker 1971). With the operands the wrong way round e may be wrong.
func QuickTwoSum(a, b float64) (s, e float64) {
	s = a + b
	return s, b - (s - a)
}

// leastExactProduct: a product of two 53-bit mantissas has at most 106 bits, so
// from 2^-969 on its last bit weighs at least 2^-1074. One power of two more
// makes the test on the rounded product safe.
const leastExactProduct = 0x1p-968

// TwoProduct returns p, the double nearest to a*b, and e with p + e == a * b
// exactly, if ok. It is not ok where e would need bits below 2^-1074 (a product
// that is not zero and smaller than 2^-968), where p overflows, or where a or b
// is not finite: ProductSum takes those too, infinities and NaN included.
//
// math.FMA is one rounding on every platform, in hardware or not; the
// conversion keeps a compiler from fusing the first product into anything.
func TwoProduct(a, b float64) (p, e float64, ok bool) {
	p = float64(a * b)
	e = math.FMA(a, b, -p)
	size := math.Abs(p)
	return p, e, size >= leastExactProduct && size <= math.MaxFloat64 || a == 0 && size == 0 || b == 0 && size == 0
}
