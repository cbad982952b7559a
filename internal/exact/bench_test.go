package exact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The sums' benchmarks add benchValues values a round and report ns/value.
const benchValues = 4096

var (
	benchFloat float64
	benchInt   Int128
	benchWide  Int256
)

func draw(f func(r *rand.Rand) float64) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	xs := make([]float64, benchValues)
	for i := range xs {
		xs[i] = f(r)
	}
	return xs
}

type benchInput struct {
	name string
	xs   []float64
}

// ordinaryInputs never leave two doubles.
var ordinaryInputs = []benchInput{
	{"values=uniform", draw((*rand.Rand).Float64)},
	{"values=normal", draw((*rand.Rand).NormFloat64)},
}

var allInputs = append(ordinaryInputs, benchInput{"values=wide", draw(func(r *rand.Rand) float64 {
	return math.Ldexp(r.Float64()-0.5, r.IntN(1200)-600)
})})

func perValue(b *testing.B, round func()) {
	for b.Loop() {
		round()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchValues, "ns/value")
}

// benchGroups: with one group every addition waits for the one before it, with
// several they overlap, as they do in an engine.
var benchGroups = []int{1, 64}

// BenchmarkPlusEquals is what a sum that depends on order costs.
func BenchmarkPlusEquals(b *testing.B) {
	for _, groups := range benchGroups {
		b.Run(fmt.Sprintf("groups=%d", groups), func(b *testing.B) {
			sums := make([]float64, groups)
			perValue(b, func() {
				for i, x := range ordinaryInputs[0].xs {
					sums[i&(len(sums)-1)] += x
				}
			})
		})
	}
}

func BenchmarkStepPair(b *testing.B) {
	for _, groups := range benchGroups {
		b.Run(fmt.Sprintf("groups=%d", groups), func(b *testing.B) {
			pairs := make([][2]float64, groups)
			perValue(b, func() {
				for i, x := range ordinaryInputs[0].xs {
					p := &pairs[i&(len(pairs)-1)]
					h, l, loss := StepPair(p[0], p[1], x)
					if loss != 0 {
						b.Fatal("loss")
					}
					p[0], p[1] = h, l
				}
			})
		})
	}
}

func BenchmarkAddPair(b *testing.B) {
	for _, in := range ordinaryInputs {
		for _, groups := range benchGroups {
			b.Run(fmt.Sprintf("%s/groups=%d", in.name, groups), func(b *testing.B) {
				pairs := make([][2]float64, groups)
				perValue(b, func() {
					for i, x := range in.xs {
						p := &pairs[i&(len(pairs)-1)]
						h, l, ok := AddPair(p[0], p[1], x)
						if !ok {
							b.Fatal("refused")
						}
						p[0], p[1] = h, l
					}
				})
			})
		}
	}
}

func BenchmarkSumAdd(b *testing.B) {
	for _, in := range allInputs {
		for _, groups := range benchGroups {
			b.Run(fmt.Sprintf("%s/groups=%d", in.name, groups), func(b *testing.B) {
				sums := make([]Sum, groups)
				perValue(b, func() {
					for i, x := range in.xs {
						sums[i&(len(sums)-1)].Add(x)
					}
				})
			})
		}
	}
}

func BenchmarkAddProduct(b *testing.B) {
	for _, in := range allInputs {
		b.Run(in.name, func(b *testing.B) {
			var sum ProductSum
			perValue(b, func() {
				for _, x := range in.xs {
					sum.AddProduct(x, x)
				}
			})
		})
	}
}

func BenchmarkSumMerge(b *testing.B) {
	sum, other := new(Sum), sumOf(allInputs[2].xs...)
	for b.Loop() {
		sum.Merge(other)
	}
	benchFloat = sum.Round()
}

func BenchmarkSumRound(b *testing.B) {
	sum := sumOf(allInputs[2].xs...)
	for b.Loop() {
		benchFloat = sum.Round()
	}
}

func BenchmarkSumBinary(b *testing.B) {
	sum := sumOf(allInputs[2].xs...)
	var wire []byte
	for b.Loop() {
		wire = sum.AppendBinary(wire[:0])
		if _, err := DecodeSum(wire); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(wire)), "bytes")
}

func BenchmarkInt128AddInt64(b *testing.B) {
	vs := make([]int64, benchValues)
	for i := range vs {
		vs[i] = int64(i) - 1000
	}
	var sum Int128
	perValue(b, func() {
		for _, v := range vs {
			s, overflow := sum.AddInt64(v)
			if overflow {
				b.Fatal("overflow")
			}
			sum = s
		}
	})
	benchInt = sum
}

func BenchmarkInt256Add(b *testing.B) {
	vs := make([]Int256, benchValues)
	for i := range vs {
		vs[i] = Int256FromInt64(int64(i) - 1000)
	}
	var sum Int256
	perValue(b, func() {
		for _, v := range vs {
			s, overflow := sum.Add(v)
			if overflow {
				b.Fatal("overflow")
			}
			sum = s
		}
	})
	benchWide = sum
}

func BenchmarkInt128Float64(b *testing.B) {
	v := Int128{Hi: 123456789, Lo: 987654321}
	for b.Loop() {
		benchFloat = v.Float64()
	}
}

func BenchmarkFloat64Scaled(b *testing.B) {
	for _, c := range []struct {
		name  string
		v     Int256
		scale int
	}{
		{"digits=15/scale=4", Int256{123456789012345}, 4},
		{"digits=38/scale=4", Int256{5, 1 << 61}, 4},
		{"digits=75/scale=60", Int256{5, 0, 0, 1 << 56}, 60},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				benchFloat = c.v.Float64Scaled(c.scale)
			}
		})
	}
}
