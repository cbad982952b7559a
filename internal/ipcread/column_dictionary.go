package ipcread

import (
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"arrowagg/internal/ipcmeta"
)

// dictionaryColumn builds a dictionary-encoded column: checked indices, and
// the values as they were where the batch stands in its stream.
func (d *Decoder) dictionaryColumn(s *slot, c *ipcmeta.Column, at ipcmeta.Span, r rowRange) (*array.Data, error) {
	t := c.Type.(*arrow.DictionaryType)
	s.shape(2)
	nulls, err := d.validity(s, at, r)
	if err != nil {
		return nil, err
	}
	width := t.IndexType.(arrow.FixedWidthDataType).Bytes()
	from, err := d.elements(s, at, 1, wordElement("indices", width), r.total)
	if err != nil {
		return nil, err
	}
	from = from[r.base()*int64(width) : r.end()*int64(width)]
	to, err := d.scratch(s, areaStructure, int64(len(from)))
	if err != nil {
		return nil, err
	}
	var values *array.Data
	size := int64(0)
	if v := d.batch.dicts.version(c.Dictionary); v != nil {
		size = v.length
		if values, err = v.decoded(d.shared); err != nil {
			return nil, err
		}
	} else if nulls < r.count {
		return nil, faultf(ErrCorrupt, "no dictionary with id %d came before the batch",
			d.batch.schema.Dictionaries[c.Dictionary].ID)
	} else {
		values = s.emptyValues(t.ValueType)
	}
	switch width {
	case 1:
		err = copyIndices[uint8](s, to, from, size, r)
	case 2:
		err = copyIndices[uint16](s, to, from, size, r)
	case 4:
		err = copyIndices[uint32](s, to, from, size, r)
	case 8:
		err = copyIndices[uint64](s, to, from, size, r)
	}
	if err != nil {
		return nil, err
	}
	s.set(1, to)
	return s.finish(t, r, nulls, values), nil
}

// copyIndices copies indices and checks them as unsigned numbers: a negative
// one is far outside as well. What is outside under a null becomes 0.
func copyIndices[T uint8 | uint16 | uint32 | uint64](s *slot, to, from []byte, size int64, r rowRange) error {
	dst, src := arrow.GetData[T](to), arrow.GetData[T](from)
	if uint64(copyMax(dst, src)) < uint64(size) {
		return nil
	}
	for i, index := range dst {
		if uint64(index) < uint64(size) {
			continue
		}
		if row := int64(i); row >= r.offset() && s.valid(row) {
			signed := int64(index) << (64 - 8*unsafe.Sizeof(index)) >> (64 - 8*unsafe.Sizeof(index))
			return faultf(ErrCorrupt, "row %d: index %d in a dictionary of %d values",
				r.base()+row+1, signed, size)
		}
		dst[i] = 0
	}
	return nil
}

// emptyValues is the dictionary of a batch that needs none: it has only nulls.
// The next such batch gets the same one.
func (s *slot) emptyValues(t arrow.DataType) *array.Data {
	if s.empty != nil && s.empty.DataType() == t {
		return s.empty
	}
	buffers := 2
	switch t.ID() {
	case arrow.NULL:
		buffers = 1
	case arrow.STRING, arrow.BINARY, arrow.LARGE_STRING, arrow.LARGE_BINARY:
		buffers = 3
	}
	s.empty = array.NewData(t, 0, make([]*memory.Buffer, buffers), nil, 0, 0)
	return s.empty
}
