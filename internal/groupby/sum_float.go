package groupby

import (
	"math"

	"arrowagg/internal/exact"
)

// floatSum adds doubles exactly: two doubles a group whose sum is the sum, as
// long as that is possible, else a superaccumulator (see package exact). The
// two are told apart by the first word: a promoted group has there a NaN that
// no arithmetic makes, and in the second the index of its superaccumulator.
// Arithmetic on that NaN shows a loss, so the loop over rows tests only that.
type floatSum struct {
	place
	large []exact.Sum
}

const promoted = 0x7ff4_a770_a660_0000 // a signalling NaN

func (a *floatSum) words() int    { return 2 }
func (a *floatSum) takes() taking { return takesNatural }
func (a *floatSum) grow(int)      {}
func (a *floatSum) reset()        { a.large = a.large[:0] }
func (a *floatSum) size() int64   { return exact.SumSize * int64(cap(a.large)) }

func (a *floatSum) update(s *states, ids []uint32, v *vector) {
	switch v.lane {
	case laneFloats:
		a.addFloats(s, ids, v.floats)
	case laneInts:
		for i, id := range ids {
			hi, lo := exact.PairFromInt64(v.ints[i])
			a.add(s, id, hi)
			a.add(s, id, lo)
		}
	case laneUints:
		for i, id := range ids {
			hi, lo := exact.PairFromUint64(v.uints[i])
			a.add(s, id, hi)
			a.add(s, id, lo)
		}
	}
}

func (a *floatSum) addFloats(s *states, ids []uint32, values []float64) {
	records, stride, at := s.records, s.stride, a.at
	values = values[:len(ids)]
	for i, id := range ids {
		p := records[int(id)*stride+at:][:2]
		h, l, loss := exact.StepPair(math.Float64frombits(p[0]), math.Float64frombits(p[1]), values[i])
		if loss != 0 {
			a.add(s, id, values[i])
			continue
		}
		p[0], p[1] = math.Float64bits(h), math.Float64bits(l)
	}
}

// add adds one value to a group in whatever form its sum is.
func (a *floatSum) add(s *states, id uint32, x float64) {
	p := s.records[int(id)*s.stride+a.at:][:2]
	if p[0] == promoted {
		a.large[p[1]].Add(x)
		return
	}
	h, l, ok := exact.AddPair(math.Float64frombits(p[0]), math.Float64frombits(p[1]), x)
	if !ok {
		a.promote(p).Add(x)
		return
	}
	p[0], p[1] = math.Float64bits(h), math.Float64bits(l)
}

// promote moves a group's sum to a superaccumulator.
func (a *floatSum) promote(p []uint64) *exact.Sum {
	if p[0] == promoted {
		return &a.large[p[1]]
	}
	var sum exact.Sum
	sum.Add(math.Float64frombits(p[0]))
	sum.Add(math.Float64frombits(p[1]))
	a.large = append(a.large, sum)
	p[0], p[1] = promoted, uint64(len(a.large)-1)
	return &a.large[len(a.large)-1]
}

func (a *floatSum) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	b := other.(*floatSum)
	for i, row := range rows {
		q := from.records[int(row)*from.stride+b.at:][:2]
		if q[0] == promoted {
			a.promote(s.records[int(ids[i])*s.stride+a.at:][:2]).Merge(&b.large[q[1]])
			continue
		}
		a.add(s, ids[i], math.Float64frombits(q[0]))
		a.add(s, ids[i], math.Float64frombits(q[1]))
	}
}

func (a *floatSum) double(s *states, id uint32) float64 {
	p := s.records[int(id)*s.stride+a.at:][:2]
	if p[0] == promoted {
		return a.large[p[1]].Round()
	}
	return exact.RoundPair(math.Float64frombits(p[0]), math.Float64frombits(p[1]))
}

func (a *floatSum) finish(s *states, groups []uint32, out *column) int {
	dst := cast[float64](out.fixed)
	for i, id := range groups {
		dst[i] = a.double(s, id)
	}
	return -1
}
