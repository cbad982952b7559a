package groupby

import (
	"math/big"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// wideSum adds the digits of decimals exactly, in two's complement words in
// the record: two for decimal32 to decimal128, four for decimal256. As in
// intSum, carry counts how often a group's words wrapped around, so that a sum
// that leaves the words and comes back is still right.
type wideSum struct {
	place
	width  int            // words
	in     arrow.DataType // the column's type, for its scale
	out    arrow.DataType
	groups int
	carry  []int64
}

func (a *wideSum) words() int    { return a.width }
func (a *wideSum) takes() taking { return takesConverted }
func (a *wideSum) size() int64   { return 8 * int64(cap(a.carry)) }
func (a *wideSum) reset()        { a.carry, a.groups = nil, 0 }

func (a *wideSum) grow(n int) {
	a.groups = n
	if a.carry != nil && n > len(a.carry) {
		a.carry = append(a.carry, make([]int64, n-len(a.carry))...)
	}
}

func (a *wideSum) update(s *states, ids []uint32, v *vector) {
	if v.lane == laneInts {
		for i, id := range ids {
			w := [1]uint64{uint64(v.ints[i])}
			a.add(s, id, w[:], 0)
		}
		return
	}
	for i, id := range ids {
		a.add(s, id, v.words[i*v.width:(i+1)*v.width], 0)
	}
}

// add adds a number in two's complement words, to which carry * 2^(64*width)
// is added.
func (a *wideSum) add(s *states, id uint32, words []uint64, carry int64) {
	at := int(id)*s.stride + a.at
	sum := s.records[at : at+a.width]
	sign := uint64(int64(words[len(words)-1]) >> 63)
	before := int64(sum[a.width-1])
	var c uint64
	var top int64
	for i := range sum {
		w := sign
		if i < len(words) {
			w = words[i]
		}
		sum[i], c = bits.Add64(sum[i], w, c)
		top = int64(w)
	}
	after := int64(sum[a.width-1])
	if (before^after)&(top^after) < 0 {
		carry += top>>63 | 1
	}
	if carry != 0 {
		if a.carry == nil {
			a.carry = make([]int64, a.groups)
		}
		a.carry[id] += carry
	}
}

func (a *wideSum) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	b := other.(*wideSum)
	for i, row := range rows {
		at := int(row)*from.stride + b.at
		var carry int64
		if b.carry != nil {
			carry = b.carry[row]
		}
		a.add(s, ids[i], from.records[at:at+b.width], carry)
	}
}

// total is the sum and whether it fits the words.
func (a *wideSum) total(s *states, id uint32) (exact.Int256, bool) {
	at := int(id)*s.stride + a.at
	return wideInt(s.records[at : at+a.width]), a.carry == nil || a.carry[id] == 0
}

func (a *wideSum) finish(s *states, groups []uint32, out *column) int {
	bad := -1
	precision := int(a.out.(arrow.DecimalType).GetPrecision())
	dst := cast[uint64](out.fixed)
	for i, id := range groups {
		total, ok := a.total(s, id)
		putWide(dst[i*a.width:(i+1)*a.width], total)
		if bad < 0 && !(ok && total.FitsDecimal(precision)) {
			bad = i
		}
	}
	return bad
}

// double is the sum, scaled, as the nearest double.
func (a *wideSum) double(s *states, id uint32) float64 {
	total, ok := a.total(s, id)
	scale := scaleOf(a.in)
	if ok {
		return total.Float64Scaled(scale)
	}
	if a.width == 2 {
		upper := int64(total[2]) + a.carry[id]
		total[2], total[3] = uint64(upper), uint64(upper>>63)
		return total.Float64Scaled(scale)
	}
	// A few dozen values of 76 digits leave 256 bits, and their mean is a double.
	sum := new(big.Int).Lsh(big.NewInt(a.carry[id]), 256)
	sum.Add(sum, total.Decimal().BigInt())
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	nearest, _ := new(big.Rat).SetFrac(sum, power).Float64()
	return nearest
}

func (a *wideSum) exactly(s *states, id uint32, d *exact.Dyadic) (finite bool) {
	at := int(id)*s.stride + a.at
	var words [5]uint64
	copy(words[:], s.records[at:at+a.width])
	words[a.width] = uint64(int64(words[a.width-1]) >> 63)
	if a.carry != nil {
		words[a.width] += uint64(a.carry[id])
	}
	d.SetWords(words[:a.width+1])
	return true
}
