package render

import (
	"fmt"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
)

// batchRows is how many rows a batch of a result has.
const batchRows = 65536

// workerSchema is what a merged result typically looks like.
var workerSchema = arrow.NewSchema([]arrow.Field{
	{Name: "host", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "minute", Type: arrow.FixedWidthTypes.Timestamp_s, Nullable: true},
	{Name: "bytes_sum", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "req_count", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "lat_min", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "lat_max", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "cost_sum", Type: &arrow.Decimal128Type{Precision: 38, Scale: 4}, Nullable: true},
	{Name: "ok", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
}, nil)

// workerBatch is a batch of that schema with a null in every 16th row.
func workerBatch(rows int) arrow.RecordBatch {
	b := array.NewRecordBuilder(allocator, workerSchema)
	defer b.Release()
	for i := range rows {
		if i%16 == 15 {
			for _, f := range b.Fields() {
				f.AppendNull()
			}
			continue
		}
		b.Field(0).(*array.StringBuilder).Append(fmt.Sprintf("host-%04d", i/60))
		b.Field(1).(*array.TimestampBuilder).Append(arrow.Timestamp(1700000000 + 60*i))
		b.Field(2).(*array.Int64Builder).Append(int64(i) * 1234567)
		b.Field(3).(*array.Int64Builder).Append(int64(i % 1000))
		b.Field(4).(*array.Float64Builder).Append(float64(i%977) / 8)
		b.Field(5).(*array.Float64Builder).Append(float64(i) / 7)
		b.Field(6).(*array.Decimal128Builder).Append(decimal128.FromI64(int64(i) * 987654321))
		b.Field(7).(*array.BooleanBuilder).Append(i%3 == 0)
	}
	return b.NewRecordBatch()
}

func BenchmarkRender(b *testing.B) {
	batch := workerBatch(batchRows)
	for _, f := range Formats {
		b.Run("format="+f.Name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				w, err := f.New(io.Discard, workerSchema, asIs)
				if err != nil {
					b.Fatal(err)
				}
				if err := w.Write(batch); err != nil {
					b.Fatal(err)
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batchRows, "ns/row")
		})
	}
}
