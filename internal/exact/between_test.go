package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestBetween(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	var a, b Dyadic
	for round := range 5000 {
		if rng.IntN(2) == 0 {
			a.SetFloats(wideFloat(rng, 1<<rng.IntN(10)))
			b.SetFloats(wideFloat(rng, 1<<rng.IntN(10)))
		} else {
			a.SetWords([]uint64{rng.Uint64(), uint64(rng.Int64()) >> rng.IntN(64)})
			b.SetWords([]uint64{rng.Uint64(), uint64(int64(rng.Uint64()) >> rng.IntN(64))})
		}
		whole := max(1, rng.Uint64()>>rng.IntN(64))
		part, scale := rng.Uint64N(whole), rng.IntN(40)
		share := new(big.Rat).SetFrac(new(big.Int).SetUint64(part), new(big.Int).SetUint64(whole))
		want := new(big.Rat).Sub(b.rat(), a.rat())
		want.Add(want.Mul(want, share), a.rat())
		want.Quo(want, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)))
		nearest, _ := want.Float64()
		got := Between(&a, &b, part, whole, scale)
		if got != nearest || math.Signbit(got) != (want.Sign() < 0) {
			t.Fatalf("seed %d, round %d: %v and %v, %d/%d, scale %d: %v, want %v", seed, round, a.rat(), b.rat(), part, whole, scale,
				got, nearest)
		}
	}
	a.SetFloats(-1)
	b.SetFloats(1)
	if got := Between(&a, &b, 1, 2, 0); got != 0 || math.Signbit(got) {
		t.Errorf("halfway from -1 to 1 is %v", got)
	}
}
