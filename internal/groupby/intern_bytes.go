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
	heap  byteHeap
}

// bytesTable is a wordTable with two words a key, and the place of long values.
type bytesTable struct {
	slots []uint32
	keys  [][2]uint64
	long  []uint64 // by code: place in the heap
	shift uint
}

const (
	shortBytes = 15
	longMark   = 255
)

// packShort packs up to 15 bytes.
func packShort(b []byte) (k [2]uint64) {
	var buf [16]byte
	copy(buf[:], b)
	buf[15] = byte(len(b))
	return [2]uint64{binary.BigEndian.Uint64(buf[:]), binary.BigEndian.Uint64(buf[8:])}
}

func (w *bytesInterner) key(b []byte) [2]uint64 {
	if len(b) <= shortBytes {
		return packShort(b)
	}
	return [2]uint64{w.hash.bytes(b), uint64(len(b))<<8 | longMark}
}

func newBytesTable(log uint, memory *arena.Arena) *bytesTable {
	n := 1<<log/2 + 1
	words := tableWords(1<<log/2+3*n, memory)
	t := &bytesTable{shift: 64 - log}
	t.slots, words = cast[uint32](bytesOf(words[:1<<log/2])), words[1<<log/2:]
	t.keys, t.long = pairs(words[:2*n]), words[2*n:]
	t.keys[0] = [2]uint64{0, 254} // what an empty slot leads to: no value's key
	return t
}

func newBytesInterner(h hashing, text bool, memory *arena.Arena) *bytesInterner {
	w := &bytesInterner{hash: h, text: text, arena: memory}
	w.now.Store(newBytesTable(10, memory))
	return w
}

func (w *bytesInterner) count() int { return int(w.codes.Load()) }

func (w *bytesInterner) size() int64 {
	t := w.now.Load()
	return heapSize(len(t.slots)/2+2*len(t.keys)+len(t.long)) + w.heap.size()
}

func (w *bytesInterner) intern(codes []uint32, v *vector, s *internScratch) int {
	if v.lane == laneWords {
		v = orderedBytes(v, s)
	}
	s.pairs, s.missed = sized(s.pairs, v.n), sized(s.missed, v.n)
	long := w.packAll(s.pairs, v)
	t := w.now.Load()
	missed := w.probe(t, codes, s.pairs, s.missed)
	if long {
		missed = w.recheck(t, codes, v, s.pairs, s.missed)
	} else {
		missed = w.probeNext(t, codes, s.pairs, s.missed[:missed])
	}
	added := 0
	for _, row := range s.missed[:missed] {
		if v.valid != nil && v.valid[row>>6]>>(row&63)&1 == 0 {
			codes[row] = 0
			continue
		}
		key := s.pairs[row]
		codes[row] = w.find(t, key, w.hash.pair(key[0], key[1]), v.at(int(row)))
		if codes[row] == 0 {
			s.missed[added] = row
			added++
		}
	}
	s.missed = s.missed[:added]
	if added > 0 {
		return w.add(codes, v, s)
	}
	return -1
}

// probe looks at the first slot of every row's key, without a branch that
// depends on what is found there, and lists the rows that need a second look:
// those of other keys, new keys, and nulls. Slots and keys are loaded in loops
// of their own, so that more loads are under way at a time.
func (w *bytesInterner) probe(t *bytesTable, codes []uint32, pairs [][2]uint64, missed []int32) int {
	slots, keys, shift := t.slots, t.keys, t.shift&63
	h := w.hash
	codes = codes[:len(pairs)]
	for i := range pairs {
		p := &pairs[i]
		codes[i] = atomic.LoadUint32(&slots[h.pair(p[0], p[1])>>shift])
	}
	m := 0
	for i, code := range codes {
		p, k := &pairs[i], &keys[code]
		missed[m] = int32(i)
		m += nonZero((k[0] ^ p[0]) | (k[1] ^ p[1]))
	}
	return m
}

// probeNext looks at the second slots of the rows missed, in the same way, and
// leaves those in the list that need a third look.
func (w *bytesInterner) probeNext(t *bytesTable, codes []uint32, pairs [][2]uint64, missed []int32) int {
	mask := uint64(len(t.slots) - 1)
	m := 0
	for _, row := range missed {
		p := &pairs[row]
		code := atomic.LoadUint32(&t.slots[(w.hash.pair(p[0], p[1])>>(t.shift&63)+1)&mask])
		k := &t.keys[code]
		codes[row] = code
		missed[m] = row
		m += nonZero((k[0] ^ p[0]) | (k[1] ^ p[1]))
	}
	return m
}

// nonZero is 1 if x is not 0.
func nonZero(x uint64) int { return int((x | -x) >> 63) }

// recheck makes the list of missed rows anew where there are long values, whose
// bytes have to be compared.
func (w *bytesInterner) recheck(t *bytesTable, codes []uint32, v *vector, pairs [][2]uint64, missed []int32) int {
	m := 0
	for i := range pairs {
		p, code := &pairs[i], codes[i]
		same := t.keys[code] == *p
		if same && p[1]&0xff == longMark {
			same = bytes.Equal(w.heap.at(t.long[code], int(p[1]>>8)), v.at(i))
		}
		if !same {
			missed[m] = int32(i)
			m++
		}
	}
	return m
}

// packAll makes the keys of all rows, nullKey for nulls, and reports whether
// some are long.
func (w *bytesInterner) packAll(pairs [][2]uint64, v *vector) (long bool) {
	b, offsets := v.bytes, v.offsets[:len(pairs)+1]
	for i := range pairs {
		from, to := int(offsets[i]), int(offsets[i+1])
		n := to - from
		if n <= shortBytes && from+16 <= len(b) {
			m := &shortMasks[n]
			pairs[i][0] = binary.BigEndian.Uint64(b[from:]) & m[0]
			pairs[i][1] = binary.BigEndian.Uint64(b[from+8:])&m[1] | uint64(n)
			continue
		}
		if v.valid != nil && v.valid[i>>6]>>(i&63)&1 == 0 {
			pairs[i] = nullKey // its bytes are not worth a hash
			continue
		}
		pairs[i] = w.key(b[from:to])
		long = long || n > shortBytes
	}
	if v.valid == nil {
		return long
	}
	for i := range pairs {
		if v.valid[i>>6]>>(i&63)&1 == 0 {
			pairs[i] = nullKey
		}
	}
	return long
}

// nullKey is no value's key, nor that of code 0.
var nullKey = [2]uint64{0, 253}

// shortMasks keeps the first n bytes of two words.
var shortMasks = func() (m [shortBytes + 1][2]uint64) {
	for n := range m {
		m[n][0] = ^uint64(0) << (64 - 8*min(n, 8))
		m[n][1] = ^uint64(0) << (64 - 8*max(n-8, 0))
	}
	return m
}()

// find returns the code of a value, 0 if the table does not have it.
func (w *bytesInterner) find(t *bytesTable, key [2]uint64, hash uint64, value []byte) uint32 {
	mask := uint64(len(t.slots) - 1)
	for slot := hash >> t.shift; ; slot = (slot + 1) & mask {
		code := atomic.LoadUint32(&t.slots[slot])
		if code == 0 {
			return 0
		}
		if t.keys[code] == key && (len(value) <= shortBytes || bytes.Equal(w.heap.at(t.long[code], len(value)), value)) {
			return code
		}
	}
}

func (t *bytesTable) put(key [2]uint64, long, hash uint64, code uint32) {
	mask := uint64(len(t.slots) - 1)
	slot := hash >> t.shift
	for t.slots[slot] != 0 {
		slot = (slot + 1) & mask
	}
	t.keys[code], t.long[code] = key, long
	atomic.StoreUint32(&t.slots[slot], code) // key and bytes are seen with the code
}

func (w *bytesInterner) add(codes []uint32, v *vector, s *internScratch) (bad int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t, n := w.now.Load(), w.codes.Load()
	for _, row := range s.missed {
		value := v.at(int(row))
		key := w.key(value)
		hash := w.hash.pair(key[0], key[1])
		code := w.find(t, key, hash, value)
		if code == 0 {
			if w.text && !utf8.Valid(value) {
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
			if n == maxCodes {
				panic("a key column with more than 2^32 values")
			}
			n++
			code = n
			w.codes.Store(n) // before anybody can find the code
			t.put(key, long, hash, code)
		}
		codes[row] = code
	}
	return -1
}

func (w *bytesInterner) larger(t *bytesTable, n uint32) *bytesTable {
	u := newBytesTable(64-t.shift+1, w.arena)
	for code := uint32(1); code <= n; code++ {
		key := t.keys[code]
		u.put(key, t.long[code], w.hash.pair(key[0], key[1]), code)
	}
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
