package ipcread

import (
	"encoding/binary"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"arrowagg/internal/ipcmeta"
)

// Readable tells whether columns of that type can be decoded: flat ones,
// dictionaries and runs of flat values, and extension types stored so.
func Readable(t arrow.DataType) bool {
	switch t := t.(type) {
	case arrow.ExtensionType:
		return Readable(t.StorageType())
	case *arrow.RunEndEncodedType:
		dictionary, ok := t.Encoded().(*arrow.DictionaryType)
		return flat(t.Encoded()) || ok && flat(dictionary.ValueType)
	case *arrow.DictionaryType:
		return flat(t.ValueType)
	default:
		return flat(t)
	}
}

func flat(t arrow.DataType) bool {
	switch t := t.(type) {
	case arrow.NestedType, *arrow.DictionaryType, arrow.ExtensionType:
		return false
	case *arrow.FixedSizeBinaryType:
		return t.ByteWidth > 0
	default:
		return true
	}
}

// column builds one readable column: rows r of it.
func (d *Decoder) column(c *ipcmeta.Column, at ipcmeta.Span, r rowRange) (*array.Data, error) {
	s := d.slot()
	switch t := c.Type.(type) {
	case *arrow.NullType:
		if _, err := d.node(at.Nodes, r.total); err != nil {
			return nil, err
		}
		s.shape(1)
		return s.finish(t, rowRange{count: r.count}, r.count, nil), nil
	case *arrow.BooleanType:
		return d.boolColumn(s, c, at, r)
	case *arrow.DictionaryType:
		return d.dictionaryColumn(s, c, at, r)
	case *arrow.RunEndEncodedType:
		return d.runEndColumn(s, c, at, r)
	case *arrow.StringType, *arrow.BinaryType:
		return varlenColumn[int32](d, s, c, at, r)
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		return varlenColumn[int64](d, s, c, at, r)
	case *arrow.StringViewType, *arrow.BinaryViewType:
		return d.viewColumn(s, c, at, r)
	default:
		return d.fixedColumn(s, c, at, r)
	}
}

func (d *Decoder) fixedColumn(s *slot, c *ipcmeta.Column, at ipcmeta.Span, r rowRange) (*array.Data, error) {
	s.shape(2)
	nulls, err := d.validity(s, at, r)
	if err != nil {
		return nil, err
	}
	e := elementOf(c.Type.(arrow.FixedWidthDataType))
	values, err := d.elements(s, at, 1, e, r.total)
	if err != nil {
		return nil, err
	}
	width := int64(e.width)
	values = values[r.base()*width : r.end()*width]
	if d.shared.contents {
		if row := firstOutsideDay(s, c.Type, values, r.offset()); row >= 0 {
			return nil, notOfTheDay(r.base() + row)
		}
	}
	s.set(1, values)
	return s.finish(c.Type, r, nulls, nil), nil
}

func (d *Decoder) boolColumn(s *slot, c *ipcmeta.Column, at ipcmeta.Span, r rowRange) (*array.Data, error) {
	s.shape(2)
	nulls, err := d.validity(s, at, r)
	if err != nil {
		return nil, err
	}
	values, err := d.buffer(s, d.bufferAt(at)+1, 1, bytesElement)
	if err != nil {
		return nil, err
	}
	if int64(len(values)) < bytesFor(r.total) {
		return nil, tooShort("values", len(values), r.total)
	}
	s.set(1, values[r.base()/8:bytesFor(r.end())])
	return s.finish(c.Type, r, nulls, nil), nil
}

// elements returns buffer k of a column, which must hold n elements.
func (d *Decoder) elements(s *slot, at ipcmeta.Span, k int, e element, n int64) ([]byte, error) {
	b, err := d.buffer(s, d.bufferAt(at)+k, k, e)
	if err != nil {
		return nil, err
	}
	if n > int64(len(b)/e.width) {
		return nil, tooShort(e.what, len(b), n)
	}
	return b[:n*int64(e.width)], nil
}

func tooShort(what string, size int, n int64) error {
	return faultf(ErrCorrupt, "%s buffer of %d bytes is too short for %d rows", what, size, n)
}

func wrongLength(length, rows int64) error {
	return faultf(ErrCorrupt, "column of %d rows where %d belong", length, rows)
}

func bytesFor(bits int64) int64 { return bits/8 + (bits%8+7)/8 }

// validity copies the bitmap of the wanted rows, counts their nulls and sets
// buffer 0 of the array, which it leaves absent if there are none. A null
// count of 0 in the node means that there is no bitmap, whatever the buffer
// says: so Schema.fbs, and so read other implementations.
func (d *Decoder) validity(s *slot, at ipcmeta.Span, r rowRange) (nulls int64, err error) {
	claimed, err := d.node(at.Nodes, r.total)
	if err != nil || claimed == 0 {
		return 0, err
	}
	bitmap, err := d.buffer(s, d.bufferAt(at), 0, bytesElement)
	if err != nil {
		return 0, err
	}
	switch {
	case len(bitmap) == 0 && claimed > 0:
		return 0, faultf(ErrCorrupt, "%d nulls and no validity bitmap", claimed)
	case len(bitmap) == 0:
		return 0, nil
	case int64(len(bitmap)) < bytesFor(r.total):
		return 0, tooShort("validity", len(bitmap), r.total)
	}
	if d.shared.contents && claimed > 0 && r.first == 0 {
		if counted := r.total - ones(bitmap, 0, r.total); counted != claimed {
			return 0, faultf(ErrCorrupt, "%d nulls, of which its validity bitmap has %d", claimed, counted)
		}
	}
	from := bitmap[r.base()/8 : bytesFor(r.end())]
	valid, err := d.scratch(s, areaValidity, int64(len(from)))
	if err != nil {
		return 0, err
	}
	copy(valid, from)
	if nulls = r.count - ones(valid, r.offset(), r.length()); nulls > 0 {
		s.set(0, valid)
	}
	return nulls, nil
}

// ones counts the bits set from bit first up to bit end.
func ones(b []byte, first, end int64) (n int64) {
	if first == end {
		return 0
	}
	n = -int64(bits.OnesCount8(b[0] & (1<<first - 1))) // first < 8
	for ; end >= 64; end -= 64 {
		n += int64(bits.OnesCount64(binary.LittleEndian.Uint64(b)))
		b = b[8:]
	}
	for ; end >= 8; end -= 8 {
		n += int64(bits.OnesCount8(b[0]))
		b = b[1:]
	}
	if end > 0 {
		n += int64(bits.OnesCount8(b[0] & (1<<end - 1)))
	}
	return n
}

// valid tells whether row i of an array is not null.
func (s *slot) valid(i int64) bool {
	return s.buffers[0] == nil || s.buffers[0].Bytes()[i/8]>>(i%8)&1 != 0
}
