package ipcread

import (
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
	if err := s.copyIndices(to, from, t.IndexType, size, r); err != nil {
		return nil, err
	}
	s.set(1, to)
	return s.finish(t, r, nulls, values), nil
}

// copyIndices copies indices, checked. What is outside under a null becomes 0.
func (s *slot) copyIndices(to, from []byte, t arrow.DataType, size int64, r rowRange) error {
	copy(to, from)
	width := t.(arrow.FixedWidthDataType).Bytes()
	half := uint64(1) << (8*width - 1)
	limit := uint64(size)
	signed := arrow.IsSignedInteger(t.ID())
	if signed {
		limit = min(limit, half) // as unsigned numbers, negative ones are above half
	}
	if limit <= half && allBelow(to, width, limit) {
		return nil
	}
	row, index := int64(-1), uint64(0)
	switch width {
	case 1:
		row, index = fixIndices(s, to, limit, r.offset())
	case 2:
		row, index = fixIndices(s, arrow.GetData[uint16](to), limit, r.offset())
	case 4:
		row, index = fixIndices(s, arrow.GetData[uint32](to), limit, r.offset())
	case 8:
		row, index = fixIndices(s, arrow.GetData[uint64](to), limit, r.offset())
	}
	if row < 0 {
		return nil
	}
	shown := any(index)
	if signed {
		shown = int64(index) << (64 - 8*width) >> (64 - 8*width)
	}
	return faultf(ErrCorrupt, "row %d: index %d in a dictionary of %d values", r.base()+row+1, shown, size)
}

// fixIndices sets those under nulls that are not below the limit to 0 and
// returns the first valid row from first on whose index is not, -1 if all are.
func fixIndices[T uint8 | uint16 | uint32 | uint64](s *slot, indices []T, limit uint64, first int64) (int64, uint64) {
	for i, index := range indices {
		if uint64(index) < limit {
			continue
		}
		if row := int64(i); row >= first && s.valid(row) {
			return row, uint64(index)
		}
		indices[i] = 0
	}
	return -1, 0
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
