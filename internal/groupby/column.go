package groupby

import (
	"github.com/apache/arrow-go/v18/arrow"
)

// column is a finished output column: values as Arrow lays them out, but for
// booleans, which take a byte each until they go into a batch, and offsets,
// which have 64 bits.
type column struct {
	typ     arrow.DataType
	n       int
	width   int    // bytes a value; 0: of any length
	fixed   []byte // n values
	ends    []int64
	endsIn  []byte // the memory of ends
	bytes   []byte
	missing []uint64 // bit i: value i is null; nil: none is
	nulls   int
	batch   *recycler // whose memory it is in; nil: in alloc's
	alloc   func(int) []byte
}

// newColumn makes a column for n values. Those of fixed width lie in memory
// that alloc gives, of undefined content.
func newColumn(t arrow.DataType, n int, alloc func(int) []byte) *column {
	c := &column{typ: t, n: n, width: slotWidth(t), alloc: alloc}
	if c.width > 0 {
		c.fixed = alloc(n * c.width)
	} else {
		c.endsIn = alloc(8 * n)
		c.ends = cast[int64](c.endsIn)[:0]
	}
	return c
}

// slotWidth is the width of one value in a column; 0: of any length.
func slotWidth(t arrow.DataType) int {
	if t.ID() == arrow.BOOL {
		return 1
	}
	if f, ok := t.(arrow.FixedWidthDataType); ok {
		return f.BitWidth() / 8
	}
	return 0
}

// append adds the next value of a column whose values have any length.
func (c *column) append(value []byte) {
	c.bytes = append(c.bytes, value...)
	c.ends = append(c.ends, int64(len(c.bytes)))
}

// at is value i of a column whose values have any length.
func (c *column) at(i int) []byte {
	return c.bytes[c.start(i):c.ends[i]]
}

// setNull makes value i null, if it is not yet. A value of fixed width becomes zero; one of any
// length must be empty already.
func (c *column) setNull(i int) {
	if c.missing == nil {
		c.missing = make([]uint64, wordsFor(c.n))
	}
	if c.isNull(i) {
		return
	}
	c.missing[i>>6] |= 1 << (i & 63)
	c.nulls++
	if c.width > 0 {
		clear(c.fixed[i*c.width : (i+1)*c.width])
	}
}

// nullRanks makes values null whose rank is that of null.
func (c *column) nullRanks(ranks []uint32, null uint32) {
	for i, r := range ranks {
		if r == null {
			c.setNull(i)
		}
	}
}

func (c *column) isNull(i int) bool {
	return c.missing != nil && c.missing[i>>6]>>(i&63)&1 != 0
}

// putInt stores an integer in a slot of 1 to 8 bytes, which holds it.
func (c *column) putInt(i int, v uint64) {
	for b := range c.width {
		c.fixed[i*c.width+b] = byte(v >> (8 * b))
	}
}

// copyFrom makes values i, i+1, … those of d from lo to hi. Values of any
// length are appended, so i must be the next.
func (c *column) copyFrom(i int, d *column, lo, hi int) {
	if c.width > 0 {
		copy(c.fixed[i*c.width:], d.fixed[lo*c.width:hi*c.width])
	} else {
		from := d.start(lo)
		shift := int64(len(c.bytes)) - from
		c.bytes = append(c.bytes, d.bytes[from:d.start(hi)]...)
		for _, end := range d.ends[lo:hi] {
			c.ends = append(c.ends, end+shift)
		}
	}
	if d.nulls == 0 {
		return
	}
	for k := lo; k < hi; k++ {
		if d.isNull(k) {
			c.setNull(i + k - lo)
		}
	}
}

// start is where value i begins among the bytes.
func (c *column) start(i int) int64 {
	if i == 0 || c.width > 0 {
		return 0
	}
	return c.ends[i-1]
}

// fits returns how many of n values from lo on are together at most maxBytes
// long; of fixed width, all.
func (c *column) fits(lo, n int, maxBytes int64) int {
	if c.start(lo+n)-c.start(lo) <= maxBytes {
		return n
	}
	k := 0
	for c.start(lo+k+1)-c.start(lo) <= maxBytes {
		k++
	}
	return k
}

// heap allocates on Go's heap.
func heap(n int) []byte { return make([]byte, n) }
