package groupby

import (
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// intSum adds integers of 64 bits or less exactly. The record has the sum
// modulo 2^64; how often it wrapped around, up or down, is counted beside it,
// in a vector that exists only once some group did:
//
//	sum = record + 2^64 * carry
//
// where the record is read as signed or unsigned, as the output type is.
type intSum struct {
	place
	reads    taking
	unsigned bool
	out      arrow.DataType
	groups   int
	carry    []int64 // by group; nil: no sum left 64 bits
}

func (a *intSum) words() int    { return 1 }
func (a *intSum) takes() taking { return a.reads }
func (a *intSum) size() int64   { return 8 * int64(cap(a.carry)) }
func (a *intSum) reset()        { a.carry, a.groups = nil, 0 }

func (a *intSum) grow(n int) {
	a.groups = n
	if a.carry != nil && n > len(a.carry) {
		a.carry = append(a.carry, make([]int64, n-len(a.carry))...)
	}
}

// wrap notes that the sum of a group left 64 bits, upwards or downwards.
func (a *intSum) wrap(id uint32, by int64) {
	if a.carry == nil {
		a.carry = make([]int64, a.groups)
	}
	a.carry[id] += by
}

func (a *intSum) update(s *states, ids []uint32, v *vector) {
	switch {
	case v.lane == laneInts && !a.unsigned:
		a.addSigned(s, ids, v.ints)
	case v.lane == laneUints && a.unsigned:
		a.addUnsigned(s, ids, v.uints)
	case v.lane == laneUints:
		for i, id := range ids {
			a.addMixed(s, id, v.uints[i], 0)
		}
	default:
		for i, id := range ids {
			a.addMixed(s, id, uint64(v.ints[i]), v.ints[i]>>63)
		}
	}
}

func (a *intSum) addSigned(s *states, ids []uint32, values []int64) {
	records, stride, at := s.records, s.stride, a.at
	values = values[:len(ids)]
	for i, id := range ids {
		p := &records[int(id)*stride+at]
		old, v := int64(*p), values[i]
		sum := old + v
		*p = uint64(sum)
		if (old^sum)&(v^sum) < 0 {
			a.wrap(id, v>>63|1)
		}
	}
}

func (a *intSum) addUnsigned(s *states, ids []uint32, values []uint64) {
	records, stride, at := s.records, s.stride, a.at
	values = values[:len(ids)]
	for i, id := range ids {
		p := &records[int(id)*stride+at]
		sum, carry := bits.Add64(*p, values[i], 0)
		*p = sum
		if carry != 0 {
			a.wrap(id, 1)
		}
	}
}

// addMixed adds the number lo + 2^64 * hi.
func (a *intSum) addMixed(s *states, id uint32, lo uint64, hi int64) {
	p := &s.records[int(id)*s.stride+a.at]
	old := *p
	sum, carry := bits.Add64(old, lo, 0)
	*p = sum
	by := hi + int64(carry)
	if !a.unsigned { // the upper words that the signs of the records stand for
		by += int64(old)>>63 - int64(sum)>>63
	}
	if by != 0 {
		a.wrap(id, by)
	}
}

func (a *intSum) total(s *states, id uint32) exact.Int128 {
	lo := s.records[int(id)*s.stride+a.at]
	total := exact.Int128{Lo: lo}
	if !a.unsigned {
		total.Hi = int64(lo) >> 63
	}
	if a.carry != nil {
		total.Hi += a.carry[id]
	}
	return total
}

func (a *intSum) add(s *states, id uint32, v exact.Int128) { a.addMixed(s, id, v.Lo, v.Hi) }

func (a *intSum) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	b := other.(*intSum)
	for i, row := range rows {
		a.add(s, ids[i], b.total(from, row))
	}
}

func (a *intSum) finish(s *states, groups []uint32, out *column) int {
	if a.out.ID() == arrow.DECIMAL128 {
		return a.finishDecimal(s, groups, out)
	}
	bad := -1
	dst := cast[uint64](out.fixed)
	for i, id := range groups {
		dst[i] = s.records[int(id)*s.stride+a.at]
		if a.carry != nil && a.carry[id] != 0 && bad < 0 {
			bad = i
		}
	}
	return bad
}

func (a *intSum) finishDecimal(s *states, groups []uint32, out *column) int {
	bad := -1
	precision := int(a.out.(arrow.DecimalType).GetPrecision())
	for i, id := range groups {
		total := a.total(s, id)
		total.PutBytes(out.fixed[i*exact.Int128Size:])
		if bad < 0 && !total.FitsDecimal(precision) {
			bad = i
		}
	}
	return bad
}

func (a *intSum) double(s *states, id uint32) float64 { return a.total(s, id).Float64() }

func (a *intSum) exactly(s *states, id uint32, d *exact.Dyadic) (finite bool) {
	total := a.total(s, id)
	d.SetWords([]uint64{total.Lo, uint64(total.Hi)})
	return true
}
