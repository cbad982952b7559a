package groupby

import (
	"math/bits"
	"sync/atomic"

	"arrowagg/internal/arena"
)

// slots leads from hashes to codes, by open addressing. A slot is four bytes:
// the code, in as many bits as the table needs for any, and above it, as a tag,
// bits of the hash that did not choose the slot:
//
//	hash  | place | …             … | tag | … |
//	slot                            | tag | code |      0: empty
//
// So nearly every look at a wrong code's key is saved, and a key is a miss of
// the cache where a slot often is none. Equal tags mean nothing yet: whoever
// looks up compares the keys.
//
// One goroutine at a time puts; any number look meanwhile. Slots that are
// outgrown are left as they are for whoever still reads them.
type slots struct {
	at    []uint32 // accessed atomically
	shift uint     // of a hash, for its place: 64 - log2(len(at))
}

func slotsIn(memory []uint64, log uint) slots {
	return slots{at: cast[uint32](bytesOf(memory[:1<<log/2])), shift: 64 - log}
}

// split returns the shift that leaves the place of a hash, and the mask of
// codes. A tag stays where it is in the hash.
func (s *slots) split() (place uint, code uint32) {
	return s.shift & 63, uint32(1<<(64-s.shift) - 1)
}

// look writes for each hash a code whose key may be the one sought: in a table
// that the cache holds the code in the first slot, in a larger one the first
// code with the hash's tag; 0 where there is none. No branch depends on what a
// first slot has.
func (s *slots) look(codes []uint32, hashes []uint64, scratch *internScratch) {
	at := s.at
	place, mask := s.split()
	if len(at) <= cachedSlots {
		codes = codes[:len(hashes)]
		for i, h := range hashes {
			codes[i] = atomic.LoadUint32(&at[h>>place]) & mask
		}
		return
	}
	x := uint32(0)
	for _, h := range hashes {
		x |= atomic.LoadUint32(&at[h>>place])
	}
	scratch.fetched = x // see states.fetch
	for lo := 0; lo < len(hashes); lo += 64 {
		part := hashes[lo:min(lo+64, len(hashes))]
		out, others := codes[lo:][:len(part)], uint64(0)
		for i, h := range part {
			slot := atomic.LoadUint32(&at[h>>place])
			out[i] = slot & mask
			others = shiftIn(others, uint64((slot^uint32(h))&^mask))
		}
		for others >>= 64 - len(part); others != 0; others &= others - 1 {
			i := bits.TrailingZeros64(others)
			probe := s.probe(part[i])
			out[i] = probe.next()
		}
	}
}

// cachedSlots is how many slots, with the keys they lead to, the second-level
// cache holds.
const cachedSlots = 1 << 15

// firstLog is the size of a first table: few values, the common case, then have
// nearly all slots of their own.
const firstLog = 12

// tableKeys is how many keys, code 0 among them, a table of 1<<log slots has: a
// quarter of them where slots cost nothing and going on to the next does, else
// half. With a key more, a large table would take a huge page more.
func tableKeys(log uint) int {
	if 1<<log <= cachedSlots {
		return 1 << log / 4
	}
	return 1 << log / 2
}

// shiftIn shifts into set, from above, whether x is not 0.
func shiftIn(set, x uint64) uint64 { return set>>1 | (x|-x)>>63<<63 }

// probe is a way along the slots that a key can be in.
type probe struct {
	slots *slots
	at    uint64
	tag   uint32
	code  uint32 // mask
}

func (s *slots) probe(hash uint64) probe {
	place, mask := s.split()
	return probe{slots: s, at: hash >> place, tag: uint32(hash) &^ mask, code: mask}
}

// next returns the next code with the tag, 0 if there is no more.
func (p *probe) next() uint32 {
	last := uint64(len(p.slots.at) - 1)
	for {
		slot := atomic.LoadUint32(&p.slots.at[p.at&last])
		p.at++
		if slot == 0 || slot&^p.code == p.tag {
			return slot & p.code
		}
	}
}

// put enters a code; whoever finds it sees what was written before.
func (s *slots) put(hash uint64, code uint32) {
	place, mask := s.split()
	last := uint64(len(s.at) - 1)
	at := hash >> place
	for s.at[at] != 0 {
		at = (at + 1) & last
	}
	atomic.StoreUint32(&s.at[at], uint32(hash)&^mask|code)
}

// outgrown are tables in the arena that others have taken the place of. Workers
// may still be at them, so they are kept until none is left.
type outgrown [][]uint64

func (o *outgrown) add(words []uint64) {
	if len(words) >= largeRecords {
		*o = append(*o, words)
	}
}

func (o *outgrown) drop(memory *arena.Arena) {
	for _, words := range *o {
		memory.Drop(bytesOf(words))
	}
	*o = nil
}

// tableWords returns n zero words for a table: large ones in the arena.
func tableWords(n int, memory *arena.Arena) []uint64 {
	if n < largeRecords {
		return make([]uint64, n)
	}
	return cast[uint64](memory.GetZeroed(8 * n))
}

// heapSize is the memory that tableWords took from Go's heap for n words, in
// bytes; the arena says for itself what it holds.
func heapSize(n int) int64 {
	if n < largeRecords {
		return 8 * int64(n)
	}
	return 0
}
