package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// BenchmarkProjection: what it brings that columns without a part in the
// result are neither decompressed nor validated. The input has a key of eight
// values and sixteen columns of numbers.
func BenchmarkProjection(b *testing.B) {
	const (
		batches = 16
		rows    = 65_536
		wide    = 16
	)
	names := make([]string, wide)
	for i := range names {
		names[i] = fmt.Sprintf("v%d", i)
	}
	for codec, options := range map[string][]ipc.Option{"none": nil, "lz4": {ipc.WithLZ4()}, "zstd": {ipc.WithZstd()}} {
		name := filepath.Join(b.TempDir(), codec)
		writeWide(b, name, names, batches, rows, options)
		for _, c := range []struct {
			what string
			args []string
		}{
			{"columns=1", []string{"-a", "sum(v3)"}},
			{"columns=2/filter=v4", []string{"-a", "sum(v3)", "-w", "v4 >= 0"}},
			{"columns=16", []string{"-a", "sum(" + strings.Join(names, "), sum(") + ")"}},
		} {
			b.Run("codec="+codec+"/"+c.what, func(b *testing.B) {
				for b.Loop() {
					got := runWith(nil, append([]string{"-f", "csv", "-g", "k", name}, c.args...)...)
					if got.code != exitDone {
						b.Fatal(got)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(batches*rows), "ns/row")
			})
		}
	}
}

func writeWide(b *testing.B, name string, columns []string, batches, rows int, options []ipc.Option) {
	b.Helper()
	fields := []arrow.Field{{Name: "k", Type: arrow.BinaryTypes.String}}
	for _, c := range columns {
		fields = append(fields, arrow.Field{Name: c, Type: arrow.PrimitiveTypes.Int64})
	}
	schema := arrow.NewSchema(fields, nil)
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := ipc.NewWriter(f, append(options, ipc.WithSchema(schema))...)
	rng := rand.New(rand.NewPCG(3, 4))
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for range rows {
		builder.Field(0).(*array.StringBuilder).Append(fmt.Sprintf("host-%d", rng.IntN(8)))
		for i := range columns {
			builder.Field(i + 1).(*array.Int64Builder).Append(rng.Int64N(100_000))
		}
	}
	batch := builder.NewRecordBatch()
	for range batches {
		if err := w.Write(batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}
