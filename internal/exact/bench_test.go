package exact

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Benchmarks report ns/op per value added, over 4,096 values drawn with a fixed
// seed.

const benchValues = 4096

var (
	benchFloat float64
	benchInt   Int128
)

func draw(f func(r *rand.Rand) float64) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	xs := make([]float64, benchValues)
	for i := range xs {
		xs[i] = f(r)
	}
	return xs
}

var benchInputs = []struct {
	name string
	xs   []float64
}{
	{"values=uniform", draw((*rand.Rand).Float64)},
	{"values=normal", draw((*rand.Rand).NormFloat64)},
	{"values=wide", draw(func(r *rand.Rand) float64 {
		return math.Ldexp(r.Float64()-0.5, r.IntN(1200)-600)
	})},
}

func BenchmarkStepPair(b *testing.B) {
	xs := benchInputs[0].xs
	var hi, lo, loss float64
	for i := 0; b.Loop(); i++ {
		if hi, lo, loss = StepPair(hi, lo, xs[i%benchValues]); loss != 0 {
			b.Fatal("loss")
		}
	}
	benchFloat = RoundPair(hi, lo)
}

// BenchmarkAddPair adds to groups in turn, as an engine does: the next addition
// need not wait for the last one.
func BenchmarkAddPair(b *testing.B) {
	for _, in := range benchInputs[:2] {
		for _, groups := range []int{1, 64} {
			b.Run(in.name+"/groups="+map[int]string{1: "1", 64: "64"}[groups], func(b *testing.B) {
				pairs := make([][2]float64, groups)
				for i := 0; b.Loop(); i++ {
					p := &pairs[i%groups]
					var ok bool
					if p[0], p[1], ok = AddPair(p[0], p[1], in.xs[i%benchValues]); !ok {
						b.Fatal("refused")
					}
				}
				benchFloat = RoundPair(pairs[0][0], pairs[0][1])
			})
		}
	}
}

func BenchmarkSumAdd(b *testing.B) {
	for _, in := range benchInputs {
		b.Run(in.name, func(b *testing.B) {
			var sum Sum
			for i := 0; b.Loop(); i++ {
				sum.Add(in.xs[i%benchValues])
			}
			benchFloat = sum.Round()
		})
	}
}

func BenchmarkAddProduct(b *testing.B) {
	for _, in := range benchInputs {
		b.Run(in.name, func(b *testing.B) {
			var sum ProductSum
			for i := 0; b.Loop(); i++ {
				sum.AddProduct(in.xs[i%benchValues], in.xs[(i+7)%benchValues])
			}
			benchFloat = sum.Round()
		})
	}
}

func BenchmarkSumMerge(b *testing.B) {
	sum, other := new(Sum), sumOf(benchInputs[2].xs...)
	for b.Loop() {
		sum.Merge(other)
	}
	benchFloat = sum.Round()
}

func BenchmarkSumRound(b *testing.B) {
	sum := sumOf(benchInputs[2].xs...)
	for b.Loop() {
		benchFloat = sum.Round()
	}
}

func BenchmarkSumBinary(b *testing.B) {
	sum := sumOf(benchInputs[2].xs...)
	var wire []byte
	for b.Loop() {
		wire = sum.AppendBinary(wire[:0])
		if _, err := DecodeSum(wire); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInt128AddInt64(b *testing.B) {
	var sum Int128
	for i := int64(0); b.Loop(); i++ {
		var overflow bool
		if sum, overflow = sum.AddInt64(i - 1000); overflow {
			b.Fatal("overflow")
		}
	}
	benchInt = sum
}

func BenchmarkInt128Float64(b *testing.B) {
	v := Int128{Hi: 123456789, Lo: 987654321}
	for b.Loop() {
		benchFloat = v.Float64()
	}
}

func BenchmarkInt128Float64Scaled(b *testing.B) {
	for name, v := range map[string]Int128{"digits=15": {Lo: 123456789012345}, "digits=38": {Hi: 1 << 62, Lo: 5}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				benchFloat = v.Float64Scaled(4)
			}
		})
	}
}

func BenchmarkInt256Add(b *testing.B) {
	var sum Int256
	one := Int256{1, 2, 3}
	for b.Loop() {
		sum, _ = sum.Add(one)
	}
	benchInt, _ = sum.Int128()
}

func BenchmarkInt256Float64Scaled(b *testing.B) {
	v := Int256{5, 0, 0, 1 << 50}
	for b.Loop() {
		benchFloat = v.Float64Scaled(60)
	}
}
