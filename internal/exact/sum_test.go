package exact

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"
)

func sumOf(xs ...float64) *Sum {
	s := new(Sum)
	for _, x := range xs {
		s.Add(x)
	}
	return s
}

// mergeTree sums xs over a random tree: leaves of any size, empty ones too.
func mergeTree(r *rand.Rand, xs []float64) *Sum {
	if len(xs) < 2 || r.IntN(4) == 0 {
		return sumOf(xs...)
	}
	cut := r.IntN(len(xs) + 1)
	left, right := mergeTree(r, xs[:cut]), mergeTree(r, xs[cut:])
	if r.IntN(4) == 0 { // over the wire
		decoded, err := DecodeSum(right.AppendBinary(nil))
		if err != nil {
			panic(err)
		}
		right = &decoded
	}
	left.Merge(right)
	return left
}

// TestSumIsTheNearestDouble compares with math/big, and every order and every
// merge tree with the first: bits and bytes.
func TestSumIsTheNearestDouble(t *testing.T) {
	r := newRand(t)
	for range rounds(2_000) {
		xs := floats(r, r.IntN(40), r.IntN(10) == 0)
		var want oracle
		for _, x := range xs {
			want.add(x)
		}
		sum := sumOf(xs...)
		if got, want := sum.Round(), want.round(); !sameBits(got, want) {
			t.Fatalf("sum of %x = %x, not %x", xs, got, want)
		}
		wire := sum.AppendBinary(nil)
		for range 3 {
			r.Shuffle(len(xs), func(i, j int) { xs[i], xs[j] = xs[j], xs[i] })
			other := mergeTree(r, xs)
			if !sameBits(other.Round(), sum.Round()) || !bytes.Equal(other.AppendBinary(nil), wire) {
				t.Fatalf("another tree over %x: %x and %x", xs, other.AppendBinary(nil), wire)
			}
		}
		for _, x := range xs {
			sum.Add(-x)
		}
		if special := want.plus || want.minus || want.noNum; sum.IsZero() == special {
			t.Fatalf("%x less itself: zero is %v", xs, sum.IsZero())
		}
	}
}

func TestSumHalfwayCases(t *testing.T) {
	const tiny, most = math.SmallestNonzeroFloat64, math.MaxFloat64
	inf := math.Inf(1)
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{[]float64{1, 0x1p-53}, 1}, // a tie, to even
		{[]float64{1, 0x1p-53, tiny}, 1 + 0x1p-52},
		{[]float64{1, 0x1p-53, -tiny}, 1},
		{[]float64{1 + 0x1p-52, 0x1p-53}, 1 + 0x1p-51}, // a tie, to even
		{[]float64{1 + 0x1p-52, 0x1p-53, -tiny}, 1 + 0x1p-52},
		{[]float64{2, -0x1p-53}, 2},
		{[]float64{2, -0x1p-53, -tiny}, 2 - 0x1p-52},
		{[]float64{-1, -0x1p-53, -tiny}, -1 - 0x1p-52},
		{[]float64{0x1p53, 1}, 0x1p53},
		{[]float64{0x1p53, 1, 0x1p-1000}, 0x1p53 + 2},
		{[]float64{most, 0x1p969}, most},
		{[]float64{most, 0x1p970}, inf}, // a tie: IEEE 754 rounds to infinity
		{[]float64{most, 0x1p970, -tiny}, most},
		{[]float64{-most, -0x1p970}, -inf},
		{[]float64{-most, -0x1p970, tiny}, -most},
		{[]float64{most, most, -most}, most},
		{[]float64{most, most, most, -most, -most, -most, tiny}, tiny},
		{[]float64{most, most}, inf},
		{[]float64{tiny, tiny}, 2 * tiny},
		{[]float64{0x1p-1022, -tiny}, 0x0.fffffffffffffp-1022},
		{[]float64{0x0.fffffffffffffp-1022, tiny}, 0x1p-1022},
		{[]float64{1, 1e100, 1, -1e100}, 2},
		{nil, 0},
		{[]float64{math.Copysign(0, -1)}, 0},
		{[]float64{5, -5}, 0},
		{[]float64{inf, -most, 1}, inf},
		{[]float64{-inf, most}, -inf},
		{[]float64{inf, -inf}, NaN()},
		{[]float64{math.NaN(), inf, 3}, NaN()},
		{[]float64{math.Float64frombits(0xfff0000000000001)}, NaN()},
	} {
		if got := sumOf(c.xs...).Round(); !sameBits(got, c.want) {
			t.Errorf("sum of %x = %x, not %x", c.xs, got, c.want)
		}
	}
}

// TestSumBreaksTiesFromAnyDistance: one bit, at any place of any limb, decides a
// tie either way.
func TestSumBreaksTiesFromAnyDistance(t *testing.T) {
	for place := range 2 * limbBits {
		one := math.Ldexp(1, place)
		for distance := 54; distance < 54+4*limbBits; distance++ {
			bit := math.Ldexp(one, -distance)
			if got, want := sumOf(one, one*0x1p-53, bit).Round(), one*(1+0x1p-52); got != want {
				t.Fatalf("%x and a half and %x = %x, not %x", one, bit, got, want)
			}
			if got := sumOf(one, one*0x1p-53, -bit).Round(); got != one {
				t.Fatalf("%x and a half less %x = %x", one, bit, got)
			}
			if got, want := sumOf(-one, -one*0x1p-53, -bit).Round(), -one*(1+0x1p-52); got != want {
				t.Fatalf("-%x and a half and %x = %x, not %x", one, bit, got, want)
			}
		}
	}
}

// TestSumPassesCarriesInTime adds the doubles that fill a limb fastest, past
// every carry, in both directions.
func TestSumPassesCarriesInTime(t *testing.T) {
	const count = 5*maxPending + 7
	for shift := range 33 {
		for _, sign := range []float64{1, -1} {
			x := sign * math.Ldexp(0x1.fffffffffffffp0, shift)
			var sum Sum
			for range count {
				sum.Add(x)
			}
			want := oracle{}
			want.finite.Mul(units(x), big.NewInt(count))
			if got, want := sum.Round(), want.round(); got != want {
				t.Errorf("%d times %x = %x, not %x", count, x, got, want)
			}
			for range count {
				sum.Add(-x)
			}
			if !sum.IsZero() {
				t.Errorf("%d times %x does not cancel", count, x)
			}
			// All kinds of addition share the count.
			var ints Sum
			for range count {
				ints.AddInt128(Int128{Hi: math.MaxInt64, Lo: math.MaxUint64})
				ints.Merge(&Sum{limbs: [sumLimbs]int64{30: limbMask, 40: limbMask}})
				ints.Add(x)
			}
			for range count {
				ints.AddInt128(Int128{Hi: -math.MaxInt64 - 1, Lo: 1})
				ints.Merge(&Sum{limbs: [sumLimbs]int64{30: -limbMask, 40: -limbMask}})
				ints.Add(-x)
			}
			if !ints.IsZero() {
				t.Errorf("%x and integers do not cancel", x)
			}
		}
	}
}

// TestSumHeadroom doubles the largest double up to 2^62 of them, which must be
// right and travel, and on to the end of the last limb, which must stay right.
func TestSumHeadroom(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		sum := sumOf(sign * math.MaxFloat64)
		want := units(sign * math.MaxFloat64)
		for doublings := 0; doublings <= 62+46; doublings++ {
			if got := sum.Round(); doublings > 0 && got != math.Inf(int(sign)) {
				t.Fatalf("2^%d of the largest round to %v", doublings, got)
			}
			if _, err := DecodeSum(sum.AppendBinary(nil)); (err == nil) != (doublings <= 62) {
				t.Fatalf("2^%d of the largest: decoded with %v", doublings, err)
			}
			if bigOf(sum.limbs[:]).Cmp(new(big.Int).Rsh(want, minExponent-oracleUnit)) != 0 {
				t.Fatalf("2^%d of the largest went wrong", doublings)
			}
			sum.Merge(sum)
			want.Lsh(want, 1)
		}
	}
}

// bigOf reads limbs of any form, the slow way.
func bigOf(f fixedPoint) *big.Int {
	n := new(big.Int)
	for i := len(f) - 1; i >= 0; i-- {
		n.Lsh(n, limbBits).Add(n, big.NewInt(f[i]))
	}
	return n
}

func TestSumOfIntegersAmongFloats(t *testing.T) {
	r := newRand(t)
	for range rounds(1_500) {
		var sum Sum
		var want oracle
		for range 1 + r.IntN(20) {
			switch r.IntN(3) {
			case 0:
				v := randomInt128(r)
				sum.AddInt128(v)
				want.addInt(bigInt128(v))
			case 1:
				x := float(r)
				sum.Add(x)
				want.add(x)
			case 2:
				p := randomPair(r)
				sum.AddPair(p[0], p[1])
				want.add(p[0])
				want.add(p[1])
			}
		}
		if got, want := sum.Round(), want.round(); !sameBits(got, want) {
			t.Fatalf("%x rounds to %x, not %x", sum.AppendBinary(nil), got, want)
		}
	}
}

// TestSumLivesAnywhere: flat, of the stated size, cleared by zeroing.
func TestSumLivesAnywhere(t *testing.T) {
	if got := unsafe.Sizeof(Sum{}); got != SumSize {
		t.Errorf("a Sum has %d bytes, SumSize says %d", got, SumSize)
	}
	if got := unsafe.Sizeof(ProductSum{}); got != ProductSumSize {
		t.Errorf("a ProductSum has %d bytes, ProductSumSize says %d", got, ProductSumSize)
	}
	for _, v := range []any{Sum{}, ProductSum{}, Int128{}, Int256{}} {
		requireFlat(t, reflect.TypeOf(v))
	}
	sum := sumOf(1, 2, math.NaN())
	sum.Reset()
	if *sum != (Sum{}) || !sum.IsZero() || !sameBits(sum.Round(), 0) {
		t.Error("Reset leaves something")
	}
}

func requireFlat(t *testing.T, of reflect.Type) {
	t.Helper()
	switch of.Kind() {
	case reflect.Struct:
		for i := range of.NumField() {
			requireFlat(t, of.Field(i).Type)
		}
	case reflect.Array:
		requireFlat(t, of.Elem())
	case reflect.Int64, reflect.Uint64, reflect.Uint32:
	default:
		t.Errorf("%v is not flat", of)
	}
}

func TestReadingASumLeavesIt(t *testing.T) {
	sum := sumOf(1e300, -1, 3e-310, 7)
	before := *sum
	sum.Round()
	sum.IsZero()
	sum.Pair()
	sum.AppendBinary(nil)
	new(Sum).Merge(sum)
	if *sum != before {
		t.Error("a reading method changed the sum")
	}
}

func TestIsZero(t *testing.T) {
	for _, xs := range [][]float64{{math.Inf(1)}, {math.NaN()}, {5e-324}, {1e308, 1e308}} {
		if sumOf(xs...).IsZero() {
			t.Errorf("the sum of %v is zero", xs)
		}
	}
	if !sumOf(1e308, 3, -1e308, -3).IsZero() {
		t.Error("a sum that cancels is not zero")
	}
}

func TestMean(t *testing.T) {
	for _, c := range []struct {
		sum   float64
		count int64
		want  float64
	}{
		{1, 3, 1.0 / 3},
		{0, 5, 0},
		{-7, 2, -3.5},
		{math.Inf(1), 4, math.Inf(1)},
		{5e-324, 2, 0},
		{math.NaN(), 1, NaN()},
		{0, 0, NaN()},
		{1, 0, NaN()},
		{1, math.MaxInt64, 0x1p-63},
		{-5e-324, 3, 0},
	} {
		if got := Mean(c.sum, c.count); !sameBits(got, c.want) {
			t.Errorf("Mean(%v, %d) = %v, not %v", c.sum, c.count, got, c.want)
		}
	}
}
