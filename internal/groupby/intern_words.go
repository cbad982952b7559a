package groupby

import (
	"sync"
	"sync/atomic"

	"arrowagg/internal/arena"
)

// wordInterner interns values that have ordered bits (ordered.go).
type wordInterner struct {
	hash  hashing
	arena *arena.Arena
	now   atomic.Pointer[wordTable]
	dense atomic.Pointer[denseWords] // nil: values are far apart
	mu    sync.Mutex
	codes atomic.Uint32 // written under mu
}

// wordTable is an open-addressing table of codes, apart from the keys they
// stand for, so that probing stays in a small array. A table that is outgrown
// is left as it is for whoever still reads it.
type wordTable struct {
	slots []uint32 // 0: empty; accessed atomically
	keys  []uint64 // by code
	shift uint     // 64 - log2(len(slots))
}

func newWordTable(log uint, memory *arena.Arena) *wordTable {
	n := 1<<log/2 + 1 // a slot array is left when it is half full, so codes stay below that
	words := tableWords(1<<log/2+n, memory)
	return &wordTable{slots: cast[uint32](bytesOf(words[:1<<log/2])), keys: words[1<<log/2:], shift: 64 - log}
}

// tableWords returns n zero words for a table: large ones in the arena, where
// they stay until it is closed, since a reader may still be at them.
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

func newWordInterner(h hashing, memory *arena.Arena) *wordInterner {
	w := &wordInterner{hash: h, arena: memory}
	w.now.Store(newWordTable(10, memory))
	return w
}

func (w *wordInterner) count() int { return int(w.codes.Load()) }

func (w *wordInterner) size() int64 {
	t := w.now.Load()
	size := heapSize(len(t.slots)/2 + len(t.keys))
	if d := w.dense.Load(); d != nil {
		size += 4 * int64(len(d.codes))
	}
	return size
}

func (w *wordInterner) intern(codes []uint32, v *vector, s *internScratch) int {
	s.words, s.missed = sized(s.words, v.n), sized(s.missed, v.n)
	orderedKeys(s.words, v)
	t := w.now.Load()
	var missed, added int
	if d := w.dense.Load(); d != nil {
		missed = d.probe(codes, s.words, s.missed)
	} else {
		missed = w.probe(t, codes, s.words, s.missed)
		missed = w.probeNext(t, codes, s.words, s.missed[:missed])
	}
	for _, row := range s.missed[:missed] {
		key := s.words[row]
		codes[row] = t.find(key, w.hash.word(key))
		if codes[row] == 0 {
			s.missed[added] = row
			added++
		}
	}
	s.missed = s.missed[:added]
	if v.valid != nil { // nulls are no keys, whatever stands in their place
		added = 0
		for _, row := range s.missed {
			if v.valid[row>>6]>>(row&63)&1 != 0 {
				s.missed[added] = row
				added++
			}
		}
		s.missed = s.missed[:added]
	}
	if added > 0 {
		w.add(codes, s)
	}
	if v.valid != nil {
		for i := range codes[:v.n] {
			codes[i] &= -uint32(v.valid[i>>6] >> (i & 63) & 1)
		}
	}
	return -1
}

// probe looks at the first slot of every row's key, without a branch that
// depends on what is found there, and lists the rows that need a second look.
func (w *wordInterner) probe(t *wordTable, codes []uint32, words []uint64, missed []int32) int {
	slots, keys, shift := t.slots, t.keys, t.shift&63
	h := w.hash
	codes = codes[:len(words)]
	for i, key := range words {
		codes[i] = atomic.LoadUint32(&slots[h.word(key)>>shift])
	}
	m := 0
	for i, code := range codes {
		missed[m] = int32(i)
		m += nonZero(keys[code]^words[i]) | (int(code)-1)>>63&1 // an empty slot leads to any key
	}
	return m
}

// probeNext looks at the second slots of the rows missed and leaves those in the
// list that need a third look.
func (w *wordInterner) probeNext(t *wordTable, codes []uint32, words []uint64, missed []int32) int {
	mask := uint64(len(t.slots) - 1)
	m := 0
	for _, row := range missed {
		key := words[row]
		code := atomic.LoadUint32(&t.slots[(w.hash.word(key)>>(t.shift&63)+1)&mask])
		codes[row] = code
		missed[m] = row
		m += nonZero(t.keys[code]^key) | (int(code)-1)>>63&1
	}
	return m
}

// find returns the code of a key, 0 if the table does not have it.
func (t *wordTable) find(key, hash uint64) uint32 {
	mask := uint64(len(t.slots) - 1)
	for slot := hash >> t.shift; ; slot = (slot + 1) & mask {
		code := atomic.LoadUint32(&t.slots[slot])
		if code == 0 || t.keys[code] == key {
			return code
		}
	}
}

// put enters a key that the table does not have.
func (t *wordTable) put(key, hash uint64, code uint32) {
	mask := uint64(len(t.slots) - 1)
	slot := hash >> t.shift
	for t.slots[slot] != 0 {
		slot = (slot + 1) & mask
	}
	t.keys[code] = key
	atomic.StoreUint32(&t.slots[slot], code) // the key is seen with the code
}

func (w *wordInterner) add(codes []uint32, s *internScratch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t, n := w.now.Load(), w.codes.Load()
	for _, row := range s.missed {
		key := s.words[row]
		hash := w.hash.word(key)
		code := t.find(key, hash)
		if code == 0 {
			if int(n)+1 >= len(t.keys) {
				t = w.larger(t, n)
				w.now.Store(t)
				w.dense.Store(newDense(t.keys, n))
			}
			if n == maxCodes {
				panic("a key column with more than 2^32 values")
			}
			n++
			code = n
			w.codes.Store(n) // before anybody can find the code
			t.put(key, hash, code)
			if d := w.dense.Load(); d != nil {
				d.put(key, code)
			}
		}
		codes[row] = code
	}
}

func (w *wordInterner) larger(t *wordTable, n uint32) *wordTable {
	u := newWordTable(64-t.shift+1, w.arena)
	for code := uint32(1); code <= n; code++ {
		key := t.keys[code]
		u.put(key, w.hash.word(key), code)
	}
	return u
}

// orderedKeys writes the ordered bits of values as keys: floats that compare
// equal have equal bits, so -0.0 becomes 0.0.
func orderedKeys(dst []uint64, v *vector) {
	switch v.lane {
	case laneInts:
		for i, x := range v.ints[:len(dst)] {
			dst[i] = orderedInt(x)
		}
	case laneUints:
		copy(dst, v.uints)
	case laneFloats:
		for i, x := range v.floats[:len(dst)] {
			if x == 0 {
				x = 0
			}
			dst[i] = orderedFloat(x)
		}
	}
}
