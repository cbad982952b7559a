package groupby

import (
	"fmt"
	"math"

	"arrowagg/internal/exact"
)

// floatMoments counts doubles and adds them and their squares up exactly: the
// sum as floatSum does, the squares in a productSum. Integers among them, which
// another input may bring, are taken as they are.
//
//	| count | sum: hi lo | squares: four terms |
type floatMoments struct {
	spread  spread
	n       counter
	sum     floatSum
	squares productSum
}

func (a *floatMoments) words() int    { return 1 + a.sum.words() + a.squares.words() }
func (a *floatMoments) takes() taking { return takesNatural }
func (a *floatMoments) grow(int)      {}
func (a *floatMoments) size() int64   { return a.sum.size() + a.squares.size() }

func (a *floatMoments) bind(at int) {
	a.n.bind(at)
	a.sum.bind(at + 1)
	a.squares.bind(at + 3)
}

func (a *floatMoments) reset() {
	a.sum.reset()
	a.squares.reset()
}

func (a *floatMoments) update(s *states, ids []uint32, v *vector) {
	a.n.update(s, ids, v)
	a.sum.update(s, ids, v)
	switch v.lane {
	case laneFloats:
		for i, id := range ids {
			a.squares.addProduct(s, id, v.floats[i], v.floats[i])
		}
	case laneInts:
		for i, id := range ids {
			sign := v.ints[i] >> 63
			a.squares.addSquare(s, id, uint64(v.ints[i]^sign)-uint64(sign))
		}
	case laneUints:
		for i, id := range ids {
			a.squares.addSquare(s, id, v.uints[i])
		}
	}
}

func (a *floatMoments) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	b := other.(*floatMoments)
	a.n.merge(s, ids, from, &b.n, rows)
	a.sum.merge(s, ids, from, &b.sum, rows)
	a.squares.merge(s, ids, from, &b.squares, rows)
}

func (a *floatMoments) finish(s *states, groups []uint32, out *column) int {
	a.spread.finish(groups, out, 0, func(id uint32, m *exact.Moments) bool {
		m.Count = a.n.value(s, id)
		return a.sum.exactly(s, id, &m.Sum) && a.squares.exactly(s, id, &m.Squares)
	})
	return -1
}

// absorb takes over the moments of integers and of narrower floats.
func (a *floatMoments) absorb(s *states, ids []uint32, from *states, other accumulator, rows []uint32, _ widened) error {
	if b, ok := other.(*floatMoments); ok {
		a.merge(s, ids, from, b, rows)
		return nil
	}
	b, ok := other.(*intMoments)
	if !ok || b.width > 1 || isDecimal(b.in) {
		return fmt.Errorf("moments of another type cannot go on as those of float64")
	}
	for i, row := range rows {
		count, sum, squares := b.of(from, row)
		s.records[int(ids[i])*s.stride+a.n.at] += *count
		a.sum.addInt(s, ids[i], exact.Int128{Hi: int64(sum[1]), Lo: sum[0]})
		for k, word := range squares {
			a.squares.addWord(s, ids[i], word, 64*k)
		}
	}
	return nil
}

// exactly makes d the sum of a group, if that is finite.
func (a *floatSum) exactly(s *states, id uint32, d *exact.Dyadic) (finite bool) {
	p := s.records[int(id)*s.stride+a.at:][:2]
	if p[0] == promoted {
		return a.large[p[1]].Dyadic(d)
	}
	d.SetFloats(math.Float64frombits(p[0]), math.Float64frombits(p[1]))
	return true
}
