package groupby

import "encoding/binary"

// shortValues are keys of up to 15 bytes, each in a slot of its own with its
// length in the last byte, so that any of them is one aligned load.
type shortValues struct {
	slots [][shortBytes + 1]byte // by rank; then null's, which is empty
	most  int                    // length of the longest
}

// shortValuesOf makes the values with some keys of a bytesTable, in order.
func shortValuesOf(t *bytesTable, items []sortItem) shortValues {
	v := shortValues{slots: make([][shortBytes + 1]byte, len(items)+1)}
	for i, it := range items {
		key, slot := t.keys[it.row], &v.slots[i]
		binary.BigEndian.PutUint64(slot[:], key[0])
		binary.BigEndian.PutUint64(slot[8:], key[1])
		v.most = max(v.most, int(slot[shortBytes]))
	}
	return v
}

func (v shortValues) len() int { return len(v.slots) - 1 }

func (v shortValues) at(rank uint32) []byte { return v.slots[rank][:v.length(rank)] }

func (v shortValues) length(rank uint32) int { return int(v.slots[rank][shortBytes]) }

func (v shortValues) longest() int { return v.most }

func (v shortValues) appendTo(c *column, ranks []uint32) {
	c.nullRanks(ranks, uint32(v.len()))
	if c.width > 0 {
		for i, r := range ranks {
			copy(c.fixed[i*c.width:], v.at(r)) // nothing of a null
		}
		return
	}
	dst, at := c.alloc(len(ranks)*v.most+len(v.slots[0])), 0
	c.ends = c.ends[:len(ranks)]
	for i, r := range ranks {
		slot := v.slots[r]
		*(*[shortBytes + 1]byte)(dst[at:]) = slot
		at += int(slot[shortBytes])
		c.ends[i] = int64(at)
	}
	c.bytes = dst[:at]
}

func (v shortValues) view(out *vector, lo, n int) int {
	*out = vector{n: n, lane: laneBytes, offsets: make([]int32, n+1), bytes: make([]byte, 0, n*v.most)}
	for i := range n {
		out.bytes = append(out.bytes, v.at(uint32(lo+i))...)
		out.offsets[i+1] = int32(len(out.bytes))
	}
	return n
}
