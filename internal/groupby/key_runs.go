package groupby

import "math/bits"

// keyRuns finds runs of one key value in a chunk, as sorted and time-ordered
// input has them, so that only the first row of each has to be interned. That is
// more than a shortcut for what is known: where values come one after the other,
// most rows of a chunk are of values that nobody has seen yet, and each would be
// searched for, twice and in vain.
//
//	values   a a a a b b b b b c     heads  a b c
//	differ   1 0 0 0 1 0 0 0 0 1     ends   4 9 10
type keyRuns struct {
	differ  [chunkRows / 64]uint64 // bit i: row i is not like the one before
	ends    []int                  // by run: the row after its last
	heads   vector                 // the runs' values
	codes   []uint32               // and codes
	scratch runScratch
}

// runScratch is the memory of the heads.
type runScratch struct {
	words   []uint64
	offsets []int32
	bytes   []byte
	valid   []uint64
}

const (
	runLength = 4 // how long runs must be on average
	// probedRows is how many rows a chunk without runs costs: half of them not
	// like the one before is enough to know it by.
	probedRows = 16
)

// intern does as in.intern does, if v has runs; else it does nothing and says so.
func (k *keyRuns) intern(codes []uint32, in interner, v *vector, s *internScratch) (bad int, done bool) {
	if !k.find(v) {
		return 0, false
	}
	k.codes = sized(k.codes, len(k.ends))
	bad = in.intern(k.codes, &k.heads, s)
	if bad > 0 {
		bad = k.ends[bad-1]
	}
	row := 0
	for run, end := range k.ends {
		for code := k.codes[run]; row < end; row++ {
			codes[row] = code
		}
	}
	return bad, true
}

// find makes ends and heads, unless runs are short.
func (k *keyRuns) find(v *vector) bool {
	runs, most := 0, v.n/runLength
	if most == 0 {
		return false
	}
	if probed := min(v.n, probedRows); bits.OnesCount64(v.differences(0, probed)) > probed/2 {
		return false
	}
	for lo := 0; lo < v.n; lo += 64 {
		hi := min(lo+64, v.n)
		differ := v.differences(lo, hi)
		k.differ[lo>>6] = differ
		runs += bits.OnesCount64(differ)
		if runs > most || lo == 0 && runs > (hi+runLength-1)/runLength {
			return false
		}
	}
	k.ends = k.ends[:0]
	for w, differ := range k.differ[:wordsFor(v.n)] {
		for ; differ != 0; differ &= differ - 1 {
			k.ends = append(k.ends, w<<6+bits.TrailingZeros64(differ))
		}
	}
	k.ends = append(k.ends[:copy(k.ends, k.ends[1:])], v.n) // each run ends where the next begins
	k.takeHeads(v)
	return true
}

// differences says of the rows from lo to hi, at most 64, which are not like the
// row before them; row 0 never is.
func (v *vector) differences(lo, hi int) (differ uint64) {
	from := max(lo, 1)
	switch v.lane {
	case laneInts:
		differ = wordsDiffer(cast[uint64](bytesOf(v.ints[from-1 : hi])))
	case laneUints:
		differ = wordsDiffer(v.uints[from-1 : hi])
	case laneFloats:
		differ = wordsDiffer(cast[uint64](bytesOf(v.floats[from-1 : hi])))
	case laneWords:
		for i := from; i < hi; i++ {
			a, b := v.words[(i-1)*v.width:i*v.width], v.words[i*v.width:(i+1)*v.width]
			x := uint64(0)
			for j := range a {
				x |= a[j] ^ b[j]
			}
			differ |= (x | -x) >> 63 << (i - from)
		}
	case laneBytes:
		last := v.at(from - 1)
		for i := from; i < hi; i++ {
			value := v.at(i)
			if string(value) != string(last) {
				differ |= 1 << (i - from)
			}
			last = value
		}
	}
	differ <<= from - lo
	if v.valid != nil {
		here := v.valid[lo>>6]
		before := here << 1
		if lo > 0 {
			before |= v.valid[lo>>6-1] >> 63
		}
		differ = (differ & here & before) | (here ^ before)
		differ &= ^uint64(0) >> (64 - (hi - lo))
	}
	if lo == 0 {
		differ |= 1
	}
	return differ
}

// wordsDiffer says which of up to 64 words after the first differ from the one
// before.
func wordsDiffer(words []uint64) (differ uint64) {
	last := words[0]
	for i, w := range words[1:] {
		x := w ^ last
		differ |= (x | -x) >> 63 << (i & 63)
		last = w
	}
	return differ
}

// takeHeads makes the vector of the runs' first values.
func (k *keyRuns) takeHeads(v *vector) {
	s, n := &k.scratch, len(k.ends)
	k.heads = vector{n: n, lane: v.lane, width: v.width}
	if v.valid != nil {
		s.valid = sized(s.valid, wordsFor(n))
		clear(s.valid)
		k.heads.valid = s.valid
	}
	s.words, s.offsets, s.bytes = s.words[:0], append(s.offsets[:0], 0), s.bytes[:0]
	row := 0
	for run, end := range k.ends {
		switch v.lane {
		case laneInts:
			s.words = append(s.words, uint64(v.ints[row]))
		case laneUints:
			s.words = append(s.words, v.uints[row])
		case laneFloats:
			s.words = append(s.words, cast[uint64](bytesOf(v.floats[row:row+1]))...)
		case laneWords:
			s.words = append(s.words, v.words[row*v.width:(row+1)*v.width]...)
		case laneBytes:
			s.bytes = append(s.bytes, v.at(row)...)
			s.offsets = append(s.offsets, int32(len(s.bytes)))
		}
		if v.valid != nil {
			s.valid[run>>6] |= v.valid[row>>6] >> (row & 63) & 1 << (run & 63)
		}
		row = end
	}
	k.heads.ints, k.heads.floats = cast[int64](bytesOf(s.words)), cast[float64](bytesOf(s.words))
	k.heads.uints, k.heads.words = s.words, s.words
	k.heads.offsets, k.heads.bytes = s.offsets, s.bytes
}
