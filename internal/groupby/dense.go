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
		d.values.from(v, v.valid)
		d.made = true
	}
	return d
}

// from makes v the values of w whose bit in rows is set, all of them taken to
// be there.
func (v *vector) from(w *vector, rows []uint64) {
	v.lane, v.width, v.valid, v.n = w.lane, w.width, nil, 0
	switch w.lane {
	case laneInts:
		v.ints = compact(v.ints, w.ints, rows)
	case laneUints:
		v.uints = compact(v.uints, w.uints, rows)
	case laneFloats:
		v.floats = compact(v.floats, w.floats, rows)
	case laneWords:
		v.words = v.words[:0]
	case laneBytes:
		v.offsets, v.bytes = append(v.offsets[:0], 0), v.bytes[:0]
	}
	for k, word := range rows {
		v.n += bits.OnesCount64(word)
		if w.lane != laneWords && w.lane != laneBytes {
			continue
		}
		for ; word != 0; word &= word - 1 {
			i := k<<6 + bits.TrailingZeros64(word)
			if w.lane == laneWords {
				v.words = append(v.words, w.words[i*w.width:(i+1)*w.width]...)
				continue
			}
			v.bytes = append(v.bytes, w.at(i)...)
			v.offsets = append(v.offsets, int32(len(v.bytes)))
		}
	}
}

// compact copies the elements whose bit is set.
func compact[T any](dst, src []T, valid []uint64) []T {
	const most = 16 // set bits up to which jumping from one to the next is faster
	dst = sized(dst, len(src))
	k := 0
	for w, word := range valid {
		base := w << 6
		switch {
		case word == ^uint64(0):
			k += copy(dst[k:], src[base:base+64])
		case bits.OnesCount64(word) <= most:
			for ; word != 0; word &= word - 1 {
				dst[k] = src[base+bits.TrailingZeros64(word)]
				k++
			}
		default:
			for i, x := range src[base:min(base+64, len(src))] {
				if k < len(dst) { // always; a slot is overwritten until its element is one to keep
					dst[k] = x
				}
				k += int(word >> i & 1)
			}
		}
	}
	return dst[:k]
}
