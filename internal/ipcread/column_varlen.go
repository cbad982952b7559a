package ipcread

import (
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"arrowagg/internal/ipcmeta"
)

// varlenColumn builds a string or binary column with offsets of type T.
func varlenColumn[T int32 | int64](
	d *Decoder, s *slot, c *ipcmeta.Column, at ipcmeta.Span, r rowRange,
) (*array.Data, error) {
	s.shape(3)
	nulls, err := d.validity(s, at, r)
	if err != nil {
		return nil, err
	}
	chars, err := d.buffer(s, d.bufferAt(at)+2, 2, bytesElement)
	if err != nil {
		return nil, err
	}
	offsets, err := copiedOffsets[T](d, s, at, r, int64(len(chars)))
	if err != nil {
		return nil, err
	}
	if d.shared.contents && isString(c.Type) {
		if row := firstInvalid(s, offsets, chars, r.offset()); row >= 0 {
			return nil, notUTF8(r.base() + row)
		}
	}
	s.set(1, arrow.GetBytes(offsets))
	s.set(2, chars)
	return s.finish(c.Type, r, nulls, nil), nil
}

// copiedOffsets is this decoder's own copy of the offsets of rows r, buffer 1 of
// a column, checked to lead inside so many values.
func copiedOffsets[T int32 | int64](d *Decoder, s *slot, at ipcmeta.Span, r rowRange, values int64) ([]T, error) {
	e := offsetElement[T]()
	width := int64(e.width)
	var from []byte
	if r.total > 0 { // without rows there need not even be the one offset
		b, err := d.elements(s, at, 1, e, r.total+1)
		if err != nil {
			return nil, err
		}
		from = b[r.base()*width : (r.end()+1)*width]
	}
	to, err := d.scratch(s, areaStructure, (r.length()+1)*width)
	if err != nil {
		return nil, err
	}
	offsets := arrow.GetData[T](to)
	if r.total == 0 {
		offsets[0] = 0
	} else if !copyOffsets(offsets, arrow.GetData[T](from), values) {
		return nil, badOffset(offsets, values, r.base())
	}
	return offsets, nil
}

func offsetElement[T int32 | int64]() element {
	var zero T
	return wordElement("offsets", int(unsafe.Sizeof(zero)))
}

func isString(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return true
	}
	return false
}

// badOffset: offset i ends row i, counted from 1, and begins the next.
func badOffset[T int32 | int64](offsets []T, values, base int64) error {
	last := T(0)
	for i, offset := range offsets {
		row := base + max(int64(i), 1)
		if int64(offset) > values || offset < 0 {
			return faultf(ErrCorrupt, "row %d: offset %d is outside 0 to %d", row, offset, values)
		}
		if offset < last {
			return faultf(ErrCorrupt, "row %d: offset %d comes after %d", row, offset, last)
		}
		last = offset
	}
	return faultf(ErrCorrupt, "offsets that are outside 0 to %d", values)
}

func notUTF8(row int64) error {
	return faultf(ErrCorrupt, "row %d: not UTF-8", row+1)
}
