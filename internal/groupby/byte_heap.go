package groupby

import "sync/atomic"

// byteHeap is append-only memory for the bytes of long values. Blocks never
// move and double in size, so that a place (block and offset in one word) stays
// good and readers need no lock for what was published to them.
type byteHeap struct {
	blocks [40][]byte // written once each
	last   int
	used   int // of the last block
	held   atomic.Int64
}

const firstBlock = 1 << 16

func (h *byteHeap) append(value []byte) (place uint64) {
	if h.blocks[h.last] != nil && len(h.blocks[h.last])-h.used < len(value) {
		h.last, h.used = h.last+1, 0
	}
	if h.blocks[h.last] == nil {
		h.blocks[h.last] = make([]byte, max(firstBlock<<h.last, len(value)))
		h.held.Add(int64(len(h.blocks[h.last])))
	}
	place = uint64(h.last)<<56 | uint64(h.used)
	copy(h.blocks[h.last][h.used:], value)
	h.used += len(value)
	return place
}

func (h *byteHeap) at(place uint64, n int) []byte {
	at := int(place & (1<<56 - 1))
	return h.blocks[place>>56][at : at+n : at+n]
}

func (h *byteHeap) size() int64 { return h.held.Load() }
