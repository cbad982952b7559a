package groupby

import "arrowagg/internal/arena"

// packedTable gives packed codes dense ids 0, 1, 2, … It belongs to one worker.
// The number of words a key may change when codes outgrow their bits; ids stay.
type packedTable struct {
	hash  hashing
	words int      // a key
	n     int      // ids given
	slots []uint32 // 1 + id; 0: empty
	keys  []uint64 // by id
	shift uint
	arena *arena.Arena
}

func newPackedTable(h hashing, words int, memory *arena.Arena) packedTable {
	const log = 10
	return packedTable{hash: h, words: words, slots: make([]uint32, 1<<log), shift: 64 - log, arena: memory}
}

// lookup writes the ids of a chunk's keys, new ones where they are new.
func (t *packedTable) lookup(ids []uint32, keys []uint64) {
	for i := range ids {
		ids[i] = t.id(keys[i*t.words : (i+1)*t.words])
	}
}

// id returns the id of one key.
func (t *packedTable) id(key []uint64) uint32 {
	mask := uint64(len(t.slots) - 1)
	for slot := t.hash.words(key) >> t.shift; ; slot = (slot + 1) & mask {
		id := t.slots[slot]
		if id == 0 {
			break
		}
		if t.equal(id-1, key) {
			return id - 1
		}
	}
	if t.n >= len(t.slots)/2 {
		t.rebuild(t.shift - 1)
	}
	t.keys = append(t.keys, key...)
	t.n++
	t.place(uint32(t.n - 1))
	return uint32(t.n - 1)
}

// find is id for a key that need not be there.
func (t *packedTable) find(key []uint64) (id uint32, ok bool) {
	mask := uint64(len(t.slots) - 1)
	for slot := t.hash.words(key) >> t.shift; ; slot = (slot + 1) & mask {
		id := t.slots[slot]
		if id == 0 {
			return 0, false
		}
		if t.equal(id-1, key) {
			return id - 1, true
		}
	}
}

func (t *packedTable) equal(id uint32, key []uint64) bool {
	have := t.keys[int(id)*t.words:][:len(key)]
	for k, w := range key {
		if have[k] != w {
			return false
		}
	}
	return true
}

// place enters an id whose key is set and not in the table.
func (t *packedTable) place(id uint32) {
	mask := uint64(len(t.slots) - 1)
	slot := t.hash.words(t.keys[int(id)*t.words:][:t.words]) >> t.shift
	for t.slots[slot] != 0 {
		slot = (slot + 1) & mask
	}
	t.slots[slot] = id + 1
}

func (t *packedTable) rebuild(shift uint) {
	if old := bytesOf(t.slots); len(old) >= 8*largeRecords {
		t.arena.Drop(old)
	}
	t.slots, t.shift = cast[uint32](bytesOf(tableWords(1<<(64-shift)/2, t.arena))), shift
	for id := range uint32(t.n) {
		t.place(id)
	}
}

// repack brings the keys into another layout.
func (t *packedTable) repack(to, from *layout) {
	keys := make([]uint64, t.n*to.words, max(t.n*to.words, cap(t.keys)))
	for id := range t.n {
		to.repack(keys[id*to.words:(id+1)*to.words], from, t.keys[id*t.words:(id+1)*t.words])
	}
	t.keys, t.words = keys, to.words
	t.rebuild(t.shift)
}
