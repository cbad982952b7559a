package groupby

// extremeWide keeps the least or greatest decimal of two or four words. The
// record has them most significant first, the sign bit inverted, all of them
// complemented for a minimum: the greatest in lexical order is the answer.
type extremeWide struct {
	place
	pure
	width int
	flip  uint64
}

func (a *extremeWide) words() int    { return a.width }
func (a *extremeWide) takes() taking { return takesConverted }

func (a *extremeWide) update(s *states, ids []uint32, v *vector) {
	var w [4]uint64
	for i, id := range ids {
		value := v.words[i*a.width : (i+1)*a.width]
		for k := range value {
			w[a.width-1-k] = value[k] ^ a.flip
		}
		w[0] ^= signBit
		a.keep(s, id, w[:a.width])
	}
}

// keep replaces the group's words by w if those are greater.
func (a *extremeWide) keep(s *states, id uint32, w []uint64) {
	at := int(id)*s.stride + a.at
	old := s.records[at : at+a.width]
	for k := range w {
		if w[k] != old[k] {
			if w[k] > old[k] {
				copy(old, w)
			}
			return
		}
	}
}

func (a *extremeWide) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	for i, row := range rows {
		at := int(row)*from.stride + other.(*extremeWide).at
		a.keep(s, ids[i], from.records[at:at+a.width])
	}
}

func (a *extremeWide) finish(s *states, groups []uint32, out *column) int {
	dst := cast[uint64](out.fixed)
	for i, id := range groups {
		at := int(id)*s.stride + a.at
		w := s.records[at : at+a.width]
		for k := range w {
			dst[i*a.width+a.width-1-k] = w[k] ^ a.flip
		}
		dst[(i+1)*a.width-1] ^= signBit
	}
	return -1
}
