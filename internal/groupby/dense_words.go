package groupby

import (
	"math/bits"
	"sync/atomic"
)

// denseWords leads from values to codes where values lie close together (ids,
// days, status codes, or timestamps of whole minutes): an array over their
// range, in steps of their common divisor, which needs neither hash nor
// comparison, and one load where a table needs two. It only shortens the way:
// the table knows every value too, and values that have no place here are looked
// up there.
type denseWords struct {
	base    uint64
	step    uint64
	inverse uint64   // of the step's odd part, modulo 2^64
	twos    int      // the step is its odd part >> twos, which is negative
	codes   []uint32 // by place; 0: not known here, as the last always is; accessed atomically
}

const (
	leastDense = 16      // values, for their distances to say something
	maxDense   = 1 << 22 // places from the first to the last value
	density    = 16      // of that many places one must be taken
)

// timeForDense reports whether the n-th value is one after which a new array is
// looked for.
func timeForDense(n int) bool { return n >= leastDense && n&(n-1) == 0 }

// newDense returns the empty array for some keys, nil if they are too far apart.
// There is room at both ends for values yet to come: above so much that values which
// count up stay inside until there are twice as many.
func newDense(keys []uint64) *denseWords {
	low, high := keys[0], keys[0]
	for _, k := range keys {
		low, high = min(low, k), max(high, k)
	}
	step := high - low
	for _, k := range keys {
		step = divisor(k-low, step)
		if step == 1 {
			break
		}
	}
	if step == 0 {
		return nil
	}
	span := (high - low) / step
	if span >= maxDense || span >= density*uint64(len(keys)) {
		return nil
	}
	below := min(span/2, low/step)
	above := min(span+1, (^uint64(0)-high)/step)
	d := &denseWords{base: low - below*step, step: step, twos: -bits.TrailingZeros64(step)}
	d.inverse = inverse(step >> -d.twos)
	d.codes = make([]uint32, below+span+1+above+1)
	return d
}

// divisor is the greatest common divisor.
func divisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// inverse is what an odd number has to be multiplied by to give 1, modulo 2^64:
// each step of Newton's method doubles the bits that are right, three at first.
func inverse(odd uint64) uint64 {
	x := odd
	for range 5 {
		x *= 2 - odd*x
	}
	return x
}

// place is where a key's code is, and past the end for a key that has none: for
// exact division by a multiplication see Granlund and Montgomery, "Division by
// Invariant Integers using Multiplication", section 9. What is no multiple of
// the step comes out above all that are.
func (d *denseWords) place(key uint64) uint64 {
	return bits.RotateLeft64((key-d.base)*d.inverse, d.twos)
}

// put notes the code of a key, if there is an array and the key has a place.
func (d *denseWords) put(key uint64, code uint32) {
	if d == nil {
		return
	}
	if i := d.place(key); i < uint64(len(d.codes)-1) {
		atomic.StoreUint32(&d.codes[i], code)
	}
}

func (d *denseWords) size() int64 {
	if d == nil {
		return 0
	}
	return 4 * int64(len(d.codes))
}

// probe writes the codes that are known and lists the rows of other keys.
func (d *denseWords) probe(codes []uint32, s *internScratch) (missed int) {
	places, base := s.words, d.base
	if d.step != 1 {
		s.hashes = sized(s.hashes, len(s.words))
		places, base = s.hashes, 0
		base, inverse, twos := d.base, d.inverse, d.twos
		for i, key := range s.words {
			places[i] = bits.RotateLeft64((key-base)*inverse, twos)
		}
	}
	table := d.codes
	last := uint64(len(table) - 1)
	codes = codes[:len(places)]
	some := uint64(0) // bit 63: some code is 0
	for i, at := range places {
		code := atomic.LoadUint32(&table[min(at-base, last)])
		codes[i] = code
		some |= uint64(code) - 1
	}
	if some>>63 == 0 {
		return 0
	}
	for i, code := range codes {
		if code == 0 {
			s.missed[missed] = int32(i)
			missed++
		}
	}
	return missed
}
