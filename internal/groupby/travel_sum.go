package groupby

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// An integer sum travels as a decimal without scale: 38 digits hold the sum of
// 2^62 integers.
func (a *intSum) stateFields(arrow.DataType) []arrow.Field {
	return []arrow.Field{{Name: "sum", Type: &arrow.Decimal128Type{Precision: 38}, Nullable: true}}
}

func (a *intSum) export(s *states, groups []uint32, out []*column) int {
	bad := -1
	for i, id := range groups {
		total := a.total(s, id)
		total.PutBytes(out[0].fixed[i*exact.Int128Size:])
		if bad < 0 && !total.FitsDecimal(38) {
			bad = i
		}
	}
	return bad
}

func (a *intSum) load(s *states, ids []uint32, in []*vector) int {
	for i, id := range ids {
		v := exact.Int128{Lo: in[0].words[2*i], Hi: int64(in[0].words[2*i+1])}
		if !travels(v.Hi) {
			return i
		}
		a.add(s, id, v)
		if !travels(a.total(s, id).Hi) {
			return i
		}
	}
	return -1
}

// travels reports whether the upper part of a sum is one that rows can lead to.
func travels(upper int64) bool { return -maxTravelling <= upper && upper < maxTravelling }

// A float sum travels as the one pair of doubles that every order of additions
// leads to: the nearest double, and what remains. Where two doubles cannot hold
// the sum, the nearest is followed by the bytes of the superaccumulator.
func (a *floatSum) stateFields(arrow.DataType) []arrow.Field {
	return []arrow.Field{
		{Name: "high", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "low", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "exact", Type: arrow.BinaryTypes.Binary, Nullable: true},
	}
}

func (a *floatSum) export(s *states, groups []uint32, out []*column) int {
	high, low, large := cast[float64](out[0].fixed), cast[float64](out[1].fixed), out[2]
	var form []byte
	for i, id := range groups {
		h, l, sum := a.canonical(s, id)
		high[i], low[i] = h, l
		if sum == nil {
			large.append(nil)
			large.setNull(i)
			continue
		}
		form = sum.AppendBinary(form[:0])
		large.append(form)
		out[1].setNull(i)
	}
	return -1
}

// canonical is a group's sum as a pair, or, where there is none, the nearest
// double and the sum.
func (a *floatSum) canonical(s *states, id uint32) (high, low float64, large *exact.Sum) {
	p := s.records[int(id)*s.stride+a.at:][:2]
	if p[0] == promoted {
		large = &a.large[p[1]]
	} else {
		h, l := math.Float64frombits(p[0]), math.Float64frombits(p[1])
		if high, low, ok := exact.CanonicalPair(h, l); ok {
			return high, low, nil
		}
		large = &exact.Sum{}
		large.AddPair(h, l)
	}
	if high, low, ok := large.Pair(); ok {
		return high, low, nil
	}
	return large.Round(), 0, large
}

func (a *floatSum) load(s *states, ids []uint32, in []*vector) int {
	for i, id := range ids {
		high := in[0].floats[i]
		switch paired := in[1].has(i); {
		case paired == in[2].has(i):
			return i
		case paired:
			if !isCanonical(high, in[1].floats[i]) {
				return i
			}
			a.add(s, id, high)
			a.add(s, id, in[1].floats[i])
		default:
			sum, err := exact.DecodeSum(in[2].at(i))
			if err != nil || math.Float64bits(sum.Round()) != math.Float64bits(high) {
				return i
			}
			if _, _, ok := sum.Pair(); ok {
				return i // it would have travelled as a pair
			}
			a.promote(s.records[int(id)*s.stride+a.at:][:2]).Merge(&sum)
		}
	}
	return -1
}

// isCanonical reports whether a pair is the one that stands for its value.
func isCanonical(high, low float64) bool {
	h, l, ok := exact.CanonicalPair(high, low)
	return ok && math.Float64bits(h) == math.Float64bits(high) && math.Float64bits(l) == math.Float64bits(low)
}
