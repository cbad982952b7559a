package groupby

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"
)

// maxChunkBytes bounds the bytes that one chunk of strings copies or spans, so
// that offsets of 32 bits address them.
const maxChunkBytes = 1 << 30

// readBytes makes out a view of n values. Plain utf8 and binary are used in
// place; the other layouts are copied together.
func (r *reader) readBytes(out *vector, lo, n int, rows []int32) int {
	if rows == nil {
		switch r.id {
		case arrow.STRING, arrow.BINARY:
			out.offsets = cast[int32](r.values)[r.offset+lo:][:n+1]
			out.bytes = r.bytes
			return n
		case arrow.LARGE_STRING, arrow.LARGE_BINARY:
			return r.readLarge(out, cast[int64](r.values)[r.offset+lo:][:n+1])
		}
	}
	if r.id == arrow.STRING_VIEW || r.id == arrow.BINARY_VIEW {
		return r.readViews(out, lo, n, rows)
	}
	s := &r.scratch
	s.offsets, s.bytes = sized(s.offsets, n+1), s.bytes[:0]
	s.offsets[0] = 0
	taken := 0
	for i := range n {
		row := lo + i
		if rows != nil {
			row = int(rows[i])
		}
		var value []byte // a null's offsets may be garbage
		if out.valid == nil || out.valid[i>>6]>>(i&63)&1 != 0 {
			value = r.valueAt(r.offset + row)
		}
		if len(value) > math.MaxInt32 || i > 0 && len(s.bytes)+len(value) > maxChunkBytes {
			break
		}
		s.bytes = append(s.bytes, value...)
		s.offsets[i+1] = int32(len(s.bytes))
		taken++
	}
	out.n, out.offsets, out.bytes = taken, s.offsets[:taken+1], s.bytes
	return taken
}

// readLarge brings 64-bit offsets into 32 bits, relative to the first.
func (r *reader) readLarge(out *vector, offsets []int64) int {
	first := offsets[0]
	r.scratch.offsets = sized(r.scratch.offsets, len(offsets))
	dst := r.scratch.offsets
	taken := -1
	for i, o := range offsets {
		if o-first > math.MaxInt32 || i > 1 && o-first > maxChunkBytes {
			break
		}
		dst[i] = int32(o - first)
		taken = i
	}
	out.n, out.offsets, out.bytes = taken, dst[:taken+1], r.bytes[first:]
	return taken
}

// valueAt is the value at a position of the buffers.
func (r *reader) valueAt(at int) []byte {
	switch r.id {
	case arrow.STRING, arrow.BINARY:
		o := cast[int32](r.values)[at : at+2]
		return r.bytes[o[0]:o[1]]
	case arrow.LARGE_STRING, arrow.LARGE_BINARY:
		o := cast[int64](r.values)[at : at+2]
		return r.bytes[o[0]:o[1]]
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		return r.viewAt(at)
	}
	return r.values[at*r.width : (at+1)*r.width]
}
