package exact

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

// Dyadic is an integer times a power of two, of any size: what a finished sum
// is handed over in where a formula has several sums in it (a quotient, a
// variance) and must round only once. Its zero value is zero. It reuses its
// memory when it is set again, and is made for one value a group, not for one a
// row.
type Dyadic struct {
	m        big.Int
	exponent int
	scratch  []byte
}

// IsZero reports whether d is zero.
func (d *Dyadic) IsZero() bool { return d.m.Sign() == 0 }

// SetInt makes d the integer v, which is copied.
func (d *Dyadic) SetInt(v *big.Int) {
	d.m.Set(v)
	d.exponent = 0
}

// SetWords makes d the integer that words are in two's complement, least
// significant word first.
func (d *Dyadic) SetWords(words []uint64) {
	n := 8 * len(words)
	if cap(d.scratch) < n {
		d.scratch = make([]byte, n)
	}
	b := d.scratch[:n]
	negative := int64(words[len(words)-1]) < 0
	carry := uint64(1)
	for i, w := range words {
		if negative {
			w, carry = bits.Add64(^w, 0, carry)
		}
		binary.BigEndian.PutUint64(b[n-8*(i+1):], w)
	}
	d.exponent = 0
	d.m.SetBytes(b)
	if negative {
		d.m.Neg(&d.m)
	}
}

// SetFloats makes d the exact sum of finite doubles: those of a pair, or of an
// Expansion.
func (d *Dyadic) SetFloats(terms ...float64) {
	d.m.SetInt64(0)
	d.exponent = 0
	var t big.Int
	for _, x := range terms {
		m, e := split(x)
		if m == 0 {
			continue
		}
		t.SetUint64(m)
		if math.Signbit(x) {
			t.Neg(&t)
		}
		if d.IsZero() {
			d.exponent = e
		}
		if e < d.exponent {
			d.m.Lsh(&d.m, uint(d.exponent-e))
			d.exponent = e
		} else {
			t.Lsh(&t, uint(e-d.exponent))
		}
		d.m.Add(&d.m, &t)
	}
}

// setDigits makes d a magnitude as fixedPoint gives it, in digits of 32 bits.
func (d *Dyadic) setDigits(digits []uint32, negative bool, exponent int) {
	n := digitSize * len(digits)
	if cap(d.scratch) < n {
		d.scratch = make([]byte, n)
	}
	b := d.scratch[:n]
	for i, v := range digits {
		binary.BigEndian.PutUint32(b[n-digitSize*(i+1):], v)
	}
	d.exponent = exponent
	d.m.SetBytes(b)
	if negative {
		d.m.Neg(&d.m)
	}
}

// Dyadic makes d the sum. It is not finite, and d of no use, if an infinity or
// NaN was added.
func (s *Sum) Dyadic(d *Dyadic) (finite bool) {
	var digits [sumLimbs + 1]uint32
	fixedPoint(s.limbs[:]).dyadic(d, digits[:], minExponent)
	return s.special == 0
}

// Dyadic makes d the sum; see Sum.Dyadic.
func (s *ProductSum) Dyadic(d *Dyadic) (finite bool) {
	var digits [productLimbs + 1]uint32
	fixedPoint(s.limbs[:]).dyadic(d, digits[:], productExponent)
	return s.special == 0
}

// dyadic leaves out the zeros at both ends.
func (f fixedPoint) dyadic(d *Dyadic, digits []uint32, exponent int) {
	negative, lowest, highest := f.magnitude(digits)
	if highest < 0 {
		lowest = 0
	}
	d.setDigits(digits[lowest:highest+1], negative, exponent+lowest*limbBits)
}

// Quotient is the double nearest to a/b * 10^-scale, ties to even. b must not
// be zero.
func Quotient(a, b *Dyadic, scale int) float64 {
	var f fraction
	f.num.Abs(&a.m)
	f.den.Abs(&b.m)
	f.exponent = a.exponent - b.exponent
	f.scale(scale)
	return withSign(f.round(), a.m.Sign()*b.m.Sign() < 0)
}

// fraction is num/den * 2^exponent, neither negative.
type fraction struct {
	num, den big.Int
	exponent int
}

// scale multiplies f by 10^-scale.
func (f *fraction) scale(scale int) {
	f.exponent -= scale
	power := big.NewInt(int64(max(scale, -scale)))
	power.Exp(big.NewInt(5), power, nil)
	if scale > 0 {
		f.den.Mul(&f.den, power)
	} else {
		f.num.Mul(&f.num, power)
	}
}

// divide is the fraction as an integer of at least so many bits times 2^-shift,
// cut off, and whether anything was.
func (f *fraction) divide(least int, even bool) (q *big.Int, exponent int, sticky bool) {
	shift := max(0, least+1+f.den.BitLen()-f.num.BitLen())
	if even && (f.exponent-shift)&1 != 0 {
		shift++
	}
	q = new(big.Int).Lsh(&f.num, uint(shift))
	var r big.Int
	q.QuoRem(q, &f.den, &r)
	return q, f.exponent - shift, r.Sign() != 0
}

// round is the nearest double.
func (f *fraction) round() float64 {
	q, exponent, sticky := f.divide(64, false)
	return roundWords(wordsOf(q), exponent, sticky)
}

// squareRoot is the double nearest to the square root. The root of a number
// that is cut off, cut off in turn, is the root cut off; so the one rounding is
// that of the true root.
func (f *fraction) squareRoot() float64 {
	q, exponent, sticky := f.divide(130, true)
	root := new(big.Int).Sqrt(q)
	sticky = sticky || new(big.Int).Mul(root, root).Cmp(q) != 0
	return roundWords(wordsOf(root), exponent/2, sticky)
}

// wordsOf is a magnitude in words of 64 bits, whatever the machine's are.
func wordsOf(v *big.Int) []uint64 {
	words := make([]uint64, (v.BitLen()+63)/64)
	for i, w := range v.Bits() {
		at := i * bits.UintSize
		words[at/64] |= uint64(w) << (at % 64)
	}
	return words
}

// MulPow10 multiplies d by 10^exponent, which is not negative.
func (d *Dyadic) MulPow10(exponent int) {
	power := big.NewInt(5)
	power.Exp(power, big.NewInt(int64(exponent)), nil)
	d.m.Mul(&d.m, power)
	d.exponent += exponent
}

// Int is the value as an integer, if it is one.
func (d *Dyadic) Int() (v *big.Int, ok bool) {
	v = new(big.Int)
	if d.exponent >= 0 {
		return v.Lsh(&d.m, uint(d.exponent)), true
	}
	cut := uint(-d.exponent)
	return v.Rsh(&d.m, cut), d.IsZero() || d.m.TrailingZeroBits() >= cut
}

// AddTo hands d to add in pieces, each the product of two doubles: integers of
// 32 bits times a power of two, whose exponent a single double may not have.
func (d *Dyadic) AddTo(add func(x, power float64)) {
	sign := float64(d.m.Sign())
	for i, w := range wordsOf(new(big.Int).Abs(&d.m)) {
		for k, half := range [2]uint64{w & limbMask, w >> limbBits} {
			if half != 0 {
				e := d.exponent + 64*i + limbBits*k
				add(sign*math.Ldexp(float64(half), e/2), math.Ldexp(1, e-e/2))
			}
		}
	}
}
