package groupby

import (
	"bytes"
	"encoding/binary"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"arrowagg/internal/arena"
)

// bytesInterner interns strings, binary, and decimals in their ordered bytes.
//
// A value of up to 15 bytes is packed into two words, its length in the last
// byte, so that comparing words compares values:
//
//	"host-7"       h o s t - 7 0 0 | 0 0 0 0 0 0 0  6     big-endian
//	longer values  hash            | length         255   then their bytes
type bytesInterner struct {
	text  bool // values must be valid UTF-8
	hash  hashing
	arena *arena.Arena
	now   atomic.Pointer[bytesTable]
	mu    sync.Mutex
	codes atomic.Uint32 // written under mu
	most  uint32        // codes
	heap  byteHeap
	old   outgrown // guarded by mu

	numerals atomic.Pointer[numerals] // nil: values are not alike
}

// bytesTable is a wordTable with two words a key, and the place of long values.
type bytesTable struct {
	words []uint64 // in which all of it lies
	slots slots
	keys  [][2]uint64
	long  []uint64 // by code: place in the heap
}

const (
	shortBytes = 15
	longMark   = 255
)

func newBytesTable(log uint, memory *arena.Arena) *bytesTable {
	n := tableKeys(log)
	words := tableWords(1<<log/2+3*n, memory)
	t := &bytesTable{words: words, slots: slotsIn(words, log)}
	words = words[1<<log/2:]
	t.keys, t.long = pairs(words[:2*n]), words[2*n:]
	t.keys[0] = [2]uint64{0, 254} // what no code leads to: no value's key
	return t
}

func newBytesInterner(h hashing, text bool, memory *arena.Arena) *bytesInterner {
	w := &bytesInterner{hash: h, text: text, arena: memory, most: maxCodes}
	w.now.Store(newBytesTable(firstLog, memory))
	return w
}

func (w *bytesInterner) count() int { return int(w.codes.Load()) }

func (w *bytesInterner) full() bool { return w.codes.Load() == w.most }

func (w *bytesInterner) size() int64 {
	return heapSize(len(w.now.Load().words)) + w.heap.size() + w.numerals.Load().size()
}

// drop gives back what values are looked up in.
func (w *bytesInterner) drop() {
	w.old.add(w.now.Load().words)
	w.old.drop(w.arena)
	w.now.Store(&bytesTable{})
	w.numerals.Store(nil)
}

func (w *bytesInterner) intern(codes []uint32, v *vector, s *internScratch) int {
	if v.lane == laneWords {
		v = orderedBytes(v, s)
	}
	s.pairs, s.hashes, s.missed = sized(s.pairs, v.n), sized(s.hashes, v.n), sized(s.missed, v.n)
	t, r := w.now.Load(), s.recent
	if n := w.numerals.Load(); n != nil && s.numerals.wanted() {
		missed := v.present(codes, s.missed[:n.look(codes, v, s)])
		if s.numerals.pays(missed, v.n) {
			for _, row := range s.missed[:missed] {
				s.pairs[row] = w.key(v.at(int(row)))
			}
			return w.resolveFew(t, codes, missed, v, s)
		}
	}
	if r != nil && r.wanted() {
		if missed := r.look(w, codes, v, s); r.pays(missed, v.n) {
			return w.resolveFew(t, codes, missed, v, s)
		}
	}
	long := w.packAll(s.pairs, v)
	w.hash.pairs(s.hashes, s.pairs)
	t.slots.look(codes, s.hashes, s)
	var missed int
	if long {
		missed = w.compareLong(t, codes, v, s)
	} else {
		missed = t.compare(codes, s)
	}
	bad := w.resolve(t, codes, missed, v, s)
	if bad < 0 && r != nil && r.soon() {
		for i := range s.pairs {
			r.put(&w.hash, s.pairs[i], codes[i])
		}
	}
	return bad
}

// resolveFew is resolve for rows whose hashes were not made.
func (w *bytesInterner) resolveFew(t *bytesTable, codes []uint32, missed int, v *vector, s *internScratch) (bad int) {
	for _, row := range s.missed[:missed] {
		s.hashes[row] = w.hash.pair(s.pairs[row][0], s.pairs[row][1])
	}
	return w.resolve(t, codes, missed, v, s)
}

// resolve looks up the missed rows one by one, whose keys and hashes are in s,
// and adds those that are new.
func (w *bytesInterner) resolve(t *bytesTable, codes []uint32, missed int, v *vector, s *internScratch) (bad int) {
	added, last := 0, int32(-1) // the row before that was missed
	for _, row := range s.missed[:missed] {
		if !v.has(int(row)) {
			codes[row] = 0
			continue
		}
		if last >= 0 && sameShort(&s.pairs[row], &s.pairs[last]) { // new keys of sorted rows
			codes[row] = codes[last]
		} else {
			codes[row] = w.find(t, s.pairs[row], s.hashes[row], v.at(int(row)))
		}
		last = row
		if codes[row] == 0 {
			s.missed[added] = row
			added++
		} else if s.recent != nil && s.recent.soon() {
			s.recent.put(&w.hash, s.pairs[row], codes[row])
		}
	}
	s.missed = s.missed[:added]
	if added > 0 {
		return w.add(codes, v, s)
	}
	return -1
}

// sameShort reports whether two keys are those of one short value.
func sameShort(a, b *[2]uint64) bool { return *a == *b && a[1]&0xff != longMark }

// compare lists in s the rows whose codes are not those of their keys, for new
// keys and nulls have none.
func (t *bytesTable) compare(codes []uint32, s *internScratch) (missed int) {
	keys, pairs := t.keys, s.pairs
	codes = codes[:len(pairs)]
	if len(t.slots.at) > cachedSlots {
		x := uint64(0)
		for _, code := range codes {
			x |= keys[code][0]
		}
		s.fetched = uint32(x) // see states.fetch
	}
	for lo := 0; lo < len(codes); lo += 64 {
		part, others := codes[lo:min(lo+64, len(codes))], uint64(0)
		pairs := pairs[lo:][:len(part)]
		for i, code := range part {
			p, k := &pairs[i], &keys[code]
			others = shiftIn(others, (k[0]^p[0])|(k[1]^p[1]))
		}
		missed = listRows(s.missed, missed, lo, others>>(64-len(part)))
	}
	return missed
}

// compareLong is compare where there are long values, whose bytes have to be
// compared too.
func (w *bytesInterner) compareLong(t *bytesTable, codes []uint32, v *vector, s *internScratch) (missed int) {
	m := 0
	for i := range s.pairs {
		p, code := &s.pairs[i], codes[i]
		same := t.keys[code] == *p
		if same && p[1]&0xff == longMark {
			same = bytes.Equal(w.heap.at(t.long[code], int(p[1]>>8)), v.at(i))
		}
		if !same {
			s.missed[m] = int32(i)
			m++
		}
	}
	return m
}

// find returns the code of a value, 0 if the table does not have it.
func (w *bytesInterner) find(t *bytesTable, key [2]uint64, hash uint64, value []byte) uint32 {
	p := t.slots.probe(hash)
	for {
		code := p.next()
		if code == 0 {
			return 0
		}
		if t.keys[code] == key && (len(value) <= shortBytes || bytes.Equal(w.heap.at(t.long[code], len(value)), value)) {
			return code
		}
	}
}

// put enters a key that the table does not have.
func (t *bytesTable) put(key [2]uint64, long, hash uint64, code uint32) {
	t.keys[code], t.long[code] = key, long
	t.slots.put(hash, code)
}

func (w *bytesInterner) add(codes []uint32, v *vector, s *internScratch) (bad int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t, n := w.now.Load(), w.codes.Load()
	for i, row := range s.missed {
		if i > 0 && sameShort(&s.pairs[row], &s.pairs[s.missed[i-1]]) {
			codes[row] = codes[s.missed[i-1]]
			continue
		}
		value, key, hash := v.at(int(row)), s.pairs[row], s.hashes[row]
		code := w.find(t, key, hash, value)
		if code == 0 {
			if w.text && !utf8.Valid(value) {
				return int(row)
			}
			if n == w.most {
				return int(row)
			}
			if int(n)+1 >= len(t.keys) {
				t = w.larger(t, n)
				w.now.Store(t)
			}
			var long uint64
			if len(value) > shortBytes {
				long = w.heap.append(value)
			}
			n++
			code = n
			w.codes.Store(n) // before anybody can find the code
			t.put(key, long, hash, code)
			if timeForDense(int(n)) {
				w.numerals.Store(newNumerals(t.keys[1 : n+1]))
			} else {
				w.numerals.Load().put(key, code)
			}
		}
		codes[row] = code
	}
	return -1
}

func (w *bytesInterner) larger(t *bytesTable, n uint32) *bytesTable {
	u := newBytesTable(64-t.slots.shift+1, w.arena)
	for code := uint32(1); code <= n; code++ {
		key := t.keys[code]
		u.put(key, t.long[code], w.hash.pair(key[0], key[1]), code)
	}
	w.old.add(t.words)
	return u
}

// value is the bytes of a code, written to buf if they are packed.
func (w *bytesInterner) value(t *bytesTable, code uint32, buf *[16]byte) []byte {
	key := t.keys[code]
	if key[1]&0xff == longMark {
		return w.heap.at(t.long[code], int(key[1]>>8))
	}
	binary.BigEndian.PutUint64(buf[:], key[0])
	binary.BigEndian.PutUint64(buf[8:], key[1])
	return buf[:buf[15]]
}

// orderedBytes turns decimals into bytes that compare as they do: most
// significant byte first, the sign bit inverted.
func orderedBytes(v *vector, s *internScratch) *vector {
	size := 8 * v.width
	s.bytes, s.ends = sized(s.bytes, v.n*size), sized(s.ends, v.n+1)
	s.ends[0] = 0
	for i := range v.n {
		words := v.words[i*v.width : (i+1)*v.width]
		b := s.bytes[i*size : (i+1)*size]
		for k, w := range words {
			binary.BigEndian.PutUint64(b[size-8*(k+1):], w)
		}
		b[0] ^= 0x80
		s.ends[i+1] = int32((i + 1) * size)
	}
	return &vector{n: v.n, lane: laneBytes, valid: v.valid, offsets: s.ends, bytes: s.bytes}
}
