package groupby

import "math/bits"

// dense is a chunk's column without its nulls, and the group ids of what is
// left, so that every accumulator has loops without a test for nulls. What one
// aggregate has made of a column serves the next.
type dense struct {
	made   bool
	ids    []uint32
	values vector
}

// of makes d what v and ids are without v's nulls.
func (d *dense) of(v *vector, ids []uint32) *dense {
	if !d.made {
		d.ids = compact(d.ids, ids, v.valid)
		d.values.from(v)
		d.made = true
	}
	return d
}

// from makes v the values of w that are not null.
func (v *vector) from(w *vector) {
	v.lane, v.width, v.valid = w.lane, w.width, nil
	switch w.lane {
	case laneInts:
		v.ints = compact(v.ints, w.ints, w.valid)
		v.n = len(v.ints)
	case laneUints:
		v.uints = compact(v.uints, w.uints, w.valid)
		v.n = len(v.uints)
	case laneFloats:
		v.floats = compact(v.floats, w.floats, w.valid)
		v.n = len(v.floats)
	case laneWords:
		v.words = v.words[:0]
		v.n = 0
		for i := range w.n {
			if w.has(i) {
				v.words = append(v.words, w.words[i*w.width:(i+1)*w.width]...)
				v.n++
			}
		}
	case laneBytes:
		v.offsets, v.bytes = append(v.offsets[:0], 0), v.bytes[:0]
		v.n = 0
		for i := range w.n {
			if w.has(i) {
				v.bytes = append(v.bytes, w.at(i)...)
				v.offsets = append(v.offsets, int32(len(v.bytes)))
				v.n++
			}
		}
	}
}

// compact copies the elements whose bit is set.
func compact[T any](dst, src []T, valid []uint64) []T {
	dst = sized(dst, len(src))
	k := 0
	for w, word := range valid {
		base := w << 6
		if word == ^uint64(0) {
			k += copy(dst[k:], src[base:base+64])
			continue
		}
		for ; word != 0; word &= word - 1 {
			dst[k] = src[base+bits.TrailingZeros64(word)]
			k++
		}
	}
	return dst[:k]
}
