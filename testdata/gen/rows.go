package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// schema is a worker's partial aggregates: one row for what it saw of a host
// and service in one minute.
var schema = arrow.NewSchema([]arrow.Field{
	{Name: "host", Type: arrow.BinaryTypes.String, Nullable: true},
	{Name: "service", Type: arrow.BinaryTypes.String},
	{Name: "minute", Type: &arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"}},
	{Name: "bytes_sum", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	{Name: "req_count", Type: arrow.PrimitiveTypes.Int64},
	{Name: "lat_min", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
	{Name: "lat_max", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
}, nil)

var services = []string{"api", "auth", "search", "static"}

// firstMinute is 2024-05-01T12:00:00Z.
const firstMinute = 1714564800

// traffic draws rows. It uses the bare PCG numbers, whose sequence is fixed,
// and only exact arithmetic, so that every machine draws the same.
type traffic struct {
	source  *rand.PCG
	hosts   int
	minutes int
}

// below is a number in [0, n). The modulo's bias does not matter here.
func (t *traffic) below(n int) int { return int(t.source.Uint64() % uint64(n)) }

// oneIn is true once in n times.
func (t *traffic) oneIn(n int) bool { return t.below(n) == 0 }

// batch draws n rows, their minutes ascending from `from` of `of` rows in all.
func (t *traffic) batch(from, n, of int64) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	b.Reserve(int(n))
	host := b.Field(0).(*array.StringBuilder)
	service := b.Field(1).(*array.StringBuilder)
	minute := b.Field(2).(*array.TimestampBuilder)
	bytes := b.Field(3).(*array.Int64Builder)
	requests := b.Field(4).(*array.Int64Builder)
	latMin := b.Field(5).(*array.Float64Builder)
	latMax := b.Field(6).(*array.Float64Builder)

	for i := range n {
		if t.oneIn(150) {
			host.AppendNull() // a request that reached no host
		} else {
			host.Append(fmt.Sprintf("web-%02d", 1+t.below(t.hosts)))
		}
		service.Append(services[t.below(len(services))])
		minute.Append(arrow.Timestamp(firstMinute + 60*((from+i)*int64(t.minutes)/of)))
		count := int64(t.below(40))
		requests.Append(count)
		if count == 0 {
			bytes.AppendNull()
			latMin.AppendNull()
			latMax.AppendNull()
			continue
		}
		bytes.Append(count * int64(200+t.below(60_000)))
		least := 300 + t.below(5_000) // microseconds; below, the slowest one has a long tail
		most := least + t.below(4_000)<<t.below(8)
		latMin.Append(float64(least) / 1000)
		latMax.Append(float64(most) / 1000)
	}
	return b.NewRecordBatch()
}
