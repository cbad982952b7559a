package groupby

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// newInterner returns the interner for keys of type t.
func newInterner(t arrow.DataType, h hashing) interner {
	switch l, _, _ := laneOf(t); l {
	case laneBytes:
		return newBytesInterner(h, isString(t))
	case laneWords:
		return newBytesInterner(h, false)
	}
	return newWordInterner(h)
}

// rankBy sorts the codes 1 … n and returns the rank of each, and the codes by
// rank.
func rankBy(n int, compare func(a, b uint32) int) (rank, byRank []uint32) {
	byRank = make([]uint32, n)
	for i := range byRank {
		byRank[i] = uint32(i + 1)
	}
	slices.SortFunc(byRank, compare)
	rank = make([]uint32, n+1)
	for i, code := range byRank {
		rank[code] = uint32(i)
	}
	rank[0] = uint32(n) // nulls last
	return rank, byRank
}

func (w *wordInterner) rank() ranking {
	t := w.now.Load()
	rank, byRank := rankBy(w.count(), func(a, b uint32) int { return cmp.Compare(t.keys[a], t.keys[b]) })
	v := wordValues{words: make([]uint64, len(byRank))}
	for i, code := range byRank {
		v.words[i] = t.keys[code]
	}
	return ranking{rank: rank, values: v}
}

func (w *bytesInterner) rank() ranking {
	t := w.now.Load()
	var x, y [16]byte
	rank, byRank := rankBy(w.count(), func(a, b uint32) int {
		ka, kb := t.keys[a], t.keys[b]
		if ka[1]&0xff != longMark && kb[1]&0xff != longMark {
			if c := cmp.Compare(ka[0], kb[0]); c != 0 {
				return c
			}
			return cmp.Compare(ka[1], kb[1])
		}
		return bytes.Compare(w.value(t, a, &x), w.value(t, b, &y))
	})
	v := bytesValues{ends: make([]int64, 0, len(byRank))}
	for _, code := range byRank {
		value := w.value(t, code, &x)
		v.bytes, v.most = append(v.bytes, value...), max(v.most, len(value))
		v.ends = append(v.ends, int64(len(v.bytes)))
	}
	return ranking{rank: rank, values: v}
}

// wordValues are keys with ordered bits.
type wordValues struct{ words []uint64 }

func (v wordValues) len() int { return len(v.words) }

func (v wordValues) appendTo(c *column, ranks []uint32) {
	put := orderedPut(c.typ, c)
	for i, r := range ranks {
		if int(r) == len(v.words) {
			c.setNull(i)
			continue
		}
		put(i, v.words[r])
	}
}

func (v wordValues) view(out *vector, lo, n int) int {
	*out = vector{n: n, lane: laneUints, uints: v.words[lo : lo+n]} // ordered bits of words are the words
	return n
}

func (v wordValues) length(uint32) int { return 0 }
func (v wordValues) longest() int      { return 0 }

// bytesValues are keys of any length, back to back: strings, binary, and
// decimals in ordered bytes.
type bytesValues struct {
	bytes []byte
	ends  []int64
	most  int // length of the longest
}

func (v bytesValues) len() int { return len(v.ends) }

func (v bytesValues) at(rank uint32) []byte {
	var from int64
	if rank > 0 {
		from = v.ends[rank-1]
	}
	return v.bytes[from:v.ends[rank]]
}

func (v bytesValues) appendTo(c *column, ranks []uint32) {
	decimal := isDecimal(c.typ)
	for i, r := range ranks {
		switch {
		case int(r) == len(v.ends):
			if c.width == 0 {
				c.append(nil)
			}
			c.setNull(i)
		case decimal:
			wideOfOrdered(c.fixed[i*c.width:(i+1)*c.width], v.at(r))
		case c.width > 0:
			copy(c.fixed[i*c.width:], v.at(r))
		default:
			c.append(v.at(r))
		}
	}
}

func (v bytesValues) view(out *vector, lo, n int) int {
	var first int64
	if lo > 0 {
		first = v.ends[lo-1]
	}
	offsets := make([]int32, 1, n+1)
	for _, end := range v.ends[lo : lo+n] {
		if len(offsets) > 1 && end-first > maxChunkBytes {
			break
		}
		offsets = append(offsets, int32(end-first))
	}
	n = len(offsets) - 1
	*out = vector{n: n, lane: laneBytes, offsets: offsets, bytes: v.bytes[first:]}
	return n
}

func (v bytesValues) length(rank uint32) int {
	if int(rank) == len(v.ends) {
		return 0
	}
	return len(v.at(rank))
}

func (v bytesValues) longest() int { return v.most }

// wideOfOrdered turns the ordered bytes of a decimal back to Arrow's.
func wideOfOrdered(dst, b []byte) {
	for k := 0; k < len(b); k += 8 {
		binary.LittleEndian.PutUint64(dst[len(b)-8-k:], binary.BigEndian.Uint64(b[k:]))
	}
	dst[len(b)-1] ^= 0x80
}
