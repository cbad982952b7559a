package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func pairUnits(hi, lo float64) *big.Int { return new(big.Int).Add(units(hi), units(lo)) }

// TestAddPairIsExactAsLongAsItSaysSo: pair and rounding equal math/big's
// rounding of math/big's sum, and a refused x has changed nothing.
func TestAddPairIsExactAsLongAsItSaysSo(t *testing.T) {
	r := newRand(t)
	var taken, refused int
	for range rounds(2_000) {
		var hi, lo float64
		var want oracle
		for _, x := range floats(r, 1+r.IntN(20), false) {
			h, l, ok := AddPair(hi, lo, x)
			if !ok {
				refused++
				if !sameBits(h, hi) || !sameBits(l, lo) {
					t.Fatalf("AddPair(%x, %x, %x) refused and returned %x, %x", hi, lo, x, h, l)
				}
				sum := new(big.Int).Add(pairUnits(hi, lo), units(x))
				far := max(math.Abs(x), math.Abs(hi), math.Abs(lo), math.Abs(nearest(sum))) >= 0x1p1022
				if !far && fitsPair(sum) && !nearlyTie(sum) {
					t.Fatalf("AddPair(%x, %x, %x) refused what two doubles hold", hi, lo, x)
				}
				continue
			}
			taken++
			want.add(x)
			hi, lo = h, l
			if got := pairUnits(hi, lo); got.Cmp(&want.finite) != 0 {
				t.Fatalf("after %x the pair %x, %x is not the sum", x, hi, lo)
			}
			if got, want := RoundPair(hi, lo), want.round(); !sameBits(got, want) {
				t.Fatalf("RoundPair(%x, %x) = %x, not %x", hi, lo, got, want)
			}
		}
	}
	if taken < rounds(2_000) || refused < rounds(2_000) {
		t.Errorf("%d additions taken, %d refused: the test does not reach both sides", taken, refused)
	}
}

// nearlyTie says whether n units lie half-way between two doubles but for less
// than a double could tell.
func nearlyTie(n *big.Int) bool {
	hi := nearest(n)
	rest := new(big.Int).Sub(n, units(hi))
	unit := math.Nextafter(math.Abs(hi), math.Inf(1)) - math.Abs(hi)
	gap := new(big.Int).Sub(units(unit), rest.Lsh(rest.Abs(rest), 1))
	return gap.Lsh(gap.Abs(gap), 51).Cmp(units(unit)) <= 0
}

// TestAddPairHoldsOrdinaryValues: prices, latencies and byte counts must not be
// promoted, or the fast path would be none.
func TestAddPairHoldsOrdinaryValues(t *testing.T) {
	r := newRand(t)
	for name, draw := range map[string]func() float64{
		"uniform":   r.Float64,
		"cents":     func() float64 { return float64(r.IntN(1_000_000)) / 100 },
		"signed":    func() float64 { return r.NormFloat64() * 1e6 },
		"lognormal": func() float64 { return math.Exp(r.NormFloat64() * 2) },
		"bytes":     func() float64 { return float64(r.Uint64() >> 12) },
		"float32":   func() float64 { return float64(r.Float32()) },
	} {
		var hi, lo float64
		var sum Sum
		for range 100_000 {
			x := draw()
			var ok bool
			if hi, lo, ok = AddPair(hi, lo, x); !ok {
				t.Errorf("%s: refused %v", name, x)
				break
			}
			sum.Add(x)
		}
		if got, want := RoundPair(hi, lo), sum.Round(); !sameBits(got, want) {
			t.Errorf("%s: pair %v, accumulator %v", name, got, want)
		}
	}
}

func TestAddPairRefusesSpecialsAndOverflow(t *testing.T) {
	for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		for _, hi := range []float64{0, 1, math.MaxFloat64, -math.MaxFloat64} {
			if h, l, ok := AddPair(hi, 0, x); ok || h != hi || l != 0 {
				t.Errorf("AddPair(%v, 0, %v) = %v, %v, %v", hi, x, h, l, ok)
			}
		}
	}
	const most = math.MaxFloat64
	if h, l, ok := AddPair(most, 0, most); ok || h != most || l != 0 {
		t.Errorf("the largest double twice: %v, %v, %v", h, l, ok)
	}
	// Refused though the pair could hold it only by luck of order is fine;
	// taken but wrong is not.
	if h, l, ok := AddPair(most, 0x1p969, -0x1p969); ok && (pairUnits(h, l).Cmp(units(most)) != 0) {
		t.Errorf("the largest double and a nudge: %v, %v", h, l)
	}
}

func TestMergePair(t *testing.T) {
	r := newRand(t)
	var taken int
	for range rounds(30_000) {
		a, b := randomPair(r), randomPair(r)
		h, l, ok := MergePair(a[0], a[1], b[0], b[1])
		if !ok {
			if !sameBits(h, a[0]) || !sameBits(l, a[1]) {
				t.Fatalf("MergePair(%x, %x) refused and returned %x, %x", a, b, h, l)
			}
			continue
		}
		taken++
		want := new(big.Int).Add(pairUnits(a[0], a[1]), pairUnits(b[0], b[1]))
		if pairUnits(h, l).Cmp(want) != 0 || !sameBits(RoundPair(h, l), nearest(want)) {
			t.Fatalf("MergePair(%x, %x) = %x, %x", a, b, h, l)
		}
	}
	if taken < rounds(30_000)/100 {
		t.Errorf("only %d merges taken", taken)
	}
}

// randomPair draws pairs in and out of normal form.
func randomPair(r *rand.Rand) [2]float64 {
	hi := float(r)
	if r.IntN(2) == 0 {
		return [2]float64{hi, float(r)}
	}
	return [2]float64{hi, math.Ldexp(hi, -r.IntN(110)) * (r.Float64() - 0.5)}
}

// TestCanonicalPair: one value, one pair of bits, from a pair or from a Sum.
func TestCanonicalPair(t *testing.T) {
	r := newRand(t)
	var held int
	for range rounds(20_000) {
		p := randomPair(r)
		var sum Sum
		sum.AddPair(p[0], p[1])
		h1, l1, ok1 := CanonicalPair(p[0], p[1])
		h2, l2, ok2 := sum.Pair()
		if ok1 != ok2 || ok1 && !(sameBits(h1, h2) && sameBits(l1, l2)) {
			t.Fatalf("%x: CanonicalPair %x, %x, %v; Sum.Pair %x, %x, %v", p, h1, l1, ok1, h2, l2, ok2)
		}
		if ok1 {
			held++
			if pairUnits(h1, l1).Cmp(pairUnits(p[0], p[1])) != 0 || !sameBits(h1, RoundPair(p[0], p[1])) {
				t.Fatalf("CanonicalPair(%x) = %x, %x", p, h1, l1)
			}
		}
	}
	if held < rounds(20_000)/50 {
		t.Errorf("only %d values fit", held)
	}
	for _, p := range [][2]float64{{math.MaxFloat64, math.MaxFloat64}, {math.Inf(1), 0}, {math.NaN(), 1}} {
		if _, _, ok := CanonicalPair(p[0], p[1]); ok {
			t.Errorf("CanonicalPair(%v) is ok", p)
		}
	}
}

// TestSumPairRefuses: what is no two doubles is no pair.
func TestSumPairRefuses(t *testing.T) {
	r := newRand(t)
	var fit int
	for range rounds(20_000) {
		var sum Sum
		var want oracle
		for _, x := range floats(r, 1+r.IntN(4), false) {
			sum.Add(x)
			want.add(x)
		}
		hi, lo, ok := sum.Pair()
		if ok != fitsPair(&want.finite) {
			t.Fatalf("Pair of %x: %v", sum.AppendBinary(nil), ok)
		}
		if ok {
			fit++
			if pairUnits(hi, lo).Cmp(&want.finite) != 0 {
				t.Fatalf("Pair of %x = %x, %x", sum.AppendBinary(nil), hi, lo)
			}
		}
	}
	if edge := rounds(20_000) / 40; fit < edge || fit > rounds(20_000)-edge {
		t.Errorf("%d of %d fit: the test does not reach both sides", fit, rounds(20_000))
	}
	var nan Sum
	nan.Add(math.NaN())
	if _, _, ok := nan.Pair(); ok {
		t.Error("NaN is a pair")
	}
}

func TestRoundPairZeros(t *testing.T) {
	minusZero := math.Copysign(0, -1)
	for _, p := range [][2]float64{{0, 0}, {minusZero, minusZero}, {1, -1}, {minusZero, 0}, {-5e-324, 5e-324}} {
		if got := RoundPair(p[0], p[1]); !sameBits(got, 0) {
			t.Errorf("RoundPair(%v) = %v", p, got)
		}
	}
	if got := RoundPair(math.NaN(), 0); !sameBits(got, NaN()) {
		t.Errorf("NaN comes out as %x", math.Float64bits(got))
	}
}

func TestPairFromIntegers(t *testing.T) {
	r := newRand(t)
	vs := []uint64{0, 1, 1<<63 - 1, 1 << 63, 1<<64 - 1, 1<<53 + 1, 1<<32 - 1, 1 << 32}
	for range 10_000 {
		vs = append(vs, r.Uint64()>>r.IntN(64))
	}
	for _, v := range vs {
		want := new(big.Int).Lsh(new(big.Int).SetUint64(v), -oracleUnit)
		if hi, lo := PairFromUint64(v); pairUnits(hi, lo).Cmp(want) != 0 {
			t.Fatalf("PairFromUint64(%d) = %v, %v", v, hi, lo)
		}
		want.Lsh(big.NewInt(int64(v)), -oracleUnit)
		if hi, lo := PairFromInt64(int64(v)); pairUnits(hi, lo).Cmp(want) != 0 {
			t.Fatalf("PairFromInt64(%d) = %v, %v", int64(v), hi, lo)
		}
	}
}
