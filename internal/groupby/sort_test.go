package groupby

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// sortShapes are the ways in which keys can be hard to sort.
var sortShapes = []struct {
	name string
	key  func(rng *rand.Rand, i, n int) uint64
}{
	{"random", func(rng *rand.Rand, _, _ int) uint64 { return rng.Uint64() }},
	{"ascending", func(_ *rand.Rand, i, _ int) uint64 { return uint64(i) }},
	{"descending", func(_ *rand.Rand, i, n int) uint64 { return uint64(n - i) }},
	{"equal", func(*rand.Rand, int, int) uint64 { return 7 }},
	{"few", func(rng *rand.Rand, _, _ int) uint64 { return rng.Uint64N(3) }},
	{"outlier", func(rng *rand.Rand, i, _ int) uint64 {
		if i == 0 {
			return ^uint64(0)
		}
		return rng.Uint64N(1 << 20)
	}},
	{"exponents", func(rng *rand.Rand, _, _ int) uint64 { return rng.Uint64() >> rng.IntN(64) }},
}

func makeItems(rng *rand.Rand, n int, key func(*rand.Rand, int, int) uint64) []sortItem {
	items := make([]sortItem, n)
	for i := range items {
		items[i] = sortItem{key: key(rng, i, n), row: uint32(i)}
	}
	return items
}

func TestSorter(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 5))
	var s sorter
	for _, shape := range sortShapes {
		for _, n := range []int{0, 1, 2, 24, 25, 1000, 30_000} {
			items := makeItems(rng, n, shape.key)
			want := slices.Clone(items)
			slices.SortFunc(want, func(a, b sortItem) int { return cmp.Compare(a.key, b.key) })
			rows := make([]bool, n)
			s.sort(items)
			for i, it := range items {
				if it.key != want[i].key || rows[it.row] {
					t.Fatalf("seed %d, %s, %d items: wrong at %d", seed, shape.name, n, i)
				}
				rows[it.row] = true
			}
		}
	}
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{2048, 100_000, 1_000_000} {
		for _, shape := range sortShapes[:1] {
			b.Run(fmt.Sprintf("keys=%s/rows=%d", shape.name, n), func(b *testing.B) {
				unsorted := makeItems(rand.New(rand.NewPCG(1, 1)), n, shape.key)
				items := make([]sortItem, n)
				var s sorter
				cpu := cpuSeconds()
				for range b.N {
					copy(items, unsorted)
					s.sort(items)
				}
				b.ReportMetric((cpuSeconds()-cpu)*1e9/float64(b.N)/float64(n), "cpu-ns/row")
			})
		}
	}
}
