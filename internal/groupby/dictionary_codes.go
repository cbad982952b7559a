package groupby

import "github.com/apache/arrow-go/v18/arrow"

// dictionaryCodes remembers, for one key column of one worker, the codes of the
// entries of the dictionary that its batches share: a row's code is then looked
// up by its index. Entries are interned when a row first needs them, so that
// what no row uses costs nothing and cannot be wrong.
//
// The dictionary array is held to keep its address from being used again; its
// values are not read through it.
type dictionaryCodes struct {
	dictionary arrow.ArrayData
	codes      []uint32 // by position
	missing    []int32  // positions to be interned; left there when that failed
}

const (
	unknownCode = maxCodes + 2 - iota
	pendingCode // among the missing already
)

// intern writes the codes of the chunk whose positions l has read. It returns
// the first row whose value is no valid key, or -1.
func (d *dictionaryCodes) intern(codes []uint32, in interner, l *loader, s *internScratch) (bad int) {
	r := &l.reader
	if r.dictionary != d.dictionary || len(d.codes) != r.inner.length || len(d.missing) > 0 {
		d.dictionary, d.codes = r.dictionary, sized(d.codes, r.inner.length)
		for i := range d.codes {
			d.codes[i] = unknownCode
		}
	}
	valid := l.natural.valid
	d.missing = d.missing[:0]
	for i, p := range r.positions[:len(codes)] {
		code := d.codes[p]
		codes[i] = code
		if code >= pendingCode {
			if valid != nil && valid[i>>6]>>(i&63)&1 == 0 {
				continue // nulls have position 0, which nobody may need
			}
			if code == unknownCode {
				d.codes[p] = pendingCode
				d.missing = append(d.missing, p)
			}
		}
	}
	if len(d.missing) > 0 {
		chunk := l.natural // another reader of the column asks for its rows yet
		b := d.add(in, l, s)
		l.natural = chunk
		if b >= 0 {
			return rowAt(r.positions, d.missing[b])
		}
		for i, p := range r.positions[:len(codes)] {
			codes[i] = d.codes[p]
		}
		d.missing = d.missing[:0]
	}
	if valid != nil {
		for i := range codes {
			codes[i] &= -uint32(valid[i>>6] >> (i & 63) & 1)
		}
	}
	return -1
}

// add interns the missing entries. It returns the first that is no valid key,
// or -1.
func (d *dictionaryCodes) add(in interner, l *loader, s *internScratch) (bad int) {
	var codes [chunkRows]uint32
	for lo := 0; lo < len(d.missing); lo += l.natural.n {
		part := d.missing[lo:]
		l.reader.inner.read(&l.natural, 0, len(part), part)
		n := l.natural.n
		if n == 0 {
			return lo
		}
		if b := l.convertNatural(); b >= 0 {
			return lo + b
		}
		if l.converted.lane == laneNone {
			clear(codes[:n])
		} else if b := in.intern(codes[:n], &l.converted, s); b >= 0 {
			return lo + b
		}
		for i, p := range part[:n] {
			d.codes[p] = codes[i]
		}
	}
	return -1
}

// rowAt is the first row with that position.
func rowAt(positions []int32, p int32) int {
	for i, q := range positions {
		if q == p {
			return i
		}
	}
	return 0
}
