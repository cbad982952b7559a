package ipcread

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// benchTypes are columns as a worker's stream has them.
var benchTypes = []struct {
	name string
	t    arrow.DataType
}{
	{"int64", arrow.PrimitiveTypes.Int64},
	{"utf8", arrow.BinaryTypes.String},
	{"utf8_view", arrow.BinaryTypes.StringView},
	{"dictionary", &arrow.DictionaryType{
		IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String,
	}},
}

// benchBatch is a batch of one column, a tenth of it null if wanted.
func benchBatch(t arrow.DataType, rows int, nulls bool, codec ...ipc.Option) framedBatch {
	r := rand.New(rand.NewPCG(7, 8))
	b := array.NewBuilder(memory.DefaultAllocator, t)
	for range rows {
		if nulls && r.IntN(10) == 0 {
			b.AppendNull()
			continue
		}
		word := fmt.Sprintf("host-%04d", r.IntN(1000))
		switch b := b.(type) {
		case *array.Int64Builder:
			b.Append(int64(r.IntN(1000)))
		case *array.BinaryDictionaryBuilder:
			if err := b.AppendString(word); err != nil {
				panic(err)
			}
		case interface{ Append(string) }:
			b.Append(word)
		}
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: t, Nullable: true}}, nil)
	var out bytes.Buffer
	w := ipc.NewWriter(&out, append(codec, ipc.WithSchema(schema))...)
	if err := w.Write(array.NewRecordBatch(schema, []arrow.Array{b.NewArray()}, int64(rows))); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	batches, err := framed(out.Bytes())
	if err != nil {
		panic(err)
	}
	return batches[0]
}

func BenchmarkDecode(b *testing.B) {
	for _, column := range benchTypes {
		for codec, options := range codecs {
			for _, rows := range []int{64, 8192, 65536} {
				b.Run(fmt.Sprintf("type=%s/codec=%s/rows=%d", column.name, codec, rows), func(b *testing.B) {
					f := benchBatch(column.t, rows, false, options...)
					d := newDecoder(testDecoding())
					b.ReportAllocs()
					for b.Loop() {
						if _, err := d.decode(&f, 0, int64(rows), []int{0}); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
				})
			}
		}
	}
}
