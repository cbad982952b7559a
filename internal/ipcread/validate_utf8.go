package ipcread

import (
	"encoding/binary"
	"unicode/utf8"
)

const highBits = 0x8080808080808080

// ascii tells whether no byte has its high bit set.
func ascii(b []byte) bool {
	var bits uint64
	for len(b) >= 64 {
		block := (*[64]byte)(b)
		bits |= binary.LittleEndian.Uint64(block[0:]) | binary.LittleEndian.Uint64(block[8:]) |
			binary.LittleEndian.Uint64(block[16:]) | binary.LittleEndian.Uint64(block[24:]) |
			binary.LittleEndian.Uint64(block[32:]) | binary.LittleEndian.Uint64(block[40:]) |
			binary.LittleEndian.Uint64(block[48:]) | binary.LittleEndian.Uint64(block[56:])
		b = b[64:]
	}
	for len(b) >= 8 {
		bits |= binary.LittleEndian.Uint64(b)
		b = b[8:]
	}
	for _, c := range b {
		bits |= uint64(c)
	}
	return bits&highBits == 0 && bits&0x80 == 0
}

// firstInvalid returns the first row, counted from the start of offsets, that
// is valid and not UTF-8, -1 if there is none. The checked offsets lead into
// chars; rows before first are not looked at one by one.
//
// All the bytes at once are the fast way: they are nearly always ASCII. If
// they are UTF-8 and no offset cuts a character in two, every row is UTF-8.
func firstInvalid[T int32 | int64](s *slot, offsets []T, chars []byte, first int64) int64 {
	all := chars[offsets[0]:offsets[len(offsets)-1]]
	if ascii(all) || utf8.Valid(all) && !cuts(offsets, chars) {
		return -1
	}
	for i := first; i < int64(len(offsets))-1; i++ {
		if s.valid(i) && !utf8.Valid(chars[offsets[i]:offsets[i+1]]) {
			return i
		}
	}
	return -1
}

// cuts tells whether an offset leads to a continuation byte.
func cuts[T int32 | int64](offsets []T, chars []byte) bool {
	for _, offset := range offsets {
		if int64(offset) < int64(len(chars)) && !utf8.RuneStart(chars[offset]) {
			return true
		}
	}
	return false
}
