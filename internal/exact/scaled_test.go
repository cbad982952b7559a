package exact

import (
	"math"
	"math/big"
	"testing"
)

// scaledByBig is the double nearest to n * 10^-scale, by a rational of math/big.
func scaledByBig(n *big.Int, scale int) float64 {
	size := scale
	if size < 0 {
		size = -size
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(size)), nil)
	var quotient *big.Rat
	if scale >= 0 {
		quotient = new(big.Rat).SetFrac(n, power)
	} else {
		quotient = new(big.Rat).SetInt(new(big.Int).Mul(n, power))
	}
	x, _ := quotient.Float64()
	return x
}

func checkScaled(t *testing.T, a Int256, scale int) {
	t.Helper()
	want := scaledByBig(bigInt256(a), scale)
	if got := a.Float64Scaled(scale); !sameBits(got, want) {
		t.Fatalf("%v * 10^%d = %x, not %x", a, -scale, got, want)
	}
	if narrow, ok := a.Int128(); ok {
		if got := narrow.Float64Scaled(scale); !sameBits(got, want) {
			t.Fatalf("Int128 %v * 10^%d = %x, not %x", a, -scale, got, want)
		}
	}
}

func TestFloat64ScaledIsTheNearestDouble(t *testing.T) {
	r := newRand(t)
	for range rounds(20_000) {
		checkScaled(t, randomInt256(r), r.IntN(maxPow10+1))
	}
	for range rounds(6_000) {
		checkScaled(t, randomInt256(r), r.IntN(820)-360)
	}
	for _, scale := range []int{
		-400, -310, -309, -308, -1, 0, 1, 22, 23, 26, 27, 28, 54, 75, 76, 77, 323, 324, 401, 402, 403,
	} {
		for _, a := range []Int256{
			{},
			{1},
			{2},
			{5},
			{1<<53 - 1},
			{1 << 53},
			{1<<53 + 1},
			{0, 0, 0, 1<<63 - 1},
			{3: 1 << 63},
			{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64},
			{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxInt64},
		} {
			checkScaled(t, a, scale)
		}
	}
	for _, scale := range []int{math.MinInt32, math.MaxInt32, math.MinInt, math.MaxInt} {
		got, want := (Int256{1}).Float64Scaled(scale), math.Inf(1)
		if scale > 0 {
			want = 0
		}
		if !sameBits(got, want) || (Int256{}).Float64Scaled(scale) != 0 {
			t.Errorf("10^-(%d) = %v", scale, got)
		}
	}
}

// TestFloat64ScaledHalfwayCases builds decimals that lie exactly between two
// doubles, and one unit of their last digit to either side.
func TestFloat64ScaledHalfwayCases(t *testing.T) {
	r := newRand(t)
	var tried int
	for range rounds(20_000) {
		// (2m+1) * 2^-k is a tie if 2m+1 has 54 bits; its digits are
		// (2m+1) * 5^k at scale k.
		k := r.IntN(77)
		n := new(big.Int).SetUint64(1<<53 | r.Uint64()>>11 | 1)
		n.Mul(n, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(k)), nil))
		if r.IntN(2) == 0 {
			n.Neg(n)
		}
		if n.BitLen() > 254 {
			continue
		}
		tried++
		for nudge := int64(-1); nudge <= 1; nudge++ {
			checkScaled(t, int256Of(new(big.Int).Add(n, big.NewInt(nudge))), k)
		}
	}
	if tried < rounds(20_000)/2 {
		t.Errorf("only %d ties tried", tried)
	}
}

func TestIntegerFloat64IsTheNearestDouble(t *testing.T) {
	r := newRand(t)
	check := func(a Int256) {
		t.Helper()
		want := scaledByBig(bigInt256(a), 0)
		if got := a.Float64(); !sameBits(got, want) {
			t.Fatalf("%v is %x, not %x", a, got, want)
		}
		if narrow, ok := a.Int128(); ok && !sameBits(narrow.Float64(), want) {
			t.Fatalf("Int128 %v is %x, not %x", a, narrow.Float64(), want)
		}
	}
	for range rounds(30_000) {
		check(randomInt256(r))
	}
	// Ties at every place, and one to either side.
	for place := range 200 {
		for _, m := range []uint64{1<<53 + 1, 1<<53 + 3, 1<<54 - 1} {
			n := new(big.Int).Lsh(new(big.Int).SetUint64(m), uint(place))
			for nudge := int64(-1); nudge <= 1; nudge++ {
				a := int256Of(new(big.Int).Add(n, big.NewInt(nudge)))
				check(a)
				a, _ = a.Neg()
				check(a)
			}
		}
	}
}
