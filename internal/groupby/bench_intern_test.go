package groupby

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arena"
)

// BenchmarkIntern is the way from a chunk of key values to codes, all of them
// known already.
func BenchmarkIntern(b *testing.B) {
	for _, groups := range []int{100, 10_000, 100_000} {
		for _, keys := range []string{"id%03d", "id%010d", "a rather long identifier %010d", "int64"} {
			b.Run(fmt.Sprintf("keys=%s/groups=%d", benchName(keys), groups), func(b *testing.B) {
				benchIntern(b, keys, groups)
			})
		}
	}
}

func benchName(format string) string {
	if format == "int64" {
		return format
	}
	return fmt.Sprintf("utf8-%d", len(fmt.Sprintf(format, 0)))
}

func benchIntern(b *testing.B, format string, groups int) {
	const chunks = 256
	rng := rand.New(rand.NewPCG(1, 2))
	column := stringColumn("k", format, groups)
	if format == "int64" {
		column = numbersOf("k", arrow.PrimitiveTypes.Int64, groups, func(_ *rand.Rand, c int) int64 { return int64(c) * 7 })
	}
	codes := make([]int, chunks*chunkRows)
	for i := range codes {
		codes[i] = rng.IntN(groups)
	}
	array := column.build(rng, codes)
	l, err := newLoader(Column{Name: "k", Type: column.typ})
	if err != nil {
		b.Fatal(err)
	}
	if err := l.bind(array); err != nil {
		b.Fatal(err)
	}
	in := newInterner(column.typ, maxCodes, newHashing(false), &arena.Arena{})
	s := internScratch{recent: &recent{}, numerals: &patience{}}
	out := make([]uint32, chunkRows)
	once := func(chunk int) {
		l.load(chunk*chunkRows, chunkRows, nil)
		l.apply()
		in.intern(out, &l.converted, &s)
	}
	for c := range chunks {
		once(c)
	}
	b.ResetTimer()
	cpu := cpuSeconds()
	for i := range b.N {
		once(i % chunks)
	}
	b.ReportMetric((cpuSeconds()-cpu)*1e9/float64(b.N)/chunkRows, "cpu-ns/row")
}
