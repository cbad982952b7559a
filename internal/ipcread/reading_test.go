package ipcread

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/warning"
)

// reading is what a whole run over some inputs gave.
type reading struct {
	rows     []string // one text per row, in the order of input, stream, batch, row
	frames   int
	warnings []warning.Warning
	reports  []Report
	late     []string // names of the streams that came late, in no order
}

// warned lists the subjects of the warnings of that kind.
func (r reading) warned(id string) []string {
	var subjects []string
	for _, w := range r.warnings {
		if w.ID == id {
			subjects = append(subjects, w.Subject)
		}
	}
	return subjects
}

// read opens inputs and decodes everything in two workers.
func read(names []string, opt Options) (reading, error) {
	return readWith(context.Background(), names, opt, func(*Frame) {})
}

// readWith calls meanwhile for every frame before it is decoded.
func readWith(ctx context.Context, names []string, opt Options, meanwhile func(*Frame)) (r reading, err error) {
	s, err := Open(ctx, names, opt)
	if err != nil {
		return r, err
	}
	defer s.Close()
	type place struct{ position, stream, batch, row int64 }
	var mu sync.Mutex
	found := map[place][]string{}
	frames := make(chan *Frame, 2)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			d := s.NewDecoder()
			for f := range frames {
				meanwhile(f)
				var rows []string
				err := s.Guard(func() (err error) {
					rows, err = frameRows(d, f)
					return err
				})
				if err != nil {
					s.Fail(f, err)
				}
				mu.Lock()
				r.frames++
				at := place{int64(f.Stream.Position), int64(f.Stream.Number), f.Batch, f.Row}
				found[at] = append(found[at], rows...)
				mu.Unlock()
				f.Release()
				d.Rest()
			}
		})
	}
	err = s.Produce(ctx, frames, func(st *Stream) error {
		r.late = append(r.late, st.Name())
		return nil
	})
	close(frames)
	workers.Wait()
	if ctx.Err() == nil {
		err = s.Verify()
	}
	places := make([]place, 0, len(found))
	for at := range found {
		places = append(places, at)
	}
	slices.SortFunc(places, func(a, b place) int {
		return slices.Compare([]int64{a.position, a.stream, a.batch, a.row}, []int64{b.position, b.stream, b.batch, b.row})
	})
	for _, at := range places {
		r.rows = append(r.rows, found[at]...)
	}
	r.warnings, r.reports = s.Warnings(), s.Reports()
	return r, err
}

// countRows reads inputs without decoding anything.
func countRows(names []string, opt Options) (rows int64, err error) {
	s, err := Open(testContext, names, opt)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	frames := make(chan *Frame)
	counted := make(chan int64)
	go func() {
		var n int64
		for f := range frames {
			n += f.Rows
			f.Release()
		}
		counted <- n
	}()
	err = s.Produce(testContext, frames, func(*Stream) error { return nil })
	close(frames)
	return <-counted, errors.Join(err, s.Verify())
}

// frameRows decodes all columns of a frame and makes a text of each row.
func frameRows(d *Decoder, f *Frame) ([]string, error) {
	arrays, err := d.Decode(f, readableColumns(f.schema))
	if err != nil {
		return nil, err
	}
	var fields []arrow.Field
	var columns []arrow.Array
	for i, a := range arrays {
		if a != nil {
			fields = append(fields, f.Stream.Schema.Field(i))
			columns = append(columns, array.MakeFromData(a))
		}
	}
	schema := arrow.NewSchema(fields, nil)
	var rows []string
	cells := arrowtest.FromRecords(schema, []arrow.RecordBatch{array.NewRecordBatch(schema, columns, f.Rows)})
	for _, row := range cells.Rows() {
		rows = append(rows, fmt.Sprint(row))
	}
	return rows, nil
}

// sample is a stream of three batches, one without rows, with a dictionary.
func sample() *arrowtest.Stream {
	return arrowtest.Must(`
k dictionary<int8, utf8> | v_sum int64 | t utf8
a    | 1    | x
b    | 2    | ""
null | null | null
---
---
c    | 4    | a longer text
a    | 8    | y
`)
}

// plain is a stream of one batch without dictionaries.
func plain(v int) *arrowtest.Stream {
	return arrowtest.Must(fmt.Sprintf("k utf8 | v_sum int64\na | %d\n", v))
}

// large is a stream of batches of one int64 column that does not compress well.
func large(batches, rows int) []byte {
	field := arrow.Field{Name: "v_sum", Type: arrow.PrimitiveTypes.Int64}
	schema := arrow.NewSchema([]arrow.Field{field}, nil)
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	var recs []arrow.RecordBatch
	x := uint64(1)
	for range batches {
		for range rows {
			x = x*6364136223846793005 + 1442695040888963407
			builder.Field(0).(*array.Int64Builder).Append(int64(x >> 16))
		}
		recs = append(recs, builder.NewRecordBatch())
	}
	b, err := arrowtest.Encode(schema, recs, arrowtest.Encoding{})
	if err != nil {
		panic(err)
	}
	return b
}

func rowsOf(streams ...*arrowtest.Stream) []string {
	var rows []string
	for _, s := range streams {
		for _, row := range s.Rows() {
			rows = append(rows, fmt.Sprint(row))
		}
	}
	return rows
}

func write(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func wantRows(t testing.TB, r reading, err error, want []string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.rows, want) {
		t.Fatalf("rows %v, want %v", r.rows, want)
	}
}

func wantError(t testing.TB, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("error %v, want one that is %q", err, kind)
	}
}

// boundaries returns where the messages of a stream without end marker begin,
// and its length.
func boundaries(t testing.TB, stream []byte) []int {
	t.Helper()
	var at []int
	for _, m := range messages(t, stream) {
		at = append(at, m.from)
	}
	return append(at, len(stream))
}

// rawMessage is where a message is in a stream.
type rawMessage struct{ from, metadata, body, to int }

// messages cuts a well-formed stream into its messages, without end marker.
func messages(t testing.TB, stream []byte) []rawMessage {
	t.Helper()
	src := &extentSource{ext: resident(stream)}
	f := &framer{src: src}
	var found []rawMessage
	for {
		from := int(src.offset())
		p, err := f.next()
		if err != nil {
			return found
		}
		if p.kind == stepEnd || p.kind == stepOpen {
			continue
		}
		length := int(binary.LittleEndian.Uint32(stream[from+wordSize:]))
		m := rawMessage{from: from, metadata: from + prefixBytes, body: from + prefixBytes + length}
		m.to = int(src.offset())
		found = append(found, m)
	}
}

// oldFraming rewrites a stream as Arrow before 0.15 wrote it.
func oldFraming(t testing.TB, stream []byte) []byte {
	t.Helper()
	var b []byte
	for _, m := range messages(t, stream) {
		b = append(b, stream[m.from+wordSize:m.to]...)
	}
	return append(b, 0, 0, 0, 0)
}

var testContext = context.Background()

// fakeInfo is that of a regular file of a size.
func fakeInfo(size int) os.FileInfo { return sizeOnly{size: int64(size)} }

type sizeOnly struct {
	os.FileInfo
	size int64
}

func (s sizeOnly) Size() int64 { return s.size }

func newBuffered(b []byte) *bufio.Reader { return bufio.NewReader(bytes.NewReader(b)) }

// allocatedBy is how many bytes of memory f takes, given back or not.
func allocatedBy(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func wantEmptyDir(t testing.TB, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) > 0 {
		t.Errorf("%s is left in the temporary directory", entries[0].Name())
	}
}

// sequential marks a test that runs one goroutine for long: the race detector,
// which the short tests are for, learns nothing from it.
func sequential(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("long and in one goroutine")
	}
}
