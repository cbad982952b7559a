package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// rat is the dyadic as math/big's own rational.
func (d *Dyadic) rat() *big.Rat {
	r := new(big.Rat).SetInt(&d.m)
	two := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(d.exponent, -d.exponent))))
	if d.exponent < 0 {
		return r.Quo(r, two)
	}
	return r.Mul(r, two)
}

func wideFloat(rng *rand.Rand, spread int) float64 {
	return math.Ldexp(rng.Float64()-0.5, rng.IntN(2*spread+1)-spread)
}

func TestDyadicOfEverySum(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	var d Dyadic
	for round := range 2000 {
		x, y := wideFloat(rng, 1<<rng.IntN(10)), wideFloat(rng, 1<<rng.IntN(10))
		var s Sum
		var p ProductSum
		s.AddPair(x, y)
		p.AddProduct(x, y)
		sum := new(big.Rat).Add(new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y))
		product := new(big.Rat).Mul(new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y))
		if !s.Dyadic(&d) || d.rat().Cmp(sum) != 0 {
			t.Fatalf("seed %d, round %d: sum of %v and %v is %v", seed, round, x, y, d.rat())
		}
		if d.SetFloats(x, 0, y); d.rat().Cmp(sum) != 0 {
			t.Fatalf("seed %d, round %d: %v and %v are %v", seed, round, x, y, d.rat())
		}
		if !p.Dyadic(&d) || d.rat().Cmp(product) != 0 {
			t.Fatalf("seed %d, round %d: product of %v and %v is %v", seed, round, x, y, d.rat())
		}
		w := []uint64{rng.Uint64(), rng.Uint64() >> rng.IntN(64), rng.Uint64(), uint64(rng.Int64()) << 63}
		w[3] = uint64(int64(w[3]) >> 63)
		if d.SetWords(w); d.rat().Num().Cmp(Int256(w).Decimal().BigInt()) != 0 {
			t.Fatalf("seed %d, round %d: words %x are %v", seed, round, w, d.rat())
		}
	}
	var s Sum
	s.Add(math.Inf(1))
	if s.Dyadic(&d) {
		t.Error("an infinite sum is finite")
	}
	if s.Reset(); !s.Dyadic(&d) || !d.IsZero() {
		t.Error("an empty sum is not zero")
	}
}

func TestQuotientIsNearest(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for round := range 3000 {
		spread := 1 << rng.IntN(11)
		var a, b Dyadic
		a.SetFloats(wideFloat(rng, spread), wideFloat(rng, spread))
		b.SetFloats(wideFloat(rng, spread), wideFloat(rng, spread))
		if rng.IntN(4) == 0 { // halfway cases
			a.SetWords([]uint64{rng.Uint64()>>10 | 1, 0})
			b.SetFloats(math.Ldexp(1, rng.IntN(1000)))
		}
		if b.IsZero() {
			continue
		}
		scale := rng.IntN(81) - 40
		want := new(big.Rat).Quo(a.rat(), b.rat())
		power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil))
		if scale > 0 {
			want.Quo(want, power)
		} else {
			want.Mul(want, power)
		}
		nearest, _ := want.Float64()
		if got := Quotient(&a, &b, scale); got != nearest {
			t.Fatalf("seed %d, round %d: %v, want %v", seed, round, got, nearest)
		}
	}
}

// TestExpansionIsExactOrRefuses: what it takes is there to the last bit.
func TestExpansionIsExactOrRefuses(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 2))
	refused := 0
	for round := range 300 {
		var e Expansion
		var s ProductSum
		spread := 1 << rng.IntN(10)
		for range 100 {
			x := wideFloat(rng, spread)
			p, low, ok := TwoProduct(x, x)
			if !ok {
				continue
			}
			for _, term := range []float64{p, low} {
				before := e
				if !e.Add(term) {
					refused++
					if e != before {
						t.Fatalf("seed %d, round %d: changed though refused", seed, round)
					}
					continue
				}
				s.Add(term)
			}
		}
		var got, want Dyadic
		got.SetFloats(e[:]...)
		s.Dyadic(&want)
		if got.rat().Cmp(want.rat()) != 0 {
			t.Fatalf("seed %d, round %d: not the same sum", seed, round)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	e := Expansion{1, 0x1p-60}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if before := e; e.Add(x) || e != before {
			t.Errorf("took %v", x)
		}
	}
	e = Expansion{math.MaxFloat64}
	if before := e; e.Add(math.MaxFloat64) || e != before {
		t.Errorf("took an overflow: %v", e)
	}
}

// TestExpansionHoldsSquaresOfOrdinaryColumns: no promotion where magnitudes
// differ by a factor of a million.
func TestExpansionHoldsSquaresOfOrdinaryColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	var e Expansion
	for i := range 100_000 {
		x := math.Exp(14 * rng.Float64())
		p, low, _ := TwoProduct(x, x)
		if !e.Add(p) || !e.Add(low) {
			t.Fatalf("refused square %d", i)
		}
	}
}

func TestMoments(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 4))
	for round := range 500 {
		n := 1 + rng.IntN(20)
		var s Sum
		var q ProductSum
		sum, squares := new(big.Rat), new(big.Rat)
		spread := 1 << rng.IntN(10)
		for range n {
			x := 1e9 + wideFloat(rng, spread)
			s.Add(x)
			q.AddProduct(x, x)
			r := new(big.Rat).SetFloat64(x)
			sum.Add(sum, r)
			squares.Add(squares, new(big.Rat).Mul(r, r))
		}
		m := Moments{Count: uint64(n)}
		s.Dyadic(&m.Sum)
		q.Dyadic(&m.Squares)
		for _, sample := range []bool{false, true} {
			below := n
			if sample {
				below--
			}
			if below == 0 {
				continue
			}
			scale := rng.IntN(9) - 4
			want := new(big.Rat).Mul(squares, big.NewRat(int64(n), 1))
			want.Sub(want, new(big.Rat).Mul(sum, sum))
			want.Quo(want, big.NewRat(int64(n)*int64(below), 1))
			for range 2 * max(scale, -scale) {
				if scale > 0 {
					want.Quo(want, big.NewRat(10, 1))
				} else {
					want.Mul(want, big.NewRat(10, 1))
				}
			}
			variance, _ := want.Float64()
			if got := m.Variance(sample, scale); got != variance {
				t.Fatalf("seed %d, round %d: variance %v, want %v", seed, round, got, variance)
			}
			if got := m.Deviation(sample, scale); !nearestRoot(got, want) {
				t.Fatalf("seed %d, round %d: deviation %v of variance %v", seed, round, got, want)
			}
		}
	}
}

// nearestRoot: the squares of the middles to both neighbours enclose v.
func nearestRoot(root float64, v *big.Rat) bool {
	middle := func(to float64) *big.Rat {
		m := new(big.Rat).Add(new(big.Rat).SetFloat64(root), new(big.Rat).SetFloat64(to))
		m.Quo(m, big.NewRat(2, 1))
		return m.Mul(m, m)
	}
	if v.Sign() == 0 {
		return root == 0
	}
	return root > 0 && middle(math.Nextafter(root, 0)).Cmp(v) <= 0 &&
		middle(math.Nextafter(root, math.Inf(1))).Cmp(v) >= 0
}
