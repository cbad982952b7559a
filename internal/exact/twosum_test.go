package exact

import (
	"math"
	"math/big"
	"testing"
)

func TestTwoSum(t *testing.T) {
	r := newRand(t)
	for range rounds(30_000) {
		a, b := float(r), float(r)
		if r.IntN(4) == 0 {
			b = math.Ldexp(a, r.IntN(120)-60) * (r.Float64() - 0.5)
		}
		checkTwoSum(t, a, b)
	}
	for _, a := range extremes {
		for _, b := range extremes {
			checkTwoSum(t, a, b)
		}
	}
}

func checkTwoSum(t *testing.T, a, b float64) {
	t.Helper()
	s, e := TwoSum(a, b)
	if s-s != 0 || e-e != 0 {
		if e == 0 || math.Abs(a) < 0x1p1022 && math.Abs(b) < 0x1p1022 {
			t.Fatalf("TwoSum(%x, %x) = %x, %x", a, b, s, e)
		}
		return
	}
	want := new(big.Int).Add(units(a), units(b))
	if got := new(big.Int).Add(units(s), units(e)); got.Cmp(want) != 0 || s != nearest(want) {
		t.Fatalf("TwoSum(%x, %x) = %x, %x", a, b, s, e)
	}
	if e == 0 && math.Signbit(e) {
		t.Fatalf("TwoSum(%x, %x) has error -0", a, b)
	}
	if math.Abs(a) >= math.Abs(b) {
		if s2, e2 := QuickTwoSum(a, b); s2 != s || e2 != e {
			t.Fatalf("QuickTwoSum(%x, %x) = %x, %x, not %x, %x", a, b, s2, e2, s, e)
		}
	}
}

func TestTwoSumOfSpecials(t *testing.T) {
	for _, a := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		for _, b := range append(extremes, a, -a) {
			for _, p := range [][2]float64{{a, b}, {b, a}} {
				if _, e := TwoSum(p[0], p[1]); e == 0 || e-e == 0 {
					t.Errorf("TwoSum(%v, %v) has the finite error %v", p[0], p[1], e)
				}
			}
		}
	}
}

func TestTwoProduct(t *testing.T) {
	r := newRand(t)
	check := func(a, b float64) {
		t.Helper()
		p, e, ok := TwoProduct(a, b)
		finite := p-p == 0
		wantOK := finite && (a == 0 || b == 0 || math.Abs(p) >= 0x1p-968)
		if ok != wantOK {
			t.Fatalf("TwoProduct(%x, %x) = %x, %x, %v", a, b, p, e, ok)
		}
		if finite && !sameBits(p, a*b) {
			t.Fatalf("TwoProduct(%x, %x) rounds to %x, not %x", a, b, p, a*b)
		}
		if !ok {
			return
		}
		var want oracle
		want.addProduct(a, b)
		if got := new(big.Int).Add(units(p), units(e)); got.Cmp(&want.finite) != 0 {
			t.Fatalf("TwoProduct(%x, %x) = %x, %x, %v", a, b, p, e, ok)
		}
	}
	for _, a := range append(extremes, math.Inf(1), math.NaN()) {
		for _, b := range append(extremes, math.Inf(-1), math.NaN()) {
			check(a, b)
		}
	}
	for range rounds(30_000) {
		a := float(r)
		check(a, float(r))
		// Near the limits, where the test on the rounded product decides.
		_, ea := math.Frexp(a)
		check(a, math.Ldexp(1+r.Float64(), -968-ea+r.IntN(4)))
		check(a, math.Ldexp(1+r.Float64(), 1023-ea+r.IntN(4)-1))
	}
}
