package render

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// readIPC reads a stream or file with arrow-go's readers.
func readIPC(t *testing.T, format, content string) (*arrow.Schema, []arrow.RecordBatch) {
	t.Helper()
	var batches []arrow.RecordBatch
	if format == "arrow" {
		r, err := ipc.NewFileReader(bytes.NewReader([]byte(content)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.NumRecords() {
			batch, err := r.RecordBatchAt(i)
			if err != nil {
				t.Fatal(err)
			}
			batches = append(batches, batch)
		}
		return r.Schema(), batches
	}
	r, err := ipc.NewReader(bytes.NewReader([]byte(content)))
	if err != nil {
		t.Fatal(err)
	}
	for r.Next() {
		batch := r.RecordBatch()
		batch.Retain()
		batches = append(batches, batch)
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return r.Schema(), batches
}

// binaryFormats are the rows of the table that machines read.
func binaryFormats() []string {
	var names []string
	for _, f := range Formats {
		if f.Binary {
			names = append(names, f.Name)
		}
	}
	return names
}

var compressions = []string{"none", "lz4", "zstd"}

func TestArrowReadsBack(t *testing.T) {
	r := seeded(t)
	schema := schemaOf(everyType...)
	for _, nulls := range []float64{0, 0.3, 1} {
		batches := []arrow.RecordBatch{
			randomBatch(r, schema, 70, nulls), randomBatch(r, schema, 0, nulls), randomBatch(r, schema, 1, nulls),
		}
		for _, format := range binaryFormats() {
			for _, compression := range compressions {
				opt := Options{Compression: compression}
				content := rendered(t, format, opt, schema, batches...)
				gotSchema, got := readIPC(t, format, content)
				if !gotSchema.Equal(schema) {
					t.Fatalf("%s %s: schema %s", format, compression, gotSchema)
				}
				want := []arrow.RecordBatch{batches[0], batches[2]} // not the one without rows
				if len(got) != len(want) {
					t.Fatalf("%s %s: %d batches, want %d", format, compression, len(got), len(want))
				}
				for i := range want {
					if fmt.Sprint(cellsOf(got[i:i+1])) != fmt.Sprint(cellsOf(want[i:i+1])) {
						t.Fatalf("%s %s: batch %d differs:\n%v, want\n%v", format, compression, i, got[i], want[i])
					}
					checkZeros(t, got[i])
				}
				if again := rendered(t, format, opt, schema, batches...); again != content {
					t.Fatalf("%s %s: other bytes the second time", format, compression)
				}
			}
		}
	}
}

// checkZeros verifies what other readers may rely on: no bitmap without nulls,
// and zero in nulls' slots and after the last bit.
func checkZeros(t *testing.T, batch arrow.RecordBatch) {
	t.Helper()
	for i, a := range batch.Columns() {
		name, d := batch.ColumnName(i), a.Data()
		if a.DataType().ID() == arrow.NULL {
			continue
		}
		bitmap := d.Buffers()[0]
		if a.NullN() == 0 {
			if bitmap != nil && bitmap.Len() > 0 {
				t.Errorf("%s: a bitmap without nulls", name)
			}
			continue
		}
		for bit := a.Len(); bit < 8*bitmap.Len(); bit++ {
			if bitutil.BitIsSet(bitmap.Bytes(), bit) {
				t.Errorf("%s: bit %d after %d values is set", name, bit, a.Len())
			}
		}
		for row := range a.Len() {
			if !a.IsNull(row) {
				continue
			}
			if slot := slotOf(a, row); !zero(slot) {
				t.Errorf("%s row %d: the null's slot holds %x", name, row, slot)
			}
		}
	}
}

// slotOf returns the bytes that an array has for a row, null or not.
func slotOf(a arrow.Array, row int) []byte {
	values := a.Data().Buffers()[1].Bytes()
	switch typ := a.DataType().(type) {
	case *arrow.BooleanType:
		if bitutil.BitIsSet(values, row) {
			return []byte{1}
		}
		return nil
	case *arrow.StringType, *arrow.BinaryType:
		offsets := arrow.Int32Traits.CastFromBytes(values)
		return make([]byte, offsets[row+1]-offsets[row])
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		offsets := arrow.Int64Traits.CastFromBytes(values)
		if offsets[row+1] != offsets[row] {
			return []byte{1}
		}
		return nil
	case arrow.BinaryViewDataType:
		return values[row*arrow.ViewHeaderSizeBytes:][:arrow.ViewHeaderSizeBytes]
	case arrow.FixedWidthDataType:
		width := typ.BitWidth() / 8
		return values[row*width:][:width]
	}
	panic(a.DataType())
}

// sameValues builds one array twice: as a builder does it, and as a slice of a
// larger one whose nulls hold values and whose bitmap is set before and after.
func sameValues(r *rand.Rand, typ arrow.DataType, rows int, nulls float64) (clean, dirty arrow.Array) {
	before, after, seed := r.IntN(2)*r.IntN(70), r.IntN(70), r.Uint64()
	value := func(b array.Builder, row int) { appendRandom(rand.New(rand.NewPCG(seed, uint64(row))), b) }
	cleanly, dirtily := array.NewBuilder(allocator, typ), array.NewBuilder(allocator, typ)
	bitmap := bytes.Repeat([]byte{0xff}, (before+rows+after)/8+9)
	count := 0
	for row := -before; row < rows+after; row++ {
		value(dirtily, row)
		switch {
		case row < 0 || row >= rows:
		case r.Float64() < nulls:
			bitutil.ClearBit(bitmap, before+row)
			count++
			cleanly.AppendNull()
		default:
			value(cleanly, row)
		}
	}
	full := dirtily.NewArray()
	if typ.ID() == arrow.NULL {
		return cleanly.NewArray(), array.NewSlice(full, int64(before), int64(before+rows))
	}
	buffers := append([]*memory.Buffer(nil), full.Data().Buffers()...)
	buffers[0] = memory.NewBufferBytes(bitmap)
	d := array.NewData(typ, rows, buffers, nil, count, before)
	return cleanly.NewArray(), array.MakeFromData(d)
}

func TestArrowBytesAreAFunctionOfTheValues(t *testing.T) {
	r := seeded(t)
	for range rounds(10) {
		for _, typ := range everyType {
			rows := 1 + r.IntN(100)
			clean, dirty := sameValues(r, typ, rows, []float64{0, 0.3, 1}[r.IntN(3)])
			schema := schemaOf(typ)
			for _, format := range binaryFormats() {
				want := rendered(t, format, asIs, schema, array.NewRecordBatch(schema, []arrow.Array{clean}, int64(rows)))
				got := rendered(t, format, asIs, schema, array.NewRecordBatch(schema, []arrow.Array{dirty}, int64(rows)))
				if got != want {
					t.Fatalf("%s as %s: other bytes for the same %d values", typ, format, rows)
				}
			}
		}
	}
}

// Encoders that work in parallel must not show it.
func TestCompressedBytesDoNotDependOnProcessors(t *testing.T) {
	batch := workerBatch(rounds(batchRows))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, compression := range compressions {
		opt, want := Options{Compression: compression}, ""
		for _, processors := range []int{1, 2, 7} {
			runtime.GOMAXPROCS(processors)
			got := rendered(t, "arrows", opt, workerSchema, batch)
			if want == "" {
				want = got
			} else if got != want {
				t.Errorf("%s: other bytes with %d processors", compression, processors)
			}
		}
	}
}

func TestArrowWithoutRows(t *testing.T) {
	schema := schemaOf(arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64)
	empty := randomBatch(seeded(t), schema, 0, 0)
	for _, format := range binaryFormats() {
		content := rendered(t, format, asIs, schema, empty)
		if got, batches := readIPC(t, format, content); !got.Equal(schema) || len(batches) != 0 {
			t.Errorf("%s: %s, %d batches", format, got, len(batches))
		}
		if content != rendered(t, format, asIs, schema) {
			t.Errorf("%s: a batch without rows is written", format)
		}
	}
	stream := rendered(t, "arrows", asIs, schema)
	if marker := "\xff\xff\xff\xff"; stream[:4] != marker || stream[len(stream)-8:] != marker+"\x00\x00\x00\x00" {
		t.Errorf("the stream begins %x and ends %x", stream[:4], stream[len(stream)-8:])
	}
}

func TestUnknownCompression(t *testing.T) {
	for _, name := range binaryFormats() {
		f, _ := Lookup(name)
		err := f.Check(Options{Compression: "gzip"})
		if err == nil || err.Error() != `unknown compression "gzip": none, lz4 or zstd` {
			t.Errorf("%s: %v", name, err)
		}
	}
}
