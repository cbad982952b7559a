package exact

import "math/big"

// Moments are what a variance is made of: how many values there are, their sum
// and the sum of their squares, exactly. So the textbook formula is right here,
// which in floating point would lose every digit to cancellation: the one
// rounding comes after the subtraction,
//
//	variance = (n Σx² - (Σx)²) / (n (n-1))
//
// with n·n below for that of a population.
type Moments struct {
	Count        uint64
	Sum, Squares Dyadic
}

// Variance is the double nearest to the variance of values that are 10^-scale
// times those that were added. That of a sample needs two values, that of a
// population one.
func (m *Moments) Variance(sample bool, scale int) float64 {
	f := m.fraction(sample, scale)
	return f.round()
}

// Deviation is the double nearest to the square root of the variance, of the
// exact one and not of the rounded.
func (m *Moments) Deviation(sample bool, scale int) float64 {
	f := m.fraction(sample, scale)
	return f.squareRoot()
}

func (m *Moments) fraction(sample bool, scale int) *fraction {
	f := &fraction{exponent: min(2*m.Sum.exponent, m.Squares.exponent)}
	n := new(big.Int).SetUint64(m.Count)
	var square big.Int
	f.num.Mul(&m.Squares.m, n)
	f.num.Lsh(&f.num, uint(m.Squares.exponent-f.exponent))
	square.Mul(&m.Sum.m, &m.Sum.m)
	square.Lsh(&square, uint(2*m.Sum.exponent-f.exponent))
	f.num.Sub(&f.num, &square) // not negative: Cauchy and Schwarz
	f.den.Set(n)
	if sample {
		n.Sub(n, big.NewInt(1))
	}
	f.den.Mul(&f.den, n)
	f.scale(2 * scale)
	return f
}
