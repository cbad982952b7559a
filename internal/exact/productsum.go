package exact

import (
	"math"
	"math/bits"
)

const (
	// productExponent is the weight of the lowest bit that a product of two
	// doubles can have.
	productExponent = 2 * minExponent
	// productBits: from 2^-2148 to 2^2047, and 2^62 such products.
	productBits = 2148 + 2048 + 62
	// productLimbs: the last limb has room for 2^61 such sums; see sumLimbs.
	productLimbs = productBits/limbBits + 1

	// ProductSumSize is what a ProductSum occupies, in bytes.
	ProductSumSize = 8*productLimbs + 8
)

// ProductSum is Sum for products of two doubles: Σ a*b without any rounding
// before the end, also where a product is far below the least subnormal or
// past the largest double. It is what a weighted mean (Σ w*x) and a variance
// (Σ x*x) need. All that Sum says of itself holds here too.
type ProductSum struct {
	limbs   [productLimbs]int64 // bit 0 weighs 2^-2148
	pending uint32
	special special
}

// AddProduct adds a*b. An infinity times zero is NaN, as in IEEE 754.
func (s *ProductSum) AddProduct(a, b float64) {
	if a-a != 0 || b-b != 0 {
		s.special.see(float64(a * b))
		return
	}
	ma, ea := split(a)
	mb, eb := split(b)
	hi, lo := bits.Mul64(ma, mb)
	fixedPoint(s.limbs[:]).add(hi, lo, ea+eb-productExponent, math.Signbit(a) != math.Signbit(b))
	s.count()
}

// Add adds x.
func (s *ProductSum) Add(x float64) { s.AddProduct(x, 1) }

// split returns |x| = m * 2^e with m an integer below 2^53, for finite x.
func split(x float64) (m uint64, e int) {
	b := math.Float64bits(x)
	biased := int(b>>mantissaBits) & exponentMask
	m = b & mantissaMask
	if biased == 0 {
		return m, minExponent
	}
	return m | 1<<mantissaBits, biased - 1 + minExponent
}

func (s *ProductSum) count() {
	s.pending++
	if s.pending >= maxPending {
		fixedPoint(s.limbs[:]).carry()
		s.pending = 0
	}
}

// AddInt128 adds an integer.
func (s *ProductSum) AddInt128(v Int128) {
	hi, lo := v.magnitude()
	fixedPoint(s.limbs[:]).add(hi, lo, -productExponent, v.Hi < 0)
	s.count()
}

// Merge adds what t holds; t is not changed. It may be s itself.
func (s *ProductSum) Merge(t *ProductSum) {
	fixedPoint(s.limbs[:]).merge(t.limbs[:])
	s.special |= t.special
	s.count()
}

// Reset makes s the empty sum.
func (s *ProductSum) Reset() { *s = ProductSum{} }

// IsZero reports whether the sum is exactly zero.
func (s *ProductSum) IsZero() bool {
	var digits [productLimbs + 1]uint32
	_, _, highest := fixedPoint(s.limbs[:]).magnitude(digits[:])
	return highest < 0 && s.special == 0
}

// Round returns the double nearest to the sum; see Sum.Round. A result that is
// not zero may round to a zero with its sign.
func (s *ProductSum) Round() float64 {
	if s.special != 0 {
		return s.special.float64()
	}
	var digits [productLimbs + 1]uint32
	return fixedPoint(s.limbs[:]).round(digits[:], productExponent)
}
