package exact

// Expansion is a pair with four terms: an unevaluated sum of doubles, exact, for
// sums of squares and of products, which have twice the bits of their factors.
// Four terms hold 212 bits and more: products of full doubles whose magnitudes
// differ by a factor of 2^40, a million of them. Its zero value is zero.
type Expansion [4]float64

// Add adds x. With ok it is in the expansion, exactly; else the expansion is as
// it was, since its terms do not suffice, or x is infinite or NaN, or a term
// overflowed. Add them to a ProductSum then and go on there.
//
// As in AddPair, the first try hands the error of rounding down from term to
// term, and only if something is left of it in the end the terms are brought
// into order.
func (t *Expansion) Add(x float64) (ok bool) {
	a, e := TwoSum(t[0], x)
	b, e := TwoSum(t[1], e)
	c, e := TwoSum(t[2], e)
	d, e := TwoSum(t[3], e)
	if e == 0 {
		*t = Expansion{a, b, c, d}
		return true
	}
	return t.distil(x)
}

// distil sums upwards, which leaves the errors below, and closes the gaps; see
// Shewchuk (1997), Compress.
func (t *Expansion) distil(x float64) (ok bool) {
	v := [5]float64{t[0], t[1], t[2], t[3], x}
	for range 3 {
		for i := len(v) - 1; i > 0; i-- {
			v[i-1], v[i] = TwoSum(v[i-1], v[i])
		}
	}
	var kept Expansion
	n := 0
	for _, term := range v {
		switch {
		case term == 0:
			continue
		case term-term != 0 || n == len(kept): // infinite or NaN, or too many
			return false
		}
		kept[n] = term
		n++
	}
	*t = kept
	return true
}
