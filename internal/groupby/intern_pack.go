package groupby

import "encoding/binary"

// packAll makes the keys of all rows, nullKey for nulls, and reports whether
// some are long.
func (w *bytesInterner) packAll(pairs [][2]uint64, v *vector) (long bool) {
	b, offsets := v.bytes, v.offsets[:len(pairs)+1]
	for i := range pairs {
		from, to := int(offsets[i]), int(offsets[i+1])
		n := to - from
		if n <= shortBytes && from+16 <= len(b) {
			m, at := &shortMasks[n&15], (*[16]byte)(b[from:])
			pairs[i][0] = binary.BigEndian.Uint64(at[:8]) & m[0]
			pairs[i][1] = binary.BigEndian.Uint64(at[8:])&m[1] | uint64(n)
			continue
		}
		key := nullKey // whose bytes are not worth a hash
		if v.has(i) {
			key = w.key(b[from:to])
			long = long || n > shortBytes
		}
		pairs[i] = key
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

// key is the key of a value.
func (w *bytesInterner) key(b []byte) [2]uint64 {
	if len(b) <= shortBytes {
		return packShort(b)
	}
	return [2]uint64{w.hash.bytes(b), uint64(len(b))<<8 | longMark}
}

// packShort packs up to 15 bytes.
func packShort(b []byte) (k [2]uint64) {
	var buf [16]byte
	copy(buf[:], b)
	buf[15] = byte(len(b))
	return [2]uint64{binary.BigEndian.Uint64(buf[:]), binary.BigEndian.Uint64(buf[8:])}
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
