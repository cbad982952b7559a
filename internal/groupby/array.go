package groupby

import (
	"encoding/binary"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// array makes an Arrow array of the values from lo to hi. Null slots and the
// tails of bitmaps are zero, and there is no bitmap where nothing is null.
// Buffers are never shared with the column where offsets or bits have to be
// made; values of fixed width are.
func (c *column) array(lo, hi int) arrow.Array {
	n := hi - lo
	validity, nulls := c.validity(lo, hi)
	buffers := []*memory.Buffer{validity}
	switch {
	case c.typ.ID() == arrow.BOOL:
		buffers = append(buffers, memory.NewBufferBytes(packBools(c.fixed[lo:hi])))
	case c.width > 0:
		buffers = append(buffers, memory.NewBufferBytes(c.fixed[lo*c.width:hi*c.width]))
	default:
		buffers = c.bytesBuffers(buffers, lo, hi)
	}
	d := array.NewData(c.typ, n, buffers, nil, nulls, 0)
	defer d.Release()
	return array.MakeFromData(d)
}

// validity is the bitmap, nil without nulls.
func (c *column) validity(lo, hi int) (*memory.Buffer, int) {
	if c.missing == nil {
		return nil, 0
	}
	n, nulls := hi-lo, 0
	words := make([]uint64, wordsFor(n))
	readBits(words, bytesOf(c.missing), lo, n)
	for i, w := range words {
		nulls += bits.OnesCount64(w)
		words[i] = ^w
	}
	if nulls == 0 {
		return nil, 0
	}
	if tail := n & 63; tail != 0 {
		words[len(words)-1] &= 1<<tail - 1
	}
	return memory.NewBufferBytes(bytesOf(words)[:(n+7)/8]), nulls
}

func packBools(values []byte) []byte {
	packed := make([]byte, (len(values)+7)/8)
	for i, v := range values {
		packed[i>>3] |= v << (i & 7)
	}
	return packed
}

// fits returns how many of n values from lo on are together at most maxBytes
// long; of fixed width, all.
func (c *column) fits(lo, n, maxBytes int) int {
	if c.width > 0 || n == 0 || c.start(lo+n)-c.start(lo) <= int64(maxBytes) {
		return n
	}
	k := 0
	for c.start(lo+k+1)-c.start(lo) <= int64(maxBytes) {
		k++
	}
	return k
}

// start is where value i begins among the bytes.
func (c *column) start(i int) int64 {
	if i == 0 {
		return 0
	}
	return c.ends[i-1]
}

// bytesBuffers appends the buffers of a type whose values have any length.
func (c *column) bytesBuffers(buffers []*memory.Buffer, lo, hi int) []*memory.Buffer {
	first, last := c.start(lo), c.start(hi)
	value := memory.NewBufferBytes(c.bytes[first:last])
	n := hi - lo
	switch c.typ.ID() {
	case arrow.LARGE_STRING, arrow.LARGE_BINARY:
		offsets := make([]int64, n+1)
		for i := range offsets {
			offsets[i] = c.start(lo+i) - first
		}
		return append(buffers, memory.NewBufferBytes(bytesOf(offsets)), value)
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		views := make([]byte, 16*n)
		for i := range n {
			c.putView(views[16*i:], lo+i, first)
		}
		return append(buffers, memory.NewBufferBytes(views), value)
	}
	offsets := make([]int32, n+1)
	for i := range offsets {
		offsets[i] = int32(c.start(lo+i) - first)
	}
	return append(buffers, memory.NewBufferBytes(bytesOf(offsets)), value)
}

// putView writes the view of value i, whose bytes lie in buffer 0 from first on.
func (c *column) putView(view []byte, i int, first int64) {
	value := c.bytes[c.start(i):c.start(i+1)]
	binary.LittleEndian.PutUint32(view, uint32(len(value)))
	if len(value) <= 12 {
		copy(view[4:16], value)
		return
	}
	copy(view[4:8], value)
	binary.LittleEndian.PutUint32(view[12:], uint32(c.start(i)-first))
}
