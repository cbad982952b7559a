package exact

import "math"

// A pair (hi, lo) stands for the exact real number hi + lo. The zero pair is
// zero. It need not be normalised: lo may be large, or cancel hi. That is what
// makes the step below cheap, and nothing depends on it but how soon a group
// has to be promoted to a Sum, which no output shows (see CanonicalPair).

// StepPair adds x to a pair by two TwoSums: branch-free and small enough to be
// inlined into a loop over rows. Only if loss == 0 the new pair is exactly the
// old one plus x, and may be stored. Otherwise (the comparison must be != 0,
// which also holds for NaN) keep the old pair and call AddPair:
//
//	h, l, loss := exact.StepPair(hi, lo, x)
//	if loss != 0 {
//		if h, l, ok = exact.AddPair(hi, lo, x); !ok { promote }
//	}
func StepPair(hi, lo, x float64) (h, l, loss float64) {
	s, e := TwoSum(hi, x)
	t, loss := TwoSum(lo, e)
	return s, t, loss
}

// AddPair adds x to a pair. With ok the new pair is exactly the old one plus x.
// Without ok the pair is returned unchanged and x is not in it: the value does
// not fit two doubles (or only just, see distil), or x is infinite or NaN, or a
// high part overflowed. Add pair and x to a Sum then and go on there.
func AddPair(hi, lo, x float64) (h, l float64, ok bool) {
	if s, t, loss := StepPair(hi, lo, x); loss == 0 {
		return s, t, true
	}
	return distil(hi, lo, x)
}

// distil is the second try: bring the pair into normal form, grow it by x from
// the small end (Shewchuk 1997, Grow-Expansion), and compress the three terms
// from the top (Compress). Whatever overflows on the way ends as NaN or an
// infinity in the last error term, so that the one test finds it.
//
// One kind of value that fits is refused: where the two upper terms are a tie
// that the third one breaks, hi ± half a unit ± a nudge, it would take another
// round to move hi by a unit and save the bit. Such a group is promoted without
// need, and loses nothing by it but time.
func distil(hi, lo, x float64) (h, l float64, ok bool) {
	h, l = TwoSum(hi, lo)
	q, e0 := TwoSum(l, x)
	s, e1 := TwoSum(h, q)
	t, e := TwoSum(e1, e0)
	s, t = TwoSum(s, t)
	t, e = TwoSum(t, e)
	if e != 0 {
		return hi, lo, false
	}
	return s, t, true
}

// MergePair adds the pair (hi2, lo2) to the pair (hi, lo). Without ok the first
// pair is returned unchanged, as by AddPair.
func MergePair(hi, lo, hi2, lo2 float64) (h, l float64, ok bool) {
	h, l, ok = AddPair(hi, lo, hi2)
	if ok {
		if h, l, ok = AddPair(h, l, lo2); ok {
			return h, l, true
		}
	}
	return hi, lo, false
}

// RoundPair returns the double nearest to hi + lo: one IEEE addition, which is
// correctly rounded by definition. A sum past the largest double is ±inf, an
// exact zero is +0.0, a NaN the canonical one.
func RoundPair(hi, lo float64) float64 {
	return canonical(hi + lo)
}

// CanonicalPair returns the one pair that every order of additions leads to:
// hi is the double nearest to the value, lo what remains, and zeros are +0.0.
// It is the form to be written to partial results. Not ok: the value is past
// the largest double, and only a Sum can carry it. Sum.Pair gives the same
// pair for the same value, so that what is written does not tell whether the
// group had been promoted on the way.
func CanonicalPair(hi, lo float64) (h, l float64, ok bool) {
	if math.Abs(hi) < math.Abs(lo) {
		hi, lo = lo, hi
	}
	h, l = QuickTwoSum(hi, lo)
	if l-l != 0 { // NaN or infinite
		return hi, lo, false
	}
	return canonical(h), canonical(l), true
}

// canonical replaces the zeros and NaNs that compare equal but differ in bits.
func canonical(x float64) float64 {
	switch {
	case x == 0:
		return 0
	case x != x:
		return NaN()
	}
	return x
}

// PairFromInt64 splits v into two doubles that are exactly v together.
func PairFromInt64(v int64) (hi, lo float64) {
	return float64(v &^ 0xffffffff), float64(v & 0xffffffff)
}

// PairFromUint64 splits v into two doubles that are exactly v together.
func PairFromUint64(v uint64) (hi, lo float64) {
	return float64(v &^ 0xffffffff), float64(v & 0xffffffff)
}
