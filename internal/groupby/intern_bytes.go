package groupby

import (
	"bytes"
	"encoding/binary"
	"sync"
	"sync/atomic"
	"unicode/utf8"
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

func newBytesTable(log uint) *bytesTable {
	n := 1<<log/2 + 1
	return &bytesTable{
		slots: make([]uint32, 1<<log), keys: make([][2]uint64, n), long: make([]uint64, n), shift: 64 - log,
	}
}

func newBytesInterner(h hashing, text bool) *bytesInterner {
	w := &bytesInterner{hash: h, text: text}
	w.now.Store(newBytesTable(10))
	return w
}

func (w *bytesInterner) count() int { return int(w.codes.Load()) }

func (w *bytesInterner) size() int64 {
	t := w.now.Load()
	return int64(4*cap(t.slots)+16*cap(t.keys)+8*cap(t.long)) + w.heap.size()
}

func (w *bytesInterner) intern(codes []uint32, v *vector, s *internScratch) int {
	if v.lane == laneWords {
		v = orderedBytes(v, s)
	}
	s.missed = s.missed[:0]
	t := w.now.Load()
	for i := range v.n {
		if v.valid != nil && v.valid[i>>6]>>(i&63)&1 == 0 {
			codes[i] = 0
			continue
		}
		value := v.at(i)
		key := w.key(value)
		code := w.find(t, key, w.hash.pair(key[0], key[1]), value)
		if code == 0 {
			s.missed = append(s.missed, int32(i))
		}
		codes[i] = code
	}
	if len(s.missed) > 0 {
		return w.add(codes, v, s)
	}
	return -1
}

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
	u := newBytesTable(64 - t.shift + 1)
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
