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
	most  uint32        // codes
	old   outgrown      // guarded by mu
}

// wordTable is slots and, apart from them, the keys that their codes stand for.
type wordTable struct {
	words []uint64 // in which all of it lies
	slots slots
	keys  []uint64 // by code
}

func newWordTable(log uint, memory *arena.Arena) *wordTable {
	n := tableKeys(log)
	words := tableWords(1<<log/2+n, memory)
	return &wordTable{words: words, slots: slotsIn(words, log), keys: words[1<<log/2:]}
}

func newWordInterner(h hashing, memory *arena.Arena) *wordInterner {
	w := &wordInterner{hash: h, arena: memory, most: maxCodes}
	w.now.Store(newWordTable(firstLog, memory))
	return w
}

func (w *wordInterner) count() int { return int(w.codes.Load()) }

func (w *wordInterner) full() bool { return w.codes.Load() == w.most }

func (w *wordInterner) size() int64 {
	return heapSize(len(w.now.Load().words)) + w.dense.Load().size()
}

// drop gives back what values are looked up in.
func (w *wordInterner) drop() {
	w.old.add(w.now.Load().words)
	w.old.drop(w.arena)
	w.now.Store(&wordTable{})
	w.dense.Store(nil)
}

func (w *wordInterner) intern(codes []uint32, v *vector, s *internScratch) int {
	s.words, s.missed = sized(s.words, v.n), sized(s.missed, v.n)
	orderedKeys(s.words, v)
	t := w.now.Load()
	missed, added := 0, 0
	if d := w.dense.Load(); d != nil {
		missed = d.probe(codes, s)
	} else {
		missed = w.lookUp(t, codes, s)
	}
	for _, row := range s.missed[:v.present(codes, s.missed[:missed])] {
		key := s.words[row]
		codes[row] = t.find(key, w.hash.word(key))
		if codes[row] == 0 {
			s.missed[added] = row
			added++
		}
	}
	s.missed = s.missed[:added]
	if added > 0 {
		return w.add(codes, s)
	}
	return -1
}

// lookUp writes the codes that the keys in s lead to, and lists in s the rows
// of those that lead to none or to another key's.
func (w *wordInterner) lookUp(t *wordTable, codes []uint32, s *internScratch) (missed int) {
	s.hashes = sized(s.hashes, len(s.words))
	w.hash.all(s.hashes, s.words)
	t.slots.look(codes, s.hashes, s)
	for lo := 0; lo < len(s.words); lo += 64 {
		words := s.words[lo:min(lo+64, len(s.words))]
		keys, part, others := t.keys, codes[lo:][:len(words)], uint64(0)
		for i, code := range part {
			others = shiftIn(others, keys[code]^words[i]|uint64((int(code)-1)>>63)) // code 0 has any key
		}
		missed = listRows(s.missed, missed, lo, others>>(64-len(words)))
	}
	return missed
}

// find returns the code of a key, 0 if the table does not have it.
func (t *wordTable) find(key, hash uint64) uint32 {
	p := t.slots.probe(hash)
	for {
		if code := p.next(); code == 0 || t.keys[code] == key {
			return code
		}
	}
}

// put enters a key that the table does not have.
func (t *wordTable) put(key, hash uint64, code uint32) {
	t.keys[code] = key
	t.slots.put(hash, code)
}

func (w *wordInterner) add(codes []uint32, s *internScratch) (bad int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t, n := w.now.Load(), w.codes.Load()
	for _, row := range s.missed {
		key := s.words[row]
		hash := w.hash.word(key)
		code := t.find(key, hash)
		if code == 0 {
			if n == w.most {
				return int(row)
			}
			if int(n)+1 >= len(t.keys) {
				t = w.larger(t, n)
				w.now.Store(t)
			}
			n++
			code = n
			w.codes.Store(n) // before anybody can find the code
			t.put(key, hash, code)
			w.place(t.keys[1:n+1], key)
		}
		codes[row] = code
	}
	return -1
}

// place gives the last of the keys its place in the array, or all of them a new
// array whenever they have doubled.
func (w *wordInterner) place(keys []uint64, key uint64) {
	if timeForDense(len(keys)) {
		d := newDense(keys)
		for i, k := range keys {
			d.put(k, uint32(i+1))
		}
		w.dense.Store(d)
	} else {
		w.dense.Load().put(key, uint32(len(keys)))
	}
}

func (w *wordInterner) larger(t *wordTable, n uint32) *wordTable {
	u := newWordTable(64-t.slots.shift+1, w.arena)
	for code := uint32(1); code <= n; code++ {
		key := t.keys[code]
		u.put(key, w.hash.word(key), code)
	}
	w.old.add(t.words)
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
