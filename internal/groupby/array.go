package groupby

import (
	"encoding/binary"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// array makes an Arrow array of the column, whose memory it shares. Null slots
// and the tails of bitmaps are zero, and there is no bitmap where nothing is
// null.
func (c *column) array() arrow.Array {
	buffers := []*memory.Buffer{c.validity()}
	switch {
	case c.typ.ID() == arrow.BOOL:
		buffers = append(buffers, memory.NewBufferBytes(packBools(c.fixed)))
		c.discard(c.fixed)
	case c.width > 0:
		buffers = append(buffers, c.buffer(c.fixed))
	default:
		buffers = c.bytesBuffers(buffers)
	}
	d := array.NewData(c.typ, c.n, buffers, nil, c.nulls, 0)
	defer d.Release()
	for _, b := range buffers {
		if b != nil {
			b.Release() // d has it
		}
	}
	return array.MakeFromData(d)
}

// buffer makes an Arrow buffer of memory that the column allocated.
func (c *column) buffer(b []byte) *memory.Buffer {
	if c.batch == nil {
		return memory.NewBufferBytes(b)
	}
	return memory.NewBufferWithAllocator(b, c.batch)
}

// discard gives memory back that the column allocated.
func (c *column) discard(b []byte) {
	if c.batch != nil {
		c.batch.Free(b)
	}
}

// validity is the bitmap, nil without nulls.
func (c *column) validity() *memory.Buffer {
	if c.nulls == 0 {
		return nil
	}
	words := make([]uint64, len(c.missing))
	for i, w := range c.missing {
		words[i] = ^w
	}
	if tail := c.n & 63; tail != 0 {
		words[len(words)-1] &= 1<<tail - 1
	}
	return memory.NewBufferBytes(bytesOf(words)[:(c.n+7)/8])
}

func packBools(values []byte) []byte {
	packed := make([]byte, (len(values)+7)/8)
	for i, v := range values {
		packed[i>>3] |= v << (i & 7)
	}
	return packed
}

// bytesBuffers appends the buffers of a type whose values have any length.
func (c *column) bytesBuffers(buffers []*memory.Buffer) []*memory.Buffer {
	value := c.buffer(c.bytes)
	switch c.typ.ID() {
	case arrow.LARGE_STRING, arrow.LARGE_BINARY:
		offsets := make([]int64, c.n+1)
		copy(offsets[1:], c.ends)
		c.discard(c.endsIn)
		return append(buffers, memory.NewBufferBytes(bytesOf(offsets)), value)
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		views := make([]byte, 16*c.n)
		for i := range c.n {
			c.putView(views[16*i:], i)
		}
		c.discard(c.endsIn)
		return append(buffers, memory.NewBufferBytes(views), value)
	}
	return append(buffers, c.buffer(c.shortOffsets()), value)
}

// shortOffsets makes offsets of 32 bits out of the ends, where those lie: an
// end is read before what is written reaches it.
func (c *column) shortOffsets() []byte {
	if c.n == 0 {
		return make([]byte, 4)
	}
	raw := c.endsIn[:4*(c.n+1)]
	offsets := cast[int32](raw)[1:]
	for i, end := range c.ends {
		offsets[i] = int32(end)
	}
	clear(raw[:4])
	return raw
}

// putView writes the view of value i, whose bytes lie in buffer 0.
func (c *column) putView(view []byte, i int) {
	value := c.at(i)
	binary.LittleEndian.PutUint32(view, uint32(len(value)))
	if len(value) <= 12 {
		copy(view[4:16], value)
		return
	}
	copy(view[4:8], value)
	binary.LittleEndian.PutUint32(view[12:], uint32(c.start(i)))
}
