package arrange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// benchResult has distinct hosts in order, a sum that is all but distinct, and
// a count of few values.
func benchResult(rows int) *listed {
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "host", Type: arrow.BinaryTypes.String},
		{Name: "sum", Type: arrow.PrimitiveTypes.Float64},
		{Name: "count", Type: arrow.PrimitiveTypes.Int64},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	rng := rand.New(rand.NewPCG(1, 2))
	l := &listed{}
	for i := range rows {
		b.Field(0).(*array.StringBuilder).Append(fmt.Sprintf("host-%08d", i))
		b.Field(1).(*array.Float64Builder).Append(rng.NormFloat64())
		b.Field(2).(*array.Int64Builder).Append(int64(rng.IntN(100)))
		if i%cutRows == cutRows-1 || i == rows-1 {
			l.batches = append(l.batches, b.NewRecordBatch())
		}
	}
	return l
}

func BenchmarkSort(b *testing.B) {
	const rows = 1_000_000
	result := benchResult(rows)
	for _, c := range []struct {
		name string
		keys []Key
	}{
		{"float", []Key{{Column: 1, Descending: true}}},
		{"few,float", []Key{{Column: 2}, {Column: 1}}},
		{"utf8", []Key{{Column: 0, Descending: true}}},
	} {
		for _, limit := range []int64{All, 10, 100_000} {
			b.Run(fmt.Sprintf("rows=%d/keys=%s/limit=%d", rows, c.name, limit), func(b *testing.B) {
				for b.Loop() {
					result.Rewind()
					s, err := Arrangement{Keys: c.keys, Limit: limit}.Open(context.Background(), result)
					if err != nil {
						b.Fatal(err)
					}
					for {
						batch, err := s.Next(context.Background())
						if errors.Is(err, io.EOF) {
							break
						}
						batch.Release()
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
			})
		}
	}
}
