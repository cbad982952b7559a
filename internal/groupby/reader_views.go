package groupby

import (
	"encoding/binary"
	"math"
	"slices"
)

// inlineBytes is the most that a view holds itself.
const inlineBytes = 12

// readViews makes out n values that views lead to, copied together. What views
// hold themselves is copied as twelve bytes, however many of them count.
func (r *reader) readViews(out *vector, lo, n int, rows []int32) int {
	s := &r.scratch
	s.offsets, s.bytes = sized(s.offsets, n+1), sized(s.bytes, inlineBytes*n)
	views, to, at := r.values[16*r.offset:], s.bytes[:cap(s.bytes)], 0
	s.offsets[0] = 0
	taken := 0
	for i := range n {
		row := lo + i
		if rows != nil {
			row = int(rows[i])
		}
		if out.valid == nil || out.valid[i>>6]>>(i&63)&1 != 0 { // a null's view may be garbage
			view := views[16*row:][:16]
			length := int(binary.LittleEndian.Uint32(view))
			if length > math.MaxInt32 || i > 0 && at+length > maxChunkBytes {
				break
			}
			if len(to) < at+max(length, inlineBytes) {
				to = slices.Grow(to[:at], max(length, inlineBytes))
				to = to[:cap(to)]
			}
			if length <= inlineBytes {
				*(*[inlineBytes]byte)(to[at:]) = *(*[inlineBytes]byte)(view[4:])
			} else {
				copy(to[at:], r.viewAt(r.offset+row))
			}
			at += length
		}
		s.offsets[i+1] = int32(at)
		taken++
	}
	s.bytes = to[:at]
	out.n, out.offsets, out.bytes = taken, s.offsets[:taken+1], s.bytes
	return taken
}

// viewAt follows a view of 16 bytes: the length, then up to 12 bytes of the
// value itself, or its first four bytes, the buffer it lies in, and where.
func (r *reader) viewAt(at int) []byte {
	view := r.values[16*at : 16*(at+1)]
	n := binary.LittleEndian.Uint32(view)
	if n <= inlineBytes {
		return view[4 : 4+n]
	}
	buffer := r.views[binary.LittleEndian.Uint32(view[8:])]
	return buffer[binary.LittleEndian.Uint32(view[12:]):][:n]
}
