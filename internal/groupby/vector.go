package groupby

// lane is how the values of a chunk lie in memory, whatever their Arrow type.
type lane uint8

const (
	laneNone   lane = iota // no values: type null, or the input lacks the column
	laneInts               // signed integers, booleans, decimal32/64, dates, times, timestamps, durations
	laneUints              // unsigned integers
	laneFloats             // floats of every width
	laneWords              // decimal128/256: two or four words a value, least significant first
	laneBytes              // strings and binary
	laneMarks              // values of which only the validity is kept
)

// vector is one column of a chunk: n values in one of the lanes. It is a view
// of the batch's own memory where that has the lane's layout, else of scratch
// memory that the next chunk overwrites.
type vector struct {
	n     int
	lane  lane
	valid []uint64 // bit i: row i has a value; nil: all have
	width int      // words a value, laneWords only

	ints    []int64
	uints   []uint64
	floats  []float64
	words   []uint64
	offsets []int32 // n+1 of them, into bytes
	bytes   []byte

	validity []uint64 // memory for valid, of vectors that own theirs
}

// has reports whether row i holds a value.
func (v *vector) has(i int) bool {
	if v.lane == laneNone {
		return false
	}
	return v.valid == nil || v.valid[i>>6]>>(i&63)&1 != 0
}

// present makes the codes of nulls 0, whatever stands in their place, and moves
// the rows with values to the front of a list of rows. It returns how many.
func (v *vector) present(codes []uint32, rows []int32) (n int) {
	if v.valid == nil {
		return len(rows)
	}
	for i := range codes[:v.n] {
		codes[i] &= -uint32(v.valid[i>>6] >> (i & 63) & 1)
	}
	for _, row := range rows {
		rows[n] = row
		n += int(v.valid[row>>6] >> (row & 63) & 1)
	}
	return n
}

// at is the value of row i of a vector of bytes.
func (v *vector) at(i int) []byte { return v.bytes[v.offsets[i]:v.offsets[i+1]] }

// wordsFor is the number of 64-bit words that hold n bits.
func wordsFor(n int) int { return (n + 63) >> 6 }

// readBits copies n bits, beginning with bit from, to the front of dst and
// reports whether all of them are set. Bits past n in the last word are zero.
func readBits(dst []uint64, bitmap []byte, from, n int) (all bool) {
	all = true
	for w := 0; w < n; w += 64 {
		count := min(64, n-w)
		x := bits64(bitmap, from+w, count)
		dst[w>>6] = x
		all = all && x == ^uint64(0)>>(64-count)
	}
	return all
}

// bits64 reads up to 64 bits at any bit position, touching no byte past the
// last one it needs.
func bits64(bitmap []byte, from, count int) uint64 {
	b := bitmap[from>>3 : (from+count+7)>>3]
	shift := uint(from & 7)
	var x uint64
	for i, v := range b[:min(8, len(b))] {
		x |= uint64(v) << (8 * i)
	}
	x >>= shift
	if len(b) > 8 {
		x |= uint64(b[8]) << (64 - shift)
	}
	return x & (^uint64(0) >> (64 - count))
}
