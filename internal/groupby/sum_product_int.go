package groupby

import (
	"math/bits"

	"arrowagg/internal/exact"
)

// intProducts adds products of integers, or of the digits of decimals, exactly:
// in two's complement words in the record, one more than a product has, which
// 2^63 products do not fill.
type intProducts struct {
	place
	width int
}

func (a *intProducts) words() int  { return a.width }
func (a *intProducts) reset()      {}
func (a *intProducts) size() int64 { return 0 }

func (a *intProducts) of(s *states, id uint32) []uint64 {
	return s.records[int(id)*s.stride+a.at:][:a.width]
}

func (a *intProducts) update(s *states, ids []uint32, x, w *vector) {
	var xs, ws [4]uint64
	var product [8]uint64
	for i, id := range ids {
		n, negative := x.magnitude(i, &xs)
		m, other := w.magnitude(i, &ws)
		clear(product[:n+m])
		for k, word := range xs[:n] { // the schoolbook, a row at a time
			var carry uint64
			for l := range m {
				hi, lo := bits.Mul64(word, ws[l])
				var c uint64
				lo, c = bits.Add64(lo, carry, 0)
				hi += c
				product[k+l], c = bits.Add64(product[k+l], lo, 0)
				carry = hi + c
			}
			product[k+m] = carry
		}
		addMagnitude(a.of(s, id), product[:n+m], negative != other)
	}
}

// magnitude is the size of integer i in words, and whether it is negative.
func (v *vector) magnitude(i int, size *[4]uint64) (n int, negative bool) {
	switch v.lane {
	case laneInts:
		sign := v.ints[i] >> 63
		size[0] = uint64(v.ints[i]^sign) - uint64(sign)
		return 1, sign != 0
	case laneUints:
		size[0] = v.uints[i]
		return 1, false
	}
	words := v.words[i*v.width : (i+1)*v.width]
	return magnitude(size[:], words), int64(words[v.width-1]) < 0
}

// addMagnitude adds ±size to a longer number in two's complement.
func addMagnitude(sum, size []uint64, negative bool) {
	var c uint64
	for i := range sum {
		var w uint64
		if i < len(size) {
			w = size[i]
		}
		if negative {
			sum[i], c = bits.Sub64(sum[i], w, c)
		} else {
			sum[i], c = bits.Add64(sum[i], w, c)
		}
	}
}

func (a *intProducts) merge(s *states, ids []uint32, from *states, other products, rows []uint32) {
	b := other.(*intProducts)
	for i, row := range rows {
		addSigned(a.of(s, ids[i]), b.of(from, row))
	}
}

func (a *intProducts) exactly(s *states, id uint32, d *exact.Dyadic) (finite bool) {
	d.SetWords(a.of(s, id))
	return true
}

func (a *intProducts) double(s *states, id uint32) float64 {
	one := exact.Dyadic{}
	one.SetFloats(1)
	var d exact.Dyadic
	d.SetWords(a.of(s, id))
	return exact.Quotient(&d, &one, 0)
}

func (a *intProducts) addExactly(s *states, id uint32, d *exact.Dyadic) bool {
	v, ok := d.Int()
	if !ok || v.BitLen() >= 64*a.width {
		return false
	}
	addSigned(a.of(s, id), twosComplement(v, a.width))
	return true
}
