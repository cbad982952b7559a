package groupby

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// addTotals adds the sums of narrower values to sums of wider ones, exactly.
func addTotals(to, other accumulator, old, now arrow.DataType, s *states, ids []uint32, from *states,
	rows []uint32,
) error {
	refused := fmt.Errorf("a sum of %s cannot go on as a sum of %s", old, now)
	switch d := to.(type) {
	case *floatSum:
		switch b := other.(type) {
		case *floatSum:
			d.merge(s, ids, from, b, rows)
			return nil
		case *intSum:
			for i, row := range rows {
				d.addInt(s, ids[i], b.total(from, row))
			}
			return nil
		}
	case *intSum:
		b, ok := other.(*intSum)
		if !ok {
			return refused
		}
		u, timed := unitOf(old)
		if !timed {
			d.merge(s, ids, from, b, rows)
			return nil
		}
		v, _ := unitOf(now)
		for i, row := range rows {
			total, over := b.total(from, row).MulPow10(3 * int(v-u))
			if over {
				return fmt.Errorf("%s: past 128 bits in units of %s", refused, v)
			}
			d.add(s, ids[i], total)
		}
		return nil
	case *wideSum:
		for i, row := range rows {
			total, ok := wideTotal(other, from, row, scaleOf(now))
			if !ok {
				return fmt.Errorf("%s: past 256 bits", refused)
			}
			d.addWide(s, ids[i], total)
		}
		return nil
	}
	return refused
}

// addInt adds an integer of 128 bits.
func (a *floatSum) addInt(s *states, id uint32, v exact.Int128) {
	hi, lo := exact.PairFromInt64(v.Hi)
	a.add(s, id, hi*0x1p64) // exact: a power of two
	a.add(s, id, lo*0x1p64)
	hi, lo = exact.PairFromUint64(v.Lo)
	a.add(s, id, hi)
	a.add(s, id, lo)
}

// wideTotal is the digits of a sum in a decimal of that scale.
func wideTotal(acc accumulator, s *states, row uint32, scale int) (total exact.Int256, ok bool) {
	switch b := acc.(type) {
	case *intSum:
		total, over := exact.Int256FromInt128(b.total(s, row)).MulPow10(scale)
		return total, !over
	case *wideSum:
		total, ok := b.total(s, row)
		if ok || b.width == 4 {
			return total, ok
		}
		upper := int64(total[2]) + b.carry[row]
		total[2], total[3] = uint64(upper), uint64(upper>>63)
		return total, true
	}
	return total, false
}

// addWide adds digits of 256 bits to a sum of whatever width.
func (a *wideSum) addWide(s *states, id uint32, v exact.Int256) {
	if a.width == 4 {
		a.add(s, id, v[:], 0)
		return
	}
	// v is its lower half, signed, plus carry * 2^128. Sums of decimal128
	// values have far less than 64 bits above the lower half.
	a.add(s, id, v[:2], int64(v[2])+int64(v[1]>>63))
}
