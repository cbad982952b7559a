package exact

import "math/big"

// Between is the double nearest to (a + (b-a) * part/whole) * 10^-scale, ties
// to even: what a straight line from a to b has so far on its way. whole is not
// 0.
func Between(a, b *Dyadic, part, whole uint64, scale int) float64 {
	f := fraction{exponent: min(a.exponent, b.exponent)}
	var term, factor big.Int
	for _, side := range []struct {
		d *Dyadic
		n uint64
	}{{a, whole - part}, {b, part}} {
		term.Mul(&side.d.m, factor.SetUint64(side.n))
		f.num.Add(&f.num, term.Lsh(&term, uint(side.d.exponent-f.exponent)))
	}
	negative := f.num.Sign() < 0
	f.num.Abs(&f.num)
	f.den.SetUint64(whole)
	f.scale(scale)
	return withSign(f.round(), negative)
}
