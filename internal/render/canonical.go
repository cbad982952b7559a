package render

import (
	"encoding/binary"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Two arrays of the same values may differ in bytes that mean nothing: what
// stands before and after a slice, in the slots of nulls, in the last bits of a
// bitmap, in the padding. arrow-go's writers copy some of it into the output,
// which must be the same bytes for the same values. So an array is written in
// its canonical form: no offset, no byte too many, no bitmap without nulls,
// zero where a null is. Mostly that is a narrower view of the same memory;
// what is not zero where it should be is copied.

// canonicalBatch returns a batch with the canonical form of each column. It
// uses the memory of the batch given, which must outlive it.
func canonicalBatch(batch arrow.RecordBatch) arrow.RecordBatch {
	columns := make([]arrow.Array, batch.NumCols())
	for i, a := range batch.Columns() {
		columns[i] = canonical(a)
	}
	return array.NewRecordBatch(batch.Schema(), columns, batch.NumRows())
}

// canonical returns the canonical form of an array of a plain type, and any
// other array as it is.
func canonical(a arrow.Array) arrow.Array {
	d, valid := a.Data(), []byte(nil)
	if a.NullN() > 0 && a.NullBitmapBytes() != nil {
		valid = copyBits(a.NullBitmapBytes(), d.Offset(), d.Len())
	}
	var values []*memory.Buffer
	switch t := a.DataType().(type) {
	case *arrow.DictionaryType, arrow.ExtensionType:
		return a
	case *arrow.BooleanType:
		values = canonicalBits(d, valid)
	case *arrow.BinaryType, *arrow.StringType:
		values = canonicalStrings(d, valid, arrow.Int32Traits.CastFromBytes)
	case *arrow.LargeBinaryType, *arrow.LargeStringType:
		values = canonicalStrings(d, valid, arrow.Int64Traits.CastFromBytes)
	case *arrow.StringViewType:
		return canonicalViews(array.NewStringViewBuilder(memory.DefaultAllocator), a.(*array.StringView))
	case *arrow.BinaryViewType:
		return canonicalViews(array.NewBinaryViewBuilder(memory.DefaultAllocator), a.(*array.BinaryView))
	case arrow.FixedWidthDataType:
		values = canonicalFixed(d, valid, t.BitWidth()/8)
	default:
		return a
	}
	buffers := append([]*memory.Buffer{nil}, values...)
	if valid != nil {
		buffers[0] = memory.NewBufferBytes(valid)
	}
	exact := array.NewData(d.DataType(), d.Len(), buffers, nil, a.NullN(), 0)
	defer exact.Release()
	return array.MakeFromData(exact)
}

func canonicalFixed(d arrow.ArrayData, valid []byte, width int) []*memory.Buffer {
	if d.Len() == 0 || d.Buffers()[1] == nil {
		return []*memory.Buffer{memory.NewBufferBytes(nil)}
	}
	values := d.Buffers()[1].Bytes()[d.Offset()*width:][:d.Len()*width]
	copied := false
	eachNull(valid, d.Len(), func(row int) {
		if zero(values[row*width:][:width]) {
			return
		}
		if !copied {
			values, copied = append([]byte(nil), values...), true
		}
		clear(values[row*width:][:width])
	})
	return []*memory.Buffer{memory.NewBufferBytes(values)}
}

func canonicalBits(d arrow.ArrayData, valid []byte) []*memory.Buffer {
	values := copyBits(d.Buffers()[1].Bytes(), d.Offset(), d.Len())
	for i := range valid {
		values[i] &= valid[i]
	}
	return []*memory.Buffer{memory.NewBufferBytes(values)}
}

// canonicalStrings starts the offsets at zero and leaves nothing where nulls
// are.
func canonicalStrings[T int32 | int64](
	d arrow.ArrayData, valid []byte, cast func([]byte) []T,
) []*memory.Buffer {
	if d.Len() == 0 {
		return []*memory.Buffer{memory.NewBufferBytes(nil), memory.NewBufferBytes(nil)}
	}
	width := d.DataType().(arrow.OffsetsDataType).OffsetTypeTraits().BytesRequired(1)
	offsetBytes := d.Buffers()[1].Bytes()[d.Offset()*width:][:(d.Len()+1)*width]
	offsets := cast(offsetBytes)
	var bytes []byte
	if d.Buffers()[2] != nil {
		bytes = d.Buffers()[2].Bytes()
	}
	asIs := offsets[0] == 0
	eachNull(valid, d.Len(), func(row int) { asIs = asIs && offsets[row] == offsets[row+1] })
	if asIs {
		return []*memory.Buffer{
			memory.NewBufferBytes(offsetBytes),
			memory.NewBufferBytes(bytes[:offsets[d.Len()]]),
		}
	}
	copied := make([]byte, len(offsetBytes))
	rebased, gathered := cast(copied), make([]byte, 0, offsets[d.Len()]-offsets[0])
	for row := range d.Len() {
		if valid == nil || bitutil.BitIsSet(valid, row) {
			gathered = append(gathered, bytes[offsets[row]:offsets[row+1]]...)
		}
		rebased[row+1] = T(len(gathered))
	}
	return []*memory.Buffer{memory.NewBufferBytes(copied), memory.NewBufferBytes(gathered)}
}

// canonicalViews builds the views anew: which buffers the long values lie in
// is the builder's rule then, whatever it was.
func canonicalViews[T any](b interface {
	array.Builder
	Append(T)
}, a interface {
	arrow.Array
	Value(int) T
},
) arrow.Array {
	defer b.Release()
	b.Reserve(a.Len())
	for row := range a.Len() {
		if a.IsNull(row) {
			b.AppendNull()
		} else {
			b.Append(a.Value(row))
		}
	}
	return b.NewArray()
}

// eachNull calls f with the row of each of n values that the bitmap, if there
// is one, says is null.
func eachNull(valid []byte, n int, f func(row int)) {
	for at := 0; at < len(valid); at += 8 {
		nulls := uint64(0)
		if len(valid)-at >= 8 {
			nulls = ^binary.LittleEndian.Uint64(valid[at:])
		} else {
			for i, b := range valid[at:] {
				nulls |= uint64(^b) << (8 * i)
			}
		}
		for ; nulls != 0; nulls &= nulls - 1 {
			if row := 8*at + bits.TrailingZeros64(nulls); row < n {
				f(row)
			}
		}
	}
}

// copyBits returns n bits from offset on, in the fewest bytes, the rest zero.
func copyBits(from []byte, offset, n int) []byte {
	copied := make([]byte, bitutil.BytesForBits(int64(n)))
	bitutil.CopyBitmap(from, offset, n, copied, 0)
	return copied
}

func zero(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b) != 0 {
			return false
		}
	}
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}
