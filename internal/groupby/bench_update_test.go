package groupby

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arena"
)

// BenchmarkUpdate is one aggregate over a chunk whose group ids are known.
func BenchmarkUpdate(b *testing.B) {
	for _, groups := range []int{100, 10_000, 100_000} {
		for _, name := range []string{"sum", "min", "mean", "count"} {
			for _, t := range []arrow.DataType{arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64} {
				for _, nulls := range []int{0, 10} {
					b.Run(fmt.Sprintf("function=%s/type=%s/groups=%d/nulls=%d", name, t, groups, nulls), func(b *testing.B) {
						benchUpdate(b, name, t, groups, nulls)
					})
				}
			}
		}
	}
}

func benchUpdate(b *testing.B, name string, t arrow.DataType, groups, nulls int) {
	rng := rand.New(rand.NewPCG(1, 2))
	f, _ := Lookup(name)
	out, err := f.Bind([]arrow.DataType{t}, BindOptions{})
	if err != nil {
		b.Fatal(err)
	}
	columns := []Column{{Name: "v", Type: t}}
	s, err := newStates([]Aggregate{{Function: f, Arguments: []int{0}, Name: name, Type: out}}, columns, &arena.Arena{})
	if err != nil {
		b.Fatal(err)
	}
	s.grow(groups)
	value, of, _ := valueColumns(s)
	l, err := newLoader(columns[0])
	if err != nil {
		b.Fatal(err)
	}
	cells := make([]any, chunkRows)
	for i := range cells {
		if rng.IntN(100) >= nulls {
			cells[i] = randomCell(rng, t, false)
		}
	}
	if err := l.bind(makeArray(t, cells).Data()); err != nil {
		b.Fatal(err)
	}
	c := newChunkValues(of, len(value))
	const chunks = 64
	ids := make([]uint32, chunks*chunkRows)
	for i := range ids {
		ids[i] = uint32(rng.IntN(groups))
	}
	b.ResetTimer()
	cpu := cpuSeconds()
	for i := range b.N {
		l.load(0, chunkRows, nil)
		l.apply()
		c.vectors[0] = &l.natural
		if value[0].converted {
			c.vectors[0] = &l.converted
		}
		c.accumulate(s, ids[i%chunks*chunkRows:][:chunkRows])
	}
	b.ReportMetric((cpuSeconds()-cpu)*1e9/float64(b.N)/chunkRows, "cpu-ns/row")
}
