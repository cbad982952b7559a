package groupby

import (
	"github.com/apache/arrow-go/v18/arrow"
)

// sized returns s with length n, its content undefined.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, max(n, chunkRows))
	}
	return s[:n]
}

// window is the part of the values that rows address: row i of it is row i of
// the array.
func window[T fixed](r *reader) []T { return cast[T](r.values)[r.offset:] }

// pick returns n values: a view where they lie side by side, else a copy.
func pick[T fixed](scratch *[]T, values []T, lo, n int, rows []int32) []T {
	if rows == nil {
		return values[lo : lo+n]
	}
	*scratch = sized(*scratch, n)
	dst := *scratch
	for i, row := range rows[:n] {
		dst[i] = values[row]
	}
	return dst
}

// widen copies n values into a wider lane.
func widen[L, T fixed](scratch *[]L, values []T, lo, n int, rows []int32) []L {
	*scratch = sized(*scratch, n)
	dst := *scratch
	if rows == nil {
		for i, v := range values[lo : lo+n] {
			dst[i] = L(v)
		}
		return dst
	}
	for i, row := range rows[:n] {
		dst[i] = L(values[row])
	}
	return dst
}

func (r *reader) readInts(lo, n int, rows []int32) []int64 {
	switch r.id {
	case arrow.BOOL:
		return r.readBools(lo, n, rows)
	case arrow.INT8:
		return widen(&r.scratch.ints, window[int8](r), lo, n, rows)
	case arrow.INT16:
		return widen(&r.scratch.ints, window[int16](r), lo, n, rows)
	case arrow.INT32, arrow.DATE32, arrow.TIME32, arrow.DECIMAL32:
		return widen(&r.scratch.ints, window[int32](r), lo, n, rows)
	}
	return pick(&r.scratch.ints, window[int64](r), lo, n, rows)
}

func (r *reader) readUints(lo, n int, rows []int32) []uint64 {
	switch r.id {
	case arrow.UINT8:
		return widen(&r.scratch.uints, window[uint8](r), lo, n, rows)
	case arrow.UINT16:
		return widen(&r.scratch.uints, window[uint16](r), lo, n, rows)
	case arrow.UINT32:
		return widen(&r.scratch.uints, window[uint32](r), lo, n, rows)
	}
	return pick(&r.scratch.uints, window[uint64](r), lo, n, rows)
}

func (r *reader) readFloats(lo, n int, rows []int32) []float64 {
	switch r.id {
	case arrow.FLOAT16:
		values := window[uint16](r)
		r.scratch.floats = sized(r.scratch.floats, n)
		for i := range n {
			row := lo + i
			if rows != nil {
				row = int(rows[i])
			}
			r.scratch.floats[i] = fromFloat16(values[row])
		}
		return r.scratch.floats
	case arrow.FLOAT32:
		return widen(&r.scratch.floats, window[float32](r), lo, n, rows)
	}
	return pick(&r.scratch.floats, window[float64](r), lo, n, rows)
}

func (r *reader) readWords(lo, n int, rows []int32) []uint64 {
	values := cast[uint64](r.values)[r.offset*r.width:]
	if rows == nil {
		return values[lo*r.width : (lo+n)*r.width]
	}
	r.scratch.words = sized(r.scratch.words, n*r.width)
	for i, row := range rows[:n] {
		copy(r.scratch.words[i*r.width:(i+1)*r.width], values[int(row)*r.width:])
	}
	return r.scratch.words
}

func (r *reader) readBools(lo, n int, rows []int32) []int64 {
	r.scratch.ints = sized(r.scratch.ints, n)
	for i := range n {
		row := lo + i
		if rows != nil {
			row = int(rows[i])
		}
		bit := r.offset + row
		r.scratch.ints[i] = int64(r.values[bit>>3] >> (bit & 7) & 1)
	}
	return r.scratch.ints
}

// readValidity returns the bits of the rows, nil if all of them are set.
func (r *reader) readValidity(lo, n int, rows []int32) []uint64 {
	if r.validity == nil {
		return nil
	}
	r.valid = sized(r.valid, wordsFor(n))
	if rows == nil {
		if readBits(r.valid, r.validity, r.offset+lo, n) {
			return nil
		}
		return r.valid
	}
	clear(r.valid)
	set := 0
	for i, row := range rows[:n] {
		bit := r.offset + int(row)
		b := uint64(r.validity[bit>>3] >> (bit & 7) & 1)
		r.valid[i>>6] |= b << (i & 63)
		set += int(b)
	}
	if set == n {
		return nil
	}
	return r.valid
}
