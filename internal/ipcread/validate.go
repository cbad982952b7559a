package ipcread

// The checks here copy what they check, in one pass, and look only at the
// copy: what lies in a mapped file may change between two reads. They answer
// for the whole column at once; which row is at fault is found afterwards, by
// whoever writes the error.

// copyOffsets tells whether the offsets start at or above zero, never fall
// and end inside size bytes. Their signs are gathered without a branch: with
// no negative offset, no difference can wrap.
func copyOffsets[T int32 | int64](dst, src []T, size int) bool {
	copy(dst, src)
	last := dst[0]
	signs := last
	for _, offset := range dst[1:] {
		signs |= offset | (offset - last)
		last = offset
	}
	return signs >= 0 && int64(last) <= int64(size)
}

// copyMax returns the greatest, 0 of none. Four at a time do not wait for each
// other.
func copyMax[T uint8 | uint16 | uint32 | uint64](dst, src []T) T {
	copy(dst, src)
	var a, b, c, d T
	rest := dst
	for ; len(rest) >= 4; rest = rest[4:] {
		a, b, c, d = max(a, rest[0]), max(b, rest[1]), max(c, rest[2]), max(d, rest[3])
	}
	for _, v := range rest {
		a = max(a, v)
	}
	return max(a, b, c, d)
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
