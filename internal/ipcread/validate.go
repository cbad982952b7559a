package ipcread

import (
	"encoding/binary"

	"github.com/apache/arrow-go/v18/arrow"
)

// The checks here copy what they check and look only at the copy: what lies in
// a mapped file may change between two reads. They answer for the whole column
// at once; which row is at fault is found afterwards, by whoever writes the
// error.
//
// Numbers are compared a word at a time, as many as there are lanes in it. With
// every number below half of its lane, a <= b is the lane's sign bit of
//
//	(b with its sign bit set) - a
//
// and no lane borrows from the next. Whether a number was not below half of
// its lane is gathered beside it, and makes the answer no. Four words a round,
// since moving a slice on costs as much as comparing a word.
var (
	laneSigns = [...]uint64{1: 0x8080808080808080, 2: 0x8000800080008000, 4: 0x8000000080000000, 8: 1 << 63}
	laneOnes  = [...]uint64{1: 0x0101010101010101, 2: 0x0001000100010001, 4: 0x0000000100000001, 8: 1}
)

// copyOffsets copies one offset or more and tells whether they start at or
// above zero, never fall and end inside so many values.
func copyOffsets[T int32 | int64](dst, src []T, values int64) bool {
	copy(dst, src)
	rest := arrow.GetBytes(dst)
	width := len(rest) / len(dst)
	sign := laneSigns[width]
	high, rising := uint64(0), sign
	for ; len(rest) >= 40; rest = rest[32:] {
		p, q := (*[32]byte)(rest), (*[32]byte)(rest[width:])
		a0, b0 := binary.LittleEndian.Uint64(p[0:]), binary.LittleEndian.Uint64(q[0:])
		a1, b1 := binary.LittleEndian.Uint64(p[8:]), binary.LittleEndian.Uint64(q[8:])
		a2, b2 := binary.LittleEndian.Uint64(p[16:]), binary.LittleEndian.Uint64(q[16:])
		a3, b3 := binary.LittleEndian.Uint64(p[24:]), binary.LittleEndian.Uint64(q[24:])
		high |= b0 | b1 | b2 | b3
		rising &= ((b0 | sign) - a0) & ((b1 | sign) - a1) & ((b2 | sign) - a2) & ((b3 | sign) - a3)
	}
	next := len(dst) - len(rest)/width
	last := dst[next]
	negative := dst[0] | last
	for _, offset := range dst[next+1:] {
		negative |= offset | (offset - last)
		last = offset
	}
	return high&sign == 0 && rising&sign == sign && negative >= 0 && int64(last) <= values
}

// allBelow tells whether all numbers of that width in b are below limit, which
// is at most half of a lane.
func allBelow(b []byte, width int, limit uint64) bool {
	if limit == 0 {
		return len(b) == 0
	}
	sign := laneSigns[width]
	greatest := laneOnes[width]*(limit-1) | sign
	high, below := uint64(0), sign
	for ; len(b) >= 32; b = b[32:] {
		p := (*[32]byte)(b)
		w0, w1 := binary.LittleEndian.Uint64(p[0:]), binary.LittleEndian.Uint64(p[8:])
		w2, w3 := binary.LittleEndian.Uint64(p[16:]), binary.LittleEndian.Uint64(p[24:])
		high |= w0 | w1 | w2 | w3
		below &= (greatest - w0) & (greatest - w1) & (greatest - w2) & (greatest - w3)
	}
	for ; len(b) >= 8; b = b[8:] {
		word := binary.LittleEndian.Uint64(b)
		high |= word
		below &= greatest - word
	}
	var last [8]byte // zeros are below any limit
	copy(last[:], b)
	word := binary.LittleEndian.Uint64(last[:])
	return (high|word)&sign == 0 && below&(greatest-word)&sign == sign
}

// copyRunEnds tells whether the ends rise strictly from above zero to rows or
// more.
func copyRunEnds[T int16 | int32 | int64](dst, src []T, rows int64) bool {
	copy(dst, src)
	last := T(0)
	for _, end := range dst {
		if end <= last {
			return false
		}
		last = end
	}
	return int64(last) >= rows
}
