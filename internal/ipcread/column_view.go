package ipcread

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
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
	words := arrow.GetData[uint64](to)
	if row, cause := s.copyViews(words, arrow.GetData[uint64](from), d.shared.contents && isString(c.Type)); cause != nil {
		cause.text = fmt.Sprintf("row %d: %s", r.base()+int64(row)+1, cause.text)
		return nil, cause
	}
	s.set(1, to)
	return s.finish(c.Type, r, nulls, nil), nil
}

// inlineMasks keep the length and as many bytes of a view as that says.
var inlineMasks = func() (masks [inlineView + 1][2]uint64) {
	for n := range masks {
		view := slices.Repeat([]byte{0xFF}, viewSize)
		clear(view[4+n:])
		masks[n] = [2]uint64{binary.LittleEndian.Uint64(view), binary.LittleEndian.Uint64(view[8:])}
	}
	return masks
}()

// copyViews copies views, two words each, checked: null ones as empty, short
// ones with zeros after their bytes. It returns the row at fault, if one is.
func (s *slot) copyViews(to, from []uint64, text bool) (row int, cause *fault) {
	var bitmap []byte
	if s.buffers[0] != nil {
		bitmap = s.buffers[0].Bytes()
	}
	for i := 0; i+1 < len(from) && i+1 < len(to); i += 2 {
		if row := i / 2; bitmap != nil && bitmap[row/8]>>(row%8)&1 == 0 {
			to[i], to[i+1] = 0, 0
			continue
		}
		low, high := from[i], from[i+1]
		if n := uint32(low); n <= inlineView {
			low, high = low&inlineMasks[n][0], high&inlineMasks[n][1]
			if text && (low|high)&highBits != 0 && !inlineValid(low, high) {
				return i / 2, faultf(ErrCorrupt, "not UTF-8")
			}
		} else if cause := s.checkView(low, high, text); cause != nil {
			return i / 2, cause
		}
		to[i], to[i+1] = low, high
	}
	return 0, nil
}

func inlineValid(low, high uint64) bool {
	var b [12]byte
	binary.LittleEndian.PutUint32(b[:], uint32(low>>32))
	binary.LittleEndian.PutUint64(b[4:], high)
	return utf8.Valid(b[:uint32(low)])
}

// checkView checks a view of more than inlineView bytes.
func (s *slot) checkView(low, high uint64, text bool) *fault {
	length, prefix := int64(int32(low)), uint32(low>>32)
	index, offset := int64(int32(high)), int64(int32(high>>32))
	if length < 0 {
		return faultf(ErrCorrupt, "view of %d bytes", length)
	}
	if index < 0 || index >= int64(len(s.buffers)-2) {
		return faultf(ErrCorrupt, "view leads to character buffer %d of %d", index, len(s.buffers)-2)
	}
	chars := s.owned[2+index].Bytes()
	if !lies(offset, length, int64(len(chars))) {
		return faultf(ErrCorrupt, "view leads to byte %d, %d bytes long, of %d", offset, length, len(chars))
	}
	value := chars[offset : offset+length]
	if binary.LittleEndian.Uint32(value) != prefix {
		return faultf(ErrCorrupt, "view does not begin like its value")
	}
	if text && !ascii(value) && !utf8.Valid(value) {
		return faultf(ErrCorrupt, "not UTF-8")
	}
	return nil
}
