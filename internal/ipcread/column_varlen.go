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
	var zero T
	width := int64(unsafe.Sizeof(zero))
	var from []byte
	if r.total > 0 { // without rows there need not even be the one offset
		if from, err = d.elements(s, at, 1, wordElement("offsets", int(width)), r.total+1); err != nil {
			return nil, err
		}
		from = from[r.base()*width : (r.end()+1)*width]
	}
	chars, err := d.buffer(s, d.bufferAt(at)+2, 2, bytesElement)
	if err != nil {
		return nil, err
	}
	to, err := d.scratch(s, areaStructure, (r.length()+1)*width)
	if err != nil {
		return nil, err
	}
	offsets := arrow.GetData[T](to)
	if r.total == 0 {
		offsets[0] = 0
	} else if !copyOffsets(offsets, arrow.GetData[T](from), len(chars)) {
		return nil, badOffset(offsets, len(chars), r.base())
	}
	if d.shared.contents && isString(c.Type) {
		if row := firstInvalid(s, offsets, chars, r.offset()); row >= 0 {
			return nil, notUTF8(r.base() + row)
		}
	}
	s.set(1, to)
	s.set(2, chars)
	return s.finish(c.Type, r, nulls, nil), nil
}

func isString(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return true
	}
	return false
}

func badOffset[T int32 | int64](offsets []T, chars int, base int64) error {
	last := T(0)
	for i, offset := range offsets {
		if offset < last || int64(offset) > int64(chars) {
			return faultf(ErrCorrupt, "row %d: offset %d comes after %d, in %d bytes",
				base+int64(i)+1, offset, last, chars)
		}
		last = offset
	}
	return faultf(ErrCorrupt, "offsets that lead outside %d bytes", chars)
}

func notUTF8(row int64) error {
	return faultf(ErrCorrupt, "row %d: not UTF-8", row+1)
}
