package groupby

import "sync/atomic"

// denseWords leads from values to codes where values lie close together (ids,
// days, status codes): an array over their range, which needs neither hash nor
// comparison, and one load where a table needs two. It only shortens the way:
// the table knows every value too, and values outside the range are looked up
// there.
type denseWords struct {
	base  uint64
	codes []uint32 // by value - base; 0: not known here; accessed atomically
}

const (
	maxDense = 1 << 22 // values in the range
	density  = 16      // of that many values in the range one must be there
)

// newDense returns the array for the keys 1 … n of a table, nil if they are too
// far apart. There is room at both ends for values yet to come.
func newDense(keys []uint64, n uint32) *denseWords {
	low, high := keys[1], keys[1]
	for _, k := range keys[1 : n+1] {
		low, high = min(low, k), max(high, k)
	}
	span := high - low
	if span >= maxDense || span >= density*uint64(n) {
		return nil
	}
	room := span/2 + 1
	d := &denseWords{base: low - min(room, low)}
	top := high + min(room, ^uint64(0)-high)
	d.codes = make([]uint32, top-d.base+1)
	for code := uint32(1); code <= n; code++ {
		d.codes[keys[code]-d.base] = code
	}
	return d
}

// put notes the code of a key, if it is in the range.
func (d *denseWords) put(key uint64, code uint32) {
	if i := key - d.base; i < uint64(len(d.codes)) {
		atomic.StoreUint32(&d.codes[i], code)
	}
}

// probe writes the codes that are known and lists the rows of other keys.
func (d *denseWords) probe(codes []uint32, words []uint64, missed []int32) int {
	table, base := d.codes, d.base
	last := uint64(len(table) - 1)
	codes = codes[:len(words)]
	m := 0
	for i, key := range words {
		at := min(key-base, last) // what is past the end is checked below
		code := atomic.LoadUint32(&table[at])
		codes[i] = code
		missed[m] = int32(i)
		m += nonZero(at^(key-base)) | (nonZero(uint64(code)) ^ 1)
	}
	return m
}
