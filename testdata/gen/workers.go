package main

import (
	"math/rand/v2"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
)

const (
	workerRows  = 600
	workerBatch = 250
)

// workers are the committed worker streams.
var workers = []input{
	{"w1.arrows", func() ([]byte, error) { return worker(1).Encode(arrowtest.Encoding{}) }},
	{"w2.arrows", func() ([]byte, error) { return worker(2).Encode(arrowtest.Encoding{Codec: "lz4"}) }},
	{"w3.arrows", func() ([]byte, error) { return worker(3).Encode(arrowtest.Encoding{Codec: "zstd"}) }},
	{"w4.arrows", func() ([]byte, error) {
		s := worker(4).Retype(arrowtest.ToDictionary(arrow.PrimitiveTypes.Int8))
		return s.GrowingDictionaries().Encode(arrowtest.Encoding{Deltas: true})
	}},
	// The file format under the same suffix: a name says nothing.
	{"w5.arrows", func() ([]byte, error) { return worker(5).Encode(arrowtest.Encoding{File: true}) }},
	{"w6.arrows", func() ([]byte, error) {
		s := worker(6).Select("minute", "service", "host", "req_count", "bytes_sum", "lat_max", "lat_min")
		s = s.Retype(arrowtest.ToView).Retype(func(f arrow.Field) arrow.DataType {
			if f.Name == "req_count" {
				return arrow.PrimitiveTypes.Int32
			}
			return f.Type
		})
		return s.Encode(arrowtest.Encoding{})
	}},
}

// worker is what worker n saw: other rows of the same hosts and minutes.
func worker(n uint64) *arrowtest.Stream {
	t := traffic{source: rand.NewPCG(n, 0), hosts: 4, minutes: 60}
	rec := t.batch(0, workerRows, workerRows)
	defer rec.Release()
	return arrowtest.FromRecords(schema, []arrow.RecordBatch{rec}).Recut(workerBatch)
}
