package ipcread

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// gen makes random columns of any readable type.
type gen struct{ *rand.Rand }

var flatTypes = []arrow.DataType{
	arrow.Null, arrow.FixedWidthTypes.Boolean,
	arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16,
	arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
	arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16,
	arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
	arrow.FixedWidthTypes.Float16, arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64,
	arrow.FixedWidthTypes.Date32, arrow.FixedWidthTypes.Date64,
	arrow.FixedWidthTypes.Time32s, arrow.FixedWidthTypes.Time64ns,
	arrow.FixedWidthTypes.Duration_ms, arrow.FixedWidthTypes.Timestamp_us,
	arrow.FixedWidthTypes.MonthInterval, arrow.FixedWidthTypes.DayTimeInterval,
	arrow.FixedWidthTypes.MonthDayNanoInterval,
	&arrow.Decimal32Type{Precision: 9, Scale: 2}, &arrow.Decimal64Type{Precision: 18, Scale: 3},
	&arrow.Decimal128Type{Precision: 38, Scale: 4}, &arrow.Decimal256Type{Precision: 76, Scale: 5},
	&arrow.FixedSizeBinaryType{ByteWidth: 5},
	arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString, arrow.BinaryTypes.StringView,
	arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary, arrow.BinaryTypes.BinaryView,
}

func (g gen) pick(types []arrow.DataType) arrow.DataType { return types[g.IntN(len(types))] }

// typ is any readable type: flat, a dictionary, or runs of either.
func (g gen) typ() arrow.DataType {
	value := g.pick(flatTypes)
	if g.IntN(5) == 0 && value.ID() != arrow.NULL {
		index := g.pick(flatTypes[2:10])
		value = &arrow.DictionaryType{IndexType: index, ValueType: value}
	}
	if g.IntN(6) == 0 {
		ends := flatTypes[3+g.IntN(3)]
		return arrow.RunEndEncodedOf(ends, value)
	}
	return value
}

func (g gen) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.Uint32())
	}
	return b
}

func (g gen) text() string {
	const letters = "aaaabcé世\x00 🙂"
	runes := []rune(letters)
	s := make([]rune, g.IntN(20))
	for i := range s {
		s[i] = runes[g.IntN(len(runes))]
	}
	return string(s)
}

// bitmap is n bits and how many of them are zero; now and then all ones.
func (g gen) bitmap(n int) (b *memory.Buffer, zeros int) {
	bits := g.bytes(n/8 + 1)
	if g.IntN(3) == 0 {
		for i := range bits {
			bits[i] = 0xFF
		}
	}
	return memory.NewBufferBytes(bits), n - int(ones(bits, 0, int64(n)))
}

// array is n random values.
func (g gen) array(t arrow.DataType, n int) arrow.Array {
	switch t := t.(type) {
	case *arrow.NullType:
		return array.NewNull(n)
	case *arrow.DictionaryType:
		return g.dictionary(t, n)
	case *arrow.RunEndEncodedType:
		return g.runs(t, n)
	case arrow.FixedWidthDataType:
		valid, nulls := g.bitmap(n)
		values := memory.NewBufferBytes(g.bytes((n*t.BitWidth() + 7) / 8))
		g.keepToDays(t, values.Bytes())
		return array.MakeFromData(array.NewData(t, n, []*memory.Buffer{valid, values}, nil, nulls, 0))
	}
	b := array.NewBuilder(memory.DefaultAllocator, t)
	for range n {
		switch b := b.(type) {
		case interface{ Append(string) }:
			b.Append(g.text())
		case interface{ Append([]byte) }:
			b.Append(g.bytes(g.IntN(30)))
		}
		if g.IntN(4) == 0 {
			b.AppendNull()
		}
	}
	long := b.NewArray()
	return array.NewSlice(long, int64(long.Len()-n), int64(long.Len()))
}

// keepToDays makes random bytes times of day, if that is their type.
func (g gen) keepToDays(t arrow.DataType, values []byte) {
	switch t := t.(type) {
	case *arrow.Time32Type:
		for i := range arrow.GetData[int32](values) {
			arrow.GetData[int32](values)[i] = g.Int32N(int32(24 * time.Hour / t.Unit.Multiplier()))
		}
	case *arrow.Time64Type:
		for i := range arrow.GetData[int64](values) {
			arrow.GetData[int64](values)[i] = g.Int64N(int64(24 * time.Hour / t.Unit.Multiplier()))
		}
	}
}

func (g gen) dictionary(t *arrow.DictionaryType, n int) arrow.Array {
	values := g.array(t.ValueType, 1+g.IntN(100))
	width := t.IndexType.(arrow.FixedWidthDataType).Bytes()
	indices := make([]byte, n*width)
	for i := range n {
		indices[i*width] = byte(g.IntN(values.Len())) // little-endian
	}
	valid, nulls := g.bitmap(n)
	return array.MakeFromData(array.NewDataWithDictionary(t, n,
		[]*memory.Buffer{valid, memory.NewBufferBytes(indices)}, nulls, 0, values.Data().(*array.Data)))
}

func (g gen) runs(t *arrow.RunEndEncodedType, n int) arrow.Array {
	ends := array.NewBuilder(memory.DefaultAllocator, t.RunEnds())
	runs := 0
	for end := 0; end < n; runs++ {
		end += 1 + g.IntN(9)
		switch b := ends.(type) {
		case *array.Int16Builder:
			b.Append(int16(end))
		case *array.Int32Builder:
			b.Append(int32(end))
		case *array.Int64Builder:
			b.Append(int64(end))
		}
	}
	return array.NewRunEndEncodedArray(ends.NewArray(), g.array(t.Encoded(), runs), n, 0)
}

// rows is mostly few.
func (g gen) rows() int {
	return []int{0, 1, g.IntN(8), g.IntN(70), g.IntN(300)}[g.IntN(5)]
}

// stream is a random stream and its batches. Dictionaries stay the same: which
// deltas and replacements mean what is tested by itself.
func (g gen) stream(codec ...ipc.Option) ([]byte, []arrow.RecordBatch) {
	fields := make([]arrow.Field, g.IntN(6))
	for i := range fields {
		fields[i] = arrow.Field{Name: fmt.Sprint("c", i), Type: g.typ(), Nullable: true}
	}
	schema := arrow.NewSchema(fields, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, append(codec, ipc.WithSchema(schema))...)
	var batches []arrow.RecordBatch
	for range 1 + g.IntN(3) {
		n := g.rows()
		before, after := g.IntN(10), g.IntN(10) // sliced off
		columns := make([]arrow.Array, len(fields))
		for i, f := range fields {
			columns[i] = array.NewSlice(g.array(f.Type, before+n+after), int64(before), int64(before+n))
		}
		batch := array.NewRecordBatch(schema, columns, int64(n))
		if err := w.Write(batch); err != nil {
			panic(err)
		}
		batches = append(batches, batch)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes(), batches
}

var codecs = map[string][]ipc.Option{"none": nil, "lz4": {ipc.WithLZ4()}, "zstd": {ipc.WithZstd()}}

// TestRandomStreams writes random batches, decodes them, whole and in morsels,
// in both byte orders, and compares with what was written and with arrow-go.
func TestRandomStreams(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	for codec, options := range codecs {
		t.Run("codec="+codec, func(t *testing.T) {
			for range rounds {
				seed := rand.Uint64()
				g := gen{rand.New(rand.NewPCG(seed, 0))}
				b, batches := g.stream(options...)
				if err := g.check(b, batches); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		})
	}
}

func (g gen) check(b []byte, batches []arrow.RecordBatch) error {
	got, err := framed(b)
	if err != nil || len(got) != len(batches) {
		return fmt.Errorf("%d batches, want %d: %w", len(got), len(batches), err)
	}
	read, err := oracle(b)
	if err != nil {
		return fmt.Errorf("oracle: %w", err)
	}
	d := newDecoder(testDecoding())
	for n := range got {
		f := &got[n]
		for i, column := range batches[n].Columns() {
			want := cells(column)
			if !slices.Equal(want, read[n][i]) {
				return fmt.Errorf("batch %d, %v: oracle read %v, want %v", n, column.DataType(), read[n][i], want)
			}
			for _, order := range []*framedBatch{f, otherOrder(f)} {
				if err := g.decodesTo(d, order, i, want); err != nil {
					return fmt.Errorf("batch %d, %v: %w", n, column.DataType(), err)
				}
			}
		}
	}
	return nil
}

// decodesTo decodes column i whole and cut in three.
func (g gen) decodesTo(d *Decoder, f *framedBatch, i int, want []string) error {
	rows := f.msg.Rows()
	a, b := g.Int64N(rows+1), g.Int64N(rows+1)
	for _, cuts := range [][]int64{{0, rows}, {0, min(a, b), max(a, b), rows}} {
		for j := range cuts[1:] {
			first, end := cuts[j], cuts[j+1]
			arrays, err := d.decode(f, first, end-first, []int{-1, i})
			if err != nil {
				return fmt.Errorf("rows %d to %d: %w", first, end, err)
			}
			got := texts(arrays)[1]
			if !slices.Equal(got, want[first:end]) {
				return fmt.Errorf("rows %d to %d: %v, want %v", first, end, got, want[first:end])
			}
			if err := promised(array.MakeFromData(arrays[1])); err != nil {
				return fmt.Errorf("rows %d to %d: %w", first, end, err)
			}
		}
	}
	return nil
}

// promised holds an array against what Decode says of its arrays.
func promised(a arrow.Array) error {
	d := a.Data()
	switch a.(type) {
	case *array.RunEndEncoded, *array.Null:
		return nil
	}
	if d.Offset() > 7 {
		return fmt.Errorf("offset %d", d.Offset())
	}
	nulls := 0
	for i := range a.Len() {
		if a.IsNull(i) {
			nulls++
		}
	}
	if bitmap := d.Buffers()[0]; nulls != a.NullN() || nulls == 0 && bitmap != nil {
		return fmt.Errorf("%d nulls, said to be %d", nulls, a.NullN())
	}
	return nil
}
