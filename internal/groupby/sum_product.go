package groupby

import (
	"math"
	"math/bits"

	"arrowagg/internal/exact"
)

// productSum adds products of doubles exactly, as floatSum does doubles: four
// doubles a group whose sum is the sum, as long as that is possible, else the
// mark of promotion and the index of a superaccumulator.
type productSum struct {
	place
	large []exact.ProductSum
}

func (a *productSum) words() int  { return len(exact.Expansion{}) }
func (a *productSum) reset()      { a.large = a.large[:0] }
func (a *productSum) size() int64 { return exact.ProductSumSize * int64(cap(a.large)) }

func (a *productSum) of(s *states, id uint32) []uint64 {
	return s.records[int(id)*s.stride+a.at:][:len(exact.Expansion{})]
}

// addProduct adds x*y.
func (a *productSum) addProduct(s *states, id uint32, x, y float64) {
	words := a.of(s, id)
	if words[0] == promoted {
		a.large[words[1]].AddProduct(x, y)
		return
	}
	p, e, ok := exact.TwoProduct(x, y)
	if !ok {
		a.promote(words).AddProduct(x, y)
		return
	}
	a.add(words, p)
	a.add(words, e)
}

// add adds one term.
func (a *productSum) add(words []uint64, x float64) {
	if words[0] == promoted {
		a.large[words[1]].Add(x)
		return
	}
	terms := expansionOf(words)
	if !terms.Add(x) {
		a.promote(words).Add(x)
		return
	}
	for i, t := range terms {
		words[i] = math.Float64bits(t)
	}
}

func expansionOf(words []uint64) (e exact.Expansion) {
	for i := range e {
		e[i] = math.Float64frombits(words[i])
	}
	return e
}

// addSquare adds the square of an integer.
func (a *productSum) addSquare(s *states, id uint32, size uint64) {
	hi, lo := bits.Mul64(size, size)
	a.addWord(s, id, lo, 0)
	a.addWord(s, id, hi, 64)
}

// addWord adds word * 2^shift.
func (a *productSum) addWord(s *states, id uint32, word uint64, shift int) {
	if word == 0 {
		return
	}
	hi, lo := exact.PairFromUint64(word)
	a.add(a.of(s, id), math.Ldexp(hi, shift))
	a.add(a.of(s, id), math.Ldexp(lo, shift))
}

// promote moves a group's sum to a superaccumulator.
func (a *productSum) promote(words []uint64) *exact.ProductSum {
	if words[0] == promoted {
		return &a.large[words[1]]
	}
	var sum exact.ProductSum
	for _, t := range expansionOf(words) {
		sum.Add(t)
	}
	a.large = append(a.large, sum)
	words[0], words[1] = promoted, uint64(len(a.large)-1)
	return &a.large[len(a.large)-1]
}

func (a *productSum) merge(s *states, ids []uint32, from *states, products products, rows []uint32) {
	b := products.(*productSum)
	for i, row := range rows {
		words, other := a.of(s, ids[i]), b.of(from, row)
		if other[0] == promoted {
			a.promote(words).Merge(&b.large[other[1]])
			continue
		}
		for _, t := range expansionOf(other) {
			if t != 0 {
				a.add(words, t)
			}
		}
	}
}

// exactly makes d the sum of a group, if that is finite.
func (a *productSum) exactly(s *states, id uint32, d *exact.Dyadic) (finite bool) {
	words := a.of(s, id)
	if words[0] == promoted {
		return a.large[words[1]].Dyadic(d)
	}
	e := expansionOf(words)
	d.SetFloats(e[:]...)
	return true
}

// double is the sum, rounded once.
func (a *productSum) double(s *states, id uint32) float64 {
	words := a.of(s, id)
	if words[0] == promoted {
		return a.large[words[1]].Round()
	}
	var sum exact.ProductSum
	for _, t := range expansionOf(words) {
		sum.Add(t)
	}
	return sum.Round()
}

// update adds x*w for every row.
func (a *productSum) update(s *states, ids []uint32, x, w *vector) {
	if x.lane == laneFloats && w.lane == laneFloats {
		for i, id := range ids {
			a.addProduct(s, id, x.floats[i], w.floats[i])
		}
		return
	}
	var xs, ws [8]float64
	for i, id := range ids {
		for _, p := range x.terms(i, xs[:0]) {
			for _, q := range w.terms(i, ws[:0]) {
				a.addProduct(s, id, p, q)
			}
		}
	}
}

// terms appends doubles whose sum is value i: none is zero unless the value is,
// so that their products are those of the value, also with infinities.
func (v *vector) terms(i int, dst []float64) []float64 {
	var one [1]uint64
	words := one[:]
	switch v.lane {
	case laneFloats:
		return append(dst, v.floats[i])
	case laneInts:
		one[0] = uint64(v.ints[i])
	case laneUints:
		return appendTerms(dst, []uint64{v.uints[i]}, 1)
	case laneWords:
		words = v.words[i*v.width : (i+1)*v.width]
	}
	var size [4]uint64
	n := magnitude(size[:], words)
	sign := 1.0
	if int64(words[len(words)-1]) < 0 {
		sign = -1
	}
	return appendTerms(dst, size[:n], sign)
}

func appendTerms(dst []float64, size []uint64, sign float64) []float64 {
	for k, word := range size {
		hi, lo := exact.PairFromUint64(word)
		for _, t := range [2]float64{hi, lo} {
			if t != 0 {
				dst = append(dst, sign*math.Ldexp(t, 64*k))
			}
		}
	}
	if len(dst) == 0 {
		dst = append(dst, 0)
	}
	return dst
}

// addExactly adds d.
func (a *productSum) addExactly(s *states, id uint32, d *exact.Dyadic) bool {
	d.AddTo(func(x, power float64) { a.addProduct(s, id, x, power) })
	return true
}
