package ipcread

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow/array"

	"arrowagg/internal/ipcmeta"
)

// A view is 16 bytes: the length, and either up to 12 bytes themselves, or
// their first four, the number of a character buffer and where they begin in it.
const (
	viewSize   = 16
	inlineView = 12
)

func (d *Decoder) viewColumn(s *slot, c *ipcmeta.Column, at ipcmeta.Span, r rowRange) (*array.Data, error) {
	chars := d.charBuffers(at)
	s.shape(2 + chars)
	nulls, err := d.validity(s, at, r)
	if err != nil {
		return nil, err
	}
	from, err := d.elements(s, at, 1, viewElement, r.total)
	if err != nil {
		return nil, err
	}
	from = from[r.base()*viewSize : r.end()*viewSize]
	for k := range chars {
		b, err := d.buffer(s, d.bufferAt(at)+2+k, 2+k, bytesElement)
		if err != nil {
			return nil, err
		}
		s.set(2+k, b)
	}
	to, err := d.scratch(s, areaStructure, int64(len(from)))
	if err != nil {
		return nil, err
	}
	if err := s.copyViews(to, from, isString(c.Type), r.base()); err != nil {
		return nil, err
	}
	s.set(1, to)
	return s.finish(c.Type, r, nulls, nil), nil
}

// copyViews copies views, checked: null ones as empty, short ones with zeros
// after their bytes. Rows are counted from base.
func (s *slot) copyViews(to, from []byte, text bool, base int64) error {
	for i := int64(0); i < int64(len(from))/viewSize; i++ {
		view := (*[viewSize]byte)(to[i*viewSize:])
		if !s.valid(i) {
			*view = [viewSize]byte{}
			continue
		}
		*view = [viewSize]byte(from[i*viewSize:])
		length := int32(binary.NativeEndian.Uint32(view[:]))
		if length < 0 {
			return faultf(ErrCorrupt, "view of %d bytes in row %d", length, base+i+1)
		}
		if length <= inlineView {
			clear(view[4+length:])
			if text && !utf8.Valid(view[4:4+length]) {
				return notUTF8(base + i)
			}
			continue
		}
		if err := s.checkView(view, text, base+i); err != nil {
			return err
		}
	}
	return nil
}

func (s *slot) checkView(view *[viewSize]byte, text bool, row int64) error {
	length := int64(binary.NativeEndian.Uint32(view[:]))
	index := int32(binary.NativeEndian.Uint32(view[8:]))
	offset := int64(int32(binary.NativeEndian.Uint32(view[12:])))
	if index < 0 || int(index) >= len(s.buffers)-2 {
		return faultf(ErrCorrupt, "view in row %d leads to character buffer %d of %d", row+1, index, len(s.buffers)-2)
	}
	chars := s.owned[2+index].Bytes()
	if !lies(offset, length, len(chars)) {
		return faultf(ErrCorrupt, "view in row %d leads to byte %d, %d bytes long, of %d",
			row+1, offset, length, len(chars))
	}
	value := chars[offset : offset+length]
	if [4]byte(value) != [4]byte(view[4:]) {
		return faultf(ErrCorrupt, "view in row %d does not begin like its value", row+1)
	}
	if text && !ascii(value) && !utf8.Valid(value) {
		return notUTF8(row)
	}
	return nil
}
