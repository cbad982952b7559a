package arrange

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
)

// column is a column of a batch, as a view of its memory.
type column struct {
	typ    arrow.DataType
	offset int
	valid  []byte // bitmap; nil: no nulls

	fixed []byte // values of fixed width, width bytes each; bits of booleans
	width int
	small []int32 // offsets of values of any length, one of the two
	large []int64
	bytes []byte
	views *array.BinaryView
}

func newColumn(a arrow.Array) column {
	d := a.Data()
	c := column{typ: a.DataType(), offset: d.Offset()}
	buffer := func(i int) []byte {
		if b := d.Buffers(); i < len(b) && b[i] != nil {
			return b[i].Bytes()
		}
		return nil
	}
	if a.NullN() > 0 {
		c.valid = buffer(0)
	}
	switch t := a.DataType().(type) {
	case *arrow.StringType, *arrow.BinaryType:
		c.small, c.bytes = arrow.Int32Traits.CastFromBytes(buffer(1)), buffer(2)
	case *arrow.LargeBinaryType, *arrow.LargeStringType:
		c.large, c.bytes = arrow.Int64Traits.CastFromBytes(buffer(1)), buffer(2)
	case *arrow.BinaryViewType:
		c.views = a.(*array.BinaryView)
	case arrow.FixedWidthDataType:
		c.fixed, c.width = buffer(1), t.BitWidth()/8
	}
	return c
}

func (c *column) isNull(row int) bool {
	return c.valid != nil && !bitutil.BitIsSet(c.valid, c.offset+row)
}

// value is the bytes of a value, of whatever length; booleans have none.
func (c *column) value(row int) []byte {
	i := c.offset + row
	switch {
	case c.width > 0:
		return c.fixed[i*c.width : (i+1)*c.width]
	case c.small != nil:
		return c.bytes[c.small[i]:c.small[i+1]]
	case c.large != nil:
		return c.bytes[c.large[i]:c.large[i+1]]
	}
	return c.views.Value(row)
}

// size is the bytes of the memory in which values of any length lie.
func (c *column) size() int64 {
	if c.views == nil {
		return int64(len(c.bytes))
	}
	total := int64(0)
	for i := range c.views.Len() {
		total += int64(c.views.ValueLen(i))
	}
	return total
}

func (c *column) boolean(row int) bool { return bitutil.BitIsSet(c.fixed, c.offset+row) }

// varies tells whether values of a type have different lengths.
func varies(t arrow.DataType) bool {
	_, fixed := t.(arrow.FixedWidthDataType)
	return !fixed
}
