package groupby

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// intMoments counts integers, or the digits of decimals, and adds them and their
// squares up, all in the record and wide enough for 2^64 values of any size:
//
//	| count | sum: width + 1 words, signed | squares: 2 width + 1 words |
//
// least significant word first.
type intMoments struct {
	place
	pure
	spread spread
	in     arrow.DataType
	width  int // words a value
}

func (a *intMoments) words() int { return 1 + a.width + 1 + 2*a.width + 1 }

func (a *intMoments) takes() taking {
	if isDecimal(a.in) {
		return takesConverted
	}
	return takesNatural
}

// of are the parts of a record.
func (a *intMoments) of(s *states, id uint32) (count *uint64, sum, squares []uint64) {
	p := s.records[int(id)*s.stride+a.at:][:a.words()]
	return &p[0], p[1 : a.width+2], p[a.width+2:]
}

func (a *intMoments) update(s *states, ids []uint32, v *vector) {
	switch v.lane {
	case laneInts:
		for i, id := range ids {
			x := v.ints[i]
			a.addWord(s, id, uint64(x), x>>63)
		}
	case laneUints:
		for i, id := range ids {
			a.addWord(s, id, v.uints[i], 0)
		}
	case laneWords:
		for i, id := range ids {
			a.addWords(s, id, v.words[i*v.width:(i+1)*v.width])
		}
	}
}

// addWord adds one integer where a value is one word; high is its sign, 0 or -1.
func (a *intMoments) addWord(s *states, id uint32, low uint64, high int64) {
	p := s.records[int(id)*s.stride+a.at:][:6]
	p[0]++
	var c uint64
	p[1], c = bits.Add64(p[1], low, 0)
	p[2], _ = bits.Add64(p[2], uint64(high), c)
	size := (low ^ uint64(high)) - uint64(high)
	hi, lo := bits.Mul64(size, size)
	p[3], c = bits.Add64(p[3], lo, 0)
	p[4], c = bits.Add64(p[4], hi, c)
	p[5] += c
}

// addWords adds an integer of a.width words in two's complement.
func (a *intMoments) addWords(s *states, id uint32, words []uint64) {
	count, sum, squares := a.of(s, id)
	*count++
	addSigned(sum, words)
	var size [4]uint64
	n := magnitude(size[:], words)
	for i := range n { // the square, a row of the schoolbook at a time
		var carry uint64
		for k := range n {
			hi, lo := bits.Mul64(size[i], size[k])
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			squares[i+k], c = bits.Add64(squares[i+k], lo, 0)
			carry = hi + c
		}
		for k := i + n; carry != 0; k++ {
			squares[k], carry = bits.Add64(squares[k], carry, 0)
		}
	}
}

// addSigned adds a shorter number in two's complement.
func addSigned(sum, words []uint64) {
	sign := uint64(int64(words[len(words)-1]) >> 63)
	var c uint64
	for i := range sum {
		w := sign
		if i < len(words) {
			w = words[i]
		}
		sum[i], c = bits.Add64(sum[i], w, c)
	}
}

// magnitude writes the size of a number in two's complement and returns how
// many words it has.
func magnitude(size, words []uint64) int {
	if int64(words[len(words)-1]) >= 0 {
		return copy(size, words)
	}
	c := uint64(1)
	for i, w := range words {
		size[i], c = bits.Add64(^w, 0, c)
	}
	return len(words)
}

func (a *intMoments) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	b := other.(*intMoments)
	for i, row := range rows {
		count, sum, squares := a.of(s, ids[i])
		n, sum2, squares2 := b.of(from, row)
		*count += *n
		addSigned(sum, sum2)
		var c uint64
		for k := range squares {
			squares[k], c = bits.Add64(squares[k], squares2[k], c)
		}
	}
}

func (a *intMoments) finish(s *states, groups []uint32, out *column) int {
	a.spread.finish(groups, out, scaleOf(a.in), func(id uint32, m *exact.Moments) bool {
		count, sum, squares := a.of(s, id)
		m.Count = *count
		m.Sum.SetWords(sum)
		m.Squares.SetWords(squares)
		return true
	})
	return -1
}

// absorb takes over the moments of narrower integers or decimals, whose digits
// may stand for less.
func (a *intMoments) absorb(s *states, ids []uint32, from *states, other accumulator, rows []uint32, _ widened) error {
	b, ok := other.(*intMoments)
	if !ok || scaleOf(a.in) < scaleOf(b.in) {
		return fmt.Errorf("moments cannot go on as those of %s", a.in)
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scaleOf(a.in)-scaleOf(b.in))), nil)
	for i, row := range rows {
		n, sum2, squares2 := b.of(from, row)
		v, q := signedInt(sum2), signedInt(squares2)
		v.Mul(v, power)
		q.Mul(q.Mul(q, power), power)
		count, sum, squares := a.of(s, ids[i])
		if v.BitLen() >= 64*len(sum) || q.BitLen() > 64*len(squares) {
			return fmt.Errorf("moments of %s do not fit those of %s", b.in, a.in)
		}
		*count += *n
		addSigned(sum, twosComplement(v, len(sum)))
		addSigned(squares, twosComplement(q, len(squares)))
	}
	return nil
}

// signedInt is the number that words are in two's complement.
func signedInt(words []uint64) *big.Int {
	v := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		v.Lsh(v, 64)
		v.Or(v, new(big.Int).SetUint64(words[i]))
	}
	if int64(words[len(words)-1]) < 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(64*len(words))))
	}
	return v
}

// twosComplement is the number modulo 2^(64 n), in n words.
func twosComplement(v *big.Int, n int) []uint64 {
	rest := new(big.Int).And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(64*n)), big.NewInt(1)))
	words := make([]uint64, n)
	for i := range words {
		words[i] = new(big.Int).And(rest, new(big.Int).SetUint64(1<<64-1)).Uint64()
		rest.Rsh(rest, 64)
	}
	return words
}
