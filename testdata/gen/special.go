package main

import (
	"bytes"

	"arrowagg/internal/arrowtest"
)

// special are the committed inputs that are easy to get wrong.
var special = []input{
	// Each sum fits int64; together those of web-01 do not.
	{"overflow-1.arrows", stream(arrowtest.Encoding{}, `
		host utf8 | bytes_sum int64
		web-01    | 9223372036854775000
		web-02    | 1`)},
	{"overflow-2.arrows", stream(arrowtest.Encoding{}, `
		host utf8 | bytes_sum int64
		web-02    | 2
		web-01    | 1000`)},
	// The rows are whole, but nothing says that they are all.
	{"no-end-marker.arrows", stream(arrowtest.Encoding{NoEndMarker: true}, `
		host utf8 | bytes_sum int64
		web-01    | 10
		---
		web-02    | 20`)},
	// What cat makes of two streams: an end marker in the middle.
	{"concatenated.arrows", concatenated(`
		host utf8 | bytes_sum int64
		web-01    | 1`, `
		bytes_sum int64 | host utf8
		10              | web-01
		20              | web-03`)},
	{"no-batches.arrows", stream(arrowtest.Encoding{}, `
		host utf8 | bytes_sum int64`)},
	// Three groups, not one: no host, a host without a name, and one named NULL.
	{"null-keys.arrows", stream(arrowtest.Encoding{}, `
		host utf8 | bytes_sum int64
		null      | 1
		""        | 2
		NULL      | 4
		null      | 8`)},
	// A dictionary that grows (a delta) and is then replaced.
	{"dictionaries.arrows", stream(arrowtest.Encoding{Deltas: true}, `
		host dictionary<int8, utf8> | bytes_sum int64
		--- host=["web-01"]
		web-01 | 1
		--- host=["web-01", "web-02"]
		web-01 | 2
		web-02 | 4
		--- host=["web-03", "web-01"]
		web-03 | 8
		web-01 | 16`)},
	// The exact sums are 1.0 and 0.6; added one by one, 0.0 and 0.6000000000000001.
	{"float-sums.arrows", stream(arrowtest.Encoding{}, `
		host utf8 | load_sum float64 | load_min float64 | load_max float64
		web-01    | 1e16             | NaN              | NaN
		web-02    | 0.1              | 0.0              | 0.0
		web-01    | 1.0              | 1.0              | 1.0
		web-02    | 0.2              | -0.0             | -0.0
		web-01    | -1e16            | inf              | inf
		web-02    | 0.3              | null             | null`)},
}

func stream(e arrowtest.Encoding, text string) func() ([]byte, error) {
	return func() ([]byte, error) {
		s, err := arrowtest.Parse(text)
		if err != nil {
			return nil, err
		}
		return s.Encode(e)
	}
}

func concatenated(texts ...string) func() ([]byte, error) {
	return func() ([]byte, error) {
		var all bytes.Buffer
		for _, text := range texts {
			b, err := stream(arrowtest.Encoding{}, text)()
			if err != nil {
				return nil, err
			}
			all.Write(b)
		}
		return all.Bytes(), nil
	}
}
