package exact

import (
	"bytes"
	"math"
	"testing"
)

func TestProductSumIsTheNearestDouble(t *testing.T) {
	r := newRand(t)
	for range rounds(1_500) {
		specials := r.IntN(10) == 0
		as := floats(r, 1+r.IntN(20), specials)
		bs := floats(r, len(as), specials)
		if r.IntN(4) == 0 { // squares
			bs = as
		}
		var forward, backward, odd, even ProductSum
		var want oracle
		for i := range as {
			want.addProduct(as[i], bs[i])
			forward.AddProduct(as[i], bs[i])
			j := len(as) - 1 - i
			backward.AddProduct(bs[j], as[j])
			if i%2 == 0 {
				even.AddProduct(as[i], bs[i])
			} else {
				odd.AddProduct(as[i], bs[i])
			}
		}
		decoded, err := DecodeProductSum(odd.AppendBinary(nil))
		if err != nil {
			t.Fatal(err)
		}
		even.Merge(&decoded)
		if got, want := forward.Round(), want.round(); !sameBits(got, want) {
			t.Fatalf("Σ %x * %x = %x, not %x", as, bs, got, want)
		}
		wire := forward.AppendBinary(nil)
		for _, other := range []*ProductSum{&backward, &even} {
			if !sameBits(other.Round(), forward.Round()) || !bytes.Equal(other.AppendBinary(nil), wire) {
				t.Fatalf("another order of %x * %x: %x, not %x", as, bs, other.AppendBinary(nil), wire)
			}
		}
	}
}

func TestProductSumEdges(t *testing.T) {
	const tiny, most = math.SmallestNonzeroFloat64, math.MaxFloat64
	inf := math.Inf(1)
	for _, c := range []struct {
		products [][2]float64
		want     float64
	}{
		{nil, 0},
		{[][2]float64{{tiny, tiny}}, 0},
		{[][2]float64{{-tiny, tiny}}, math.Copysign(0, -1)},
		{[][2]float64{{tiny, tiny}, {tiny, -tiny}}, 0},
		{[][2]float64{{tiny, 0.5}}, 0}, // a tie, to even
		{[][2]float64{{tiny, 0.5}, {tiny, tiny}}, tiny},
		{[][2]float64{{tiny, 1.5}}, 2 * tiny},
		{[][2]float64{{tiny, 1.5}, {-tiny, tiny}}, tiny},
		{[][2]float64{{most, most}}, inf},
		{[][2]float64{{most, most}, {-most, most}, {3, 7}}, 21},
		{[][2]float64{{most, most}, {-most, most}, {tiny, 1}, {tiny, tiny}}, tiny},
		{[][2]float64{{1 + 0x1p-52, 1 + 0x1p-52}, {-1, 1 + 0x1p-51}}, 0x1p-104},
		{[][2]float64{{0, inf}}, NaN()},
		{[][2]float64{{-2, inf}}, -inf},
		{[][2]float64{{2, inf}, {-2, inf}}, NaN()},
		{[][2]float64{{math.NaN(), 0}}, NaN()},
		{[][2]float64{{0, -3}}, 0},
	} {
		var sum ProductSum
		for _, p := range c.products {
			sum.AddProduct(p[0], p[1])
		}
		if got := sum.Round(); !sameBits(got, c.want) {
			t.Errorf("Σ %x = %x, not %x", c.products, got, c.want)
		}
	}
}

func TestProductSumPassesCarriesInTime(t *testing.T) {
	x := 0x1.fffffffffffffp0
	var sum ProductSum
	for range 3 * maxPending {
		sum.AddProduct(x, x)
		sum.AddProduct(math.MaxFloat64, -math.MaxFloat64)
		sum.AddProduct(math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64)
		sum.Add(-x)
		sum.AddInt128(Int128FromInt64(-3))
		sum.AddInt128(Int128FromInt64(3))
		sum.Merge(new(ProductSum))
	}
	if sum.IsZero() {
		t.Fatal("zero")
	}
	for range 3 * maxPending {
		sum.AddProduct(-x, x)
		sum.AddProduct(-math.MaxFloat64, -math.MaxFloat64)
		sum.AddProduct(-math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat64)
		sum.Add(x)
	}
	if !sum.IsZero() {
		t.Errorf("does not cancel: %x", sum.AppendBinary(nil))
	}
	sum.Add(1)
	sum.Reset()
	if sum != (ProductSum{}) {
		t.Error("Reset leaves something")
	}
}

func TestProductSumHeadroom(t *testing.T) {
	var sum ProductSum
	sum.AddProduct(-math.MaxFloat64, math.MaxFloat64)
	want := bigOf(sum.limbs[:])
	for doublings := 0; doublings <= 62+60; doublings++ {
		if _, err := DecodeProductSum(sum.AppendBinary(nil)); (err == nil) != (doublings <= 62) {
			t.Fatalf("2^%d of the largest: decoded with %v", doublings, err)
		}
		if bigOf(sum.limbs[:]).Cmp(want) != 0 {
			t.Fatalf("2^%d of the largest went wrong", doublings)
		}
		sum.Merge(&sum)
		want.Lsh(want, 1)
	}
}
