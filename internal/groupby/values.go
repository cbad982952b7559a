package groupby

import (
	"bytes"
	"encoding/binary"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arena"
)

// newInterner returns the interner for keys of type t, which gives so many codes
// at most.
func newInterner(t arrow.DataType, most uint32, h hashing, memory *arena.Arena) interner {
	switch l, _, _ := laneOf(t); l {
	case laneBytes, laneWords:
		w := newBytesInterner(h, isString(t), memory)
		w.most = most
		return w
	}
	w := newWordInterner(h, memory)
	w.most = most
	return w
}

func (w *wordInterner) rank(t arrow.DataType) ranking {
	w.old.drop(w.arena)
	keys := w.now.Load().keys
	items := make([]sortItem, w.count())
	for i := range items {
		items[i] = sortItem{key: keys[i+1], row: uint32(i + 1)}
	}
	new(sorter).sort(items)
	rank := make([]uint32, len(items)+1)
	rank[0] = uint32(len(items)) // nulls last
	v := wordValues{words: make([]uint64, len(items))}
	out := newColumn(t, len(items)+1, heap)
	put := orderedPut(t, out)
	for i, it := range items {
		rank[it.row], v.words[i] = uint32(i), it.key
		put(i, it.key)
	}
	v.slots = out.fixed
	w.drop()
	return ranking{rank: rank, values: v}
}

func (w *bytesInterner) rank(arrow.DataType) ranking {
	w.old.drop(w.arena)
	t := w.now.Load()
	var x, y [16]byte
	full := func(a, b uint32) int { return bytes.Compare(w.value(t, a, &x), w.value(t, b, &y)) }
	items := make([]sortItem, w.count())
	common, short := w.commonPrefix(t, len(items)), true
	for i := range items {
		code := uint32(i + 1)
		short = short && t.keys[code][1]&0xff != longMark
		items[i] = sortItem{key: wordAfter(w.value(t, code, &x), common), row: code}
	}
	new(sorter).sort(items)
	sortTies(items, full)
	rank := make([]uint32, len(items)+1)
	rank[0] = uint32(len(items)) // nulls last
	for i, it := range items {
		rank[it.row] = uint32(i)
	}
	defer w.drop()
	if short {
		return ranking{rank: rank, values: shortValuesOf(t, items)}
	}
	v := bytesValues{starts: make([]int64, 1, len(items)+2)}
	for _, it := range items {
		value := w.value(t, it.row, &x)
		v.bytes, v.most = append(v.bytes, value...), max(v.most, len(value))
		v.starts = append(v.starts, int64(len(v.bytes)))
	}
	v.starts = append(v.starts, int64(len(v.bytes)))
	v.bytes = append(v.bytes, make([]byte, slack)...)
	return ranking{rank: rank, values: v}
}

// commonPrefix is how many bytes all of n values begin with: names and ids often
// differ in their last bytes only, and need not be told apart by comparing them
// in full.
func (w *bytesInterner) commonPrefix(t *bytesTable, n int) int {
	if n == 0 {
		return 0
	}
	var x, y [16]byte
	prefix := w.value(t, 1, &x)
	for code := uint32(2); code <= uint32(n) && len(prefix) > 0; code++ {
		for value := w.value(t, code, &y); !bytes.HasPrefix(value, prefix); {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return len(prefix)
}

// wordAfter is the word that orders values by what follows their first n bytes,
// as far as eight bytes do.
func wordAfter(value []byte, n int) uint64 {
	if n+8 <= len(value) {
		return binary.BigEndian.Uint64(value[n:])
	}
	var word [8]byte
	copy(word[:], value[n:])
	return binary.BigEndian.Uint64(word[:])
}

// wordValues are keys with ordered bits.
type wordValues struct {
	words []uint64
	slots []byte // as they are in the output, and a zero for null
}

func (v wordValues) len() int { return len(v.words) }

func (v wordValues) appendTo(c *column, ranks []uint32) {
	c.nullRanks(ranks, uint32(len(v.words)))
	switch c.width {
	case 1:
		gatherRanks(cast[uint8](c.fixed), cast[uint8](v.slots), ranks)
	case 2:
		gatherRanks(cast[uint16](c.fixed), cast[uint16](v.slots), ranks)
	case 4:
		gatherRanks(cast[uint32](c.fixed), cast[uint32](v.slots), ranks)
	default:
		gatherRanks(cast[uint64](c.fixed), cast[uint64](v.slots), ranks)
	}
}

func gatherRanks[T fixed](dst, slots []T, ranks []uint32) {
	dst = dst[:len(ranks)]
	for i, r := range ranks {
		dst[i] = slots[r]
	}
}

func (v wordValues) view(out *vector, lo, n int) int {
	*out = vector{n: n, lane: laneUints, uints: v.words[lo : lo+n]} // ordered bits of words are the words
	return n
}

func (v wordValues) length(uint32) int { return 0 }
func (v wordValues) longest() int      { return 0 }

// bytesValues are keys of any length, back to back: strings and binary of which
// some are not short, and decimals in ordered bytes.
type bytesValues struct {
	bytes  []byte  // and slack more
	starts []int64 // by rank; then null's, which is empty; then its end
	most   int     // length of the longest
}

func (v bytesValues) len() int { return len(v.starts) - 2 }

func (v bytesValues) at(rank uint32) []byte { return v.bytes[v.starts[rank]:v.starts[rank+1]] }

func (v bytesValues) appendTo(c *column, ranks []uint32) {
	c.nullRanks(ranks, uint32(v.len()))
	switch {
	case c.width == 0:
		v.appendBytes(c, ranks)
	case isDecimal(c.typ):
		for i, r := range ranks {
			if int(r) < v.len() {
				wideOfOrdered(c.fixed[i*c.width:(i+1)*c.width], v.at(r))
			}
		}
	default:
		for i, r := range ranks {
			if int(r) < v.len() {
				copy(c.fixed[i*c.width:], v.at(r))
			}
		}
	}
}

// slack is how far past its end a value may be read, and written, so that short
// values are copied by moves of a fixed size.
const slack = 16

// appendBytes copies values; a null is empty.
func (v bytesValues) appendBytes(c *column, ranks []uint32) {
	room := len(ranks) * v.most
	if v.most > 4*slack { // the longest says little about the others
		room = 0
		for _, r := range ranks {
			room += v.length(r)
		}
	}
	dst, at := c.alloc(room+slack), 0
	c.ends = c.ends[:len(ranks)]
	for i, r := range ranks {
		from, to := v.starts[r], v.starts[r+1]
		if to-from <= slack {
			copy(dst[at:at+slack], v.bytes[from:from+slack])
		} else {
			copy(dst[at:], v.bytes[from:to])
		}
		at += int(to - from)
		c.ends[i] = int64(at)
	}
	c.bytes = dst[:at]
}

func (v bytesValues) view(out *vector, lo, n int) int {
	first := v.starts[lo]
	offsets := make([]int32, 1, n+1)
	for _, end := range v.starts[lo+1 : lo+n+1] {
		if len(offsets) > 1 && end-first > maxChunkBytes {
			break
		}
		offsets = append(offsets, int32(end-first))
	}
	n = len(offsets) - 1
	*out = vector{n: n, lane: laneBytes, offsets: offsets, bytes: v.bytes[first:]}
	return n
}

func (v bytesValues) length(rank uint32) int { return int(v.starts[rank+1] - v.starts[rank]) }

func (v bytesValues) longest() int { return v.most }

// wideOfOrdered turns the ordered bytes of a decimal back to Arrow's.
func wideOfOrdered(dst, b []byte) {
	for k := 0; k < len(b); k += 8 {
		binary.LittleEndian.PutUint64(dst[len(b)-8-k:], binary.BigEndian.Uint64(b[k:]))
	}
	dst[len(b)-1] ^= 0x80
}
