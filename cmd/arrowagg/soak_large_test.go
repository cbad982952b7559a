//go:build unix

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"arrowagg/internal/arrowtest"
)

// The rounds that spill need more groups than the least memory limit holds,
// which would take the oracle seconds. So these rows are made once, as arrays,
// and what is to come out is counted in a Go map. A round deals the streams
// below out to inputs.
const (
	largeRows    = 288_000
	largeGroups  = 240_000
	largeStreams = 24
)

// largeInput is those rows: streams in several encodings, and the answer.
type largeInput struct {
	fields  []arrow.Field
	streams [][]byte
	want    string
}

type largeKey struct {
	host string
	slot int32
}

type largeSums struct {
	bytes   int64
	load    float64 // quarters, so that no order rounds
	most    int32
	counted bool
}

// large makes them. Keys have nulls, and so have values.
var large = sync.OnceValue(func() *largeInput {
	rng := rand.New(rand.NewPCG(7, 24))
	in := &largeInput{fields: []arrow.Field{
		{Name: "host", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "slot", Type: arrow.FixedWidthTypes.Date32, Nullable: true},
		{Name: "bytes_sum", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "load_sum", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "lat_max", Type: arrow.PrimitiveTypes.Int32, Nullable: true},
	}}
	schema := arrow.NewSchema(in.fields, nil)
	groups := map[largeKey]*largeSums{}
	for i := range largeStreams {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for range largeRows / largeStreams {
			g := rng.IntN(largeGroups)
			k := largeKey{fmt.Sprintf("host-%d.example", g/7*7919%100_003), int32(g % 7)}
			s := groups[k]
			if s == nil {
				s = &largeSums{}
				groups[k] = s
			}
			b.Field(0).(*array.StringBuilder).Append(k.host)
			b.Field(1).(*array.Date32Builder).Append(arrow.Date32(k.slot))
			n, load, lat := rng.Int64N(1e12)-5e11, float64(rng.IntN(4000)-2000)/4, rng.Int32N(1e6)-500_000
			b.Field(2).(*array.Int64Builder).Append(n)
			b.Field(3).(*array.Float64Builder).Append(load)
			if rng.IntN(9) == 0 {
				b.Field(4).AppendNull()
			} else {
				b.Field(4).(*array.Int32Builder).Append(lat)
				if !s.counted || lat > s.most {
					s.most, s.counted = lat, true
				}
			}
			s.bytes += n
			s.load += load
		}
		rec := b.NewRecordBatch()
		var out bytes.Buffer
		options := []ipc.Option{ipc.WithSchema(schema)}
		switch i % 3 {
		case 1:
			options = append(options, ipc.WithLZ4())
		case 2:
			options = append(options, ipc.WithZstd())
		}
		w := ipc.NewWriter(&out, options...)
		for from := int64(0); from < rec.NumRows(); {
			to := min(from+1+rng.Int64N(9000), rec.NumRows())
			must(w.Write(rec.NewSlice(from, to)))
			from = to
		}
		must(w.Close())
		in.streams = append(in.streams, out.Bytes())
	}
	in.want = printLarge(groups)
	return in
})

func printLarge(groups map[largeKey]*largeSums) string {
	var keys []largeKey
	for k := range groups {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b largeKey) int {
		return cmp.Or(strings.Compare(a.host, b.host), cmp.Compare(a.slot, b.slot))
	})
	var out strings.Builder
	out.WriteString("host,slot,bytes_sum,load_sum,lat_max\n")
	for _, k := range keys {
		s := groups[k]
		fmt.Fprintf(&out, "%s,1970-01-0%d,%d,%s,", k.host, 1+k.slot, s.bytes, floatCell(s.load, 64))
		if s.counted {
			fmt.Fprint(&out, s.most)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// rows are what a round asks about: the stream that was drawn for it, or the
// large input.
type rows interface {
	// inputs writes them in a random way, pipes only where some are wanted.
	inputs(r *round, pipes, text bool) []soakInput
	// beginning is a plain stream of such rows.
	beginning() []byte
	String() string
	len() int
}

// drawn is a stream of a round's own.
type drawn struct{ *arrowtest.Stream }

func (d drawn) len() int          { return len(d.Rows()) }
func (d drawn) beginning() []byte { return d.MustEncode(arrowtest.Encoding{}) }
func (d drawn) String() string    { return (&arrowtest.Stream{Fields: d.Fields}).String() }

func (l *largeInput) len() int          { return largeRows }
func (l *largeInput) beginning() []byte { return l.streams[0] }
func (l *largeInput) String() string    { return "the large input\n" }

// inputs puts the streams one after the other into some files and pipes.
func (l *largeInput) inputs(r *round, pipes, _ bool) []soakInput {
	inputs := make([]soakInput, 1+r.rng.IntN(4))
	for i, at := range r.rng.Perm(len(l.streams)) {
		in := &inputs[i%len(inputs)]
		in.content = append(in.content, l.streams[at]...)
	}
	for i := range inputs {
		if inputs[i].piped = pipes && r.rng.IntN(3) == 0; !inputs[i].piped {
			inputs[i].name = r.file(inputs[i].content)
		}
	}
	return inputs
}
