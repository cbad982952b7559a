package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// oracle sums by math/big, in units of 2^-2148, with no idea of limbs.
type oracle struct {
	finite             big.Int
	plus, minus, noNum bool
}

const oracleUnit = -2148

// units is x in units of 2^oracleUnit, for finite x.
func units(x float64) *big.Int {
	f := new(big.Float).SetFloat64(x)
	f.SetMantExp(f, -oracleUnit)
	n, accuracy := f.Int(nil)
	if accuracy != big.Exact {
		panic("a double that is no multiple of the unit")
	}
	return n
}

func (o *oracle) add(x float64) {
	switch {
	case math.IsNaN(x):
		o.noNum = true
	case math.IsInf(x, 1):
		o.plus = true
	case math.IsInf(x, -1):
		o.minus = true
	default:
		o.finite.Add(&o.finite, units(x))
	}
}

func (o *oracle) addProduct(a, b float64) {
	if a-a != 0 || b-b != 0 {
		o.add(float64(a * b))
		return
	}
	n := new(big.Int).Mul(units(a), units(b))
	o.finite.Add(&o.finite, n.Rsh(n, -oracleUnit)) // no bit is lost
}

func (o *oracle) addInt(v *big.Int) {
	o.finite.Add(&o.finite, new(big.Int).Lsh(v, -oracleUnit))
}

func (o *oracle) round() float64 {
	switch {
	case o.noNum || o.plus && o.minus:
		return NaN()
	case o.plus:
		return math.Inf(1)
	case o.minus:
		return math.Inf(-1)
	}
	return nearest(&o.finite)
}

// nearest is the double nearest to n units.
func nearest(n *big.Int) float64 {
	f := new(big.Float).SetPrec(uint(n.BitLen() + 1)).SetInt(n)
	x, _ := f.SetMantExp(f, oracleUnit).Float64()
	return x
}

// fitsPair says whether n units are two doubles: the nearest and the rest.
func fitsPair(n *big.Int) bool {
	hi := nearest(n)
	if math.IsInf(hi, 0) {
		return false
	}
	rest := new(big.Int).Sub(n, units(hi))
	return units(nearest(rest)).Cmp(rest) == 0
}

// sameBits is equality that tells zeros and NaNs apart.
func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// newRand logs its seed; EXACT_SEED repeats a run.
func newRand(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	if text := os.Getenv("EXACT_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d (EXACT_SEED repeats it)", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// rounds is how often a property is tried.
func rounds(full int) int {
	if testing.Short() {
		return full / 10
	}
	return full
}

// extremes are doubles at the edges of something.
var extremes = []float64{
	0, math.Copysign(0, -1), 1, -1, 0x1p53, 0x1p53 + 2, 0x1p-53, 0x1p-54, 1 + 0x1p-52, 1 - 0x1p-53,
	math.MaxFloat64, -math.MaxFloat64, 0x1p1023, 0x1p970, 0x1p969, -0x1p970, 0x1.fffffffffffffp969,
	math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 0x0.fffffffffffffp-1022,
	0x1p-1021, 0x1.8p-1022, 0x1p-537, 0x1.fffffffffffffp-538, 0x1p-968, 0x1p-969, 0x1p-970, 0x1p511, 0x1p512,
}

// float draws a finite double: any bits, or of few exponents, or with a short
// mantissa so that ties and cancellations happen, or an extreme.
func float(r *rand.Rand) float64 {
	for {
		b := r.Uint64()
		switch r.IntN(8) {
		case 0:
			return extremes[r.IntN(len(extremes))]
		case 1: // around 1
			b = b&^(exponentMask<<mantissaBits) | uint64(1013+r.IntN(20))<<mantissaBits
		case 2: // wider than a double's precision, narrower than a pair's
			b = b&^(exponentMask<<mantissaBits) | uint64(973+r.IntN(100))<<mantissaBits
		case 3: // one to four bits
			b &= ^uint64(mantissaMask) | 1<<r.IntN(52) | 1<<r.IntN(52) | 1<<r.IntN(52)
		case 4: // long carries
			b |= mantissaMask &^ (1<<r.IntN(52) - 1)
		case 5: // subnormal, or nearly
			b = b&^(exponentMask<<mantissaBits) | uint64(r.IntN(3))<<mantissaBits
		}
		if x := math.Float64frombits(b); x-x == 0 {
			return x
		}
	}
}

// floats draws a list with all that makes sums hard: cancelling twins, near
// halfway cases and now and then, if asked for, infinities and NaNs.
func floats(r *rand.Rand, n int, specials bool) []float64 {
	xs := make([]float64, 0, n+3)
	for len(xs) < n {
		x := float(r)
		xs = append(xs, x)
		switch r.IntN(8) {
		case 0:
			xs = append(xs, -x)
		case 1: // half a unit in the last place, and a nudge
			ulp := math.Nextafter(math.Abs(x), math.Inf(1)) - math.Abs(x)
			if half := ulp / 2; half-half == 0 {
				xs = append(xs, half, math.Copysign(math.SmallestNonzeroFloat64, float64(r.IntN(2))-0.5))
			}
		}
	}
	if specials {
		for _, s := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), -math.NaN()} {
			if r.IntN(8) == 0 {
				xs = append(xs, s)
			}
		}
	}
	r.Shuffle(len(xs), func(i, j int) { xs[i], xs[j] = xs[j], xs[i] })
	return xs
}
