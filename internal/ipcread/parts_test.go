package ipcread

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"arrowagg/internal/arrowtest"
)

// wide is a stream of batches whose columns are wider than what is worth
// leaving out, views and a nested column among them.
func wide(t testing.TB, e arrowtest.Encoding) []byte {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "a", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "s", Type: arrow.BinaryTypes.String},
		{Name: "l", Type: arrow.ListOf(arrow.PrimitiveTypes.Int16)},
		{Name: "w", Type: arrow.BinaryTypes.StringView, Nullable: true},
		{Name: "x", Type: arrow.PrimitiveTypes.Float64},
		{Name: "b", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
	}, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	var recs []arrow.RecordBatch
	for range 4 {
		for range 20_000 {
			a := builder.Field(0).(*array.Int64Builder)
			if rng.IntN(3) == 0 {
				a.AppendNull()
			} else {
				a.Append(rng.Int64())
			}
			builder.Field(1).(*array.StringBuilder).Append(fmt.Sprint(rng.Uint32()))
			builder.Field(2).(*array.ListBuilder).Append(true)
			builder.Field(2).(*array.ListBuilder).ValueBuilder().(*array.Int16Builder).Append(3)
			builder.Field(3).(*array.StringViewBuilder).Append(fmt.Sprint(rng.Uint64(), "a long one"))
			builder.Field(4).(*array.Float64Builder).Append(rng.Float64())
			builder.Field(5).(*array.BooleanBuilder).Append(rng.IntN(2) == 0)
		}
		recs = append(recs, builder.NewRecordBatch())
	}
	b, err := arrowtest.Encode(schema, recs, e)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// readColumns reads some columns of an input's first stream, having said so or
// not.
func readColumns(t *testing.T, name string, columns []int, opt Options, use bool) (rows []string, report Report) {
	t.Helper()
	s, err := Open(testContext, []string{name}, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if use {
		s.Streams()[0].Use(columns)
	}
	frames := make(chan *Frame)
	produced := make(chan error)
	go func() {
		produced <- s.Produce(testContext, frames, func(*Stream) error { return nil })
		close(frames)
	}()
	done := make(chan struct{})
	go func() {
		defer close(done)
		d := s.NewDecoder()
		for f := range frames {
			arrays, err := d.Decode(f, columns)
			if err != nil {
				t.Error(err)
			}
			for _, a := range arrays {
				made := array.MakeFromData(a)
				for i := range made.Len() {
					rows = append(rows, strings.Clone(made.ValueStr(i)))
				}
			}
			f.Release()
			d.Rest()
		}
	}()
	if err := <-produced; err != nil {
		t.Fatal(err)
	}
	<-done
	if err := s.Verify(); err != nil {
		t.Fatal(err)
	}
	return rows, s.Reports()[0]
}

// What is not wanted is left as it was, and what comes after it is not.
func TestTakenParts(t *testing.T) {
	body := make([]byte, 300_000)
	for i := range body {
		body[i] = byte(i>>8) | 1
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		wanted := parts{}
		for at := int64(0); at < int64(len(body)); {
			from := at + rng.Int64N(100_000)
			at = from + 1 + rng.Int64N(60_000)
			wanted = append(wanted, part{from, min(at, int64(len(body)))})
			if from >= int64(len(body)) {
				wanted = wanted[:len(wanted)-1]
			}
		}
		cut := len(body)
		if rng.IntN(2) == 0 {
			cut = rng.IntN(len(body))
		}
		for _, s := range sources[1:] {
			room := make([]byte, len(body))
			src := s.of(body[:cut])
			got, err := src.take(int64(len(body)), room, wanted)
			if len(got) != cut || src.offset() != int64(cut) ||
				(err == nil) != (cut == len(body)) || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && cut > 0 {
				t.Fatalf("%s: %d of %d bytes, %v", s.name, len(got), cut, err)
			}
			want := make([]byte, cut)
			for _, p := range wanted {
				copy(want[min(p.from, int64(cut)):min(p.to, int64(cut))], body[min(p.from, int64(cut)):])
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%s: other bytes for %v of %d", s.name, wanted, cut)
			}
		}
	}
}

func TestDecodeOfAColumnThatIsNotUsed(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	st := &Stream{used: []int{0}, isUsed: []bool{true, false}}
	newDecoder(newDecoding(Options{}.withDefaults())).Decode(&Frame{Stream: st}, []int{0, 1})
}
