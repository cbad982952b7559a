package expr

import (
	"bytes"
	"math"
	"math/big"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// edge is one end of an interval, nil where it is open to all sides.
type edge struct {
	constant constant
	strict   bool // the end itself is outside
}

// interval is the set of values between two edges. Every comparison with
// constants is membership in intervals: x < 5 in (−∞, 5), x = 5 in [5, 5],
// between in a closed one, in (…) in several points; what is negated is the
// answer and not the set.
type interval struct{ low, high *edge }

// members is a set of intervals over the values of one type, in the order and
// numbering of the vectors of that type.
type members struct {
	typ   arrow.DataType
	words []span[uint64]
	wide  []span[exact.Int256]
	bytes []byteSpan
}

// span is a closed interval. For words it is kept as a start and a length, so
// that one subtraction and one comparison test both ends, signed or not.
type span[T any] struct{ low, high T }

type byteSpan struct{ low, high *edge }

// newMembers translates intervals to the values of a type.
func newMembers(intervals []interval, dt arrow.DataType) *members {
	m := &members{typ: dt}
	f, _ := formOf(dt)
	for _, in := range intervals {
		switch f {
		case formFloat:
			m.addFloats(in)
		case formBytes:
			m.bytes = append(m.bytes, byteSpan(in))
		case formWide:
			limit := new(big.Int).Lsh(big.NewInt(1), 255)
			if low, high, ok := integers(in, dt, new(big.Int).Neg(limit), limit.Sub(limit, big.NewInt(1))); ok {
				m.wide = append(m.wide, span[exact.Int256]{toInt256(low), toInt256(high)})
			}
		case formSigned:
			if low, high, ok := integers(in, dt, big.NewInt(math.MinInt64), big.NewInt(math.MaxInt64)); ok {
				m.words = append(m.words, span[uint64]{uint64(low.Int64()), uint64(high.Int64())})
			}
		case formUnsigned:
			if low, high, ok := integers(in, dt, new(big.Int), new(big.Int).SetUint64(math.MaxUint64)); ok {
				m.words = append(m.words, span[uint64]{low.Uint64(), high.Uint64()})
			}
		}
	}
	for i, s := range m.words {
		m.words[i].high = s.high - s.low // now a length
	}
	return m
}

// integers returns the least and the greatest whole number of a type's units
// inside an interval, limited to what the type holds; false if there is none.
func integers(in interval, dt arrow.DataType, least, greatest *big.Int) (low, high *big.Int, ok bool) {
	low, high = least, greatest
	if in.low.isInfinite(1) || in.high.isInfinite(-1) {
		return nil, nil, false
	}
	if in.low != nil && in.low.constant.special == nil {
		n, whole := inUnits(in.low.constant, dt)
		if in.low.strict || !whole {
			n.Add(n, big.NewInt(1))
		}
		if n.Cmp(low) > 0 {
			low = n
		}
	}
	if in.high != nil && in.high.constant.special == nil {
		n, whole := inUnits(in.high.constant, dt)
		if in.high.strict && whole {
			n.Sub(n, big.NewInt(1))
		}
		if n.Cmp(high) < 0 {
			high = n
		}
	}
	return low, high, low.Cmp(high) <= 0
}

// isInfinite tells whether an edge lies beyond all numbers on one side. NaN is
// beyond the upper one.
func (b *edge) isInfinite(side int) bool {
	if b == nil || b.constant.special == nil {
		return false
	}
	return math.IsInf(*b.constant.special, side) || side > 0 && math.IsNaN(*b.constant.special)
}

func inUnits(c constant, dt arrow.DataType) (n *big.Int, whole bool) {
	return floor(new(big.Rat).Mul(c.number, unitsPer(dt)))
}

func (m *members) addFloats(in interval) {
	low, high := lowestFloatKey, nanKey
	if in.low != nil {
		low = floatKey(math.Float64bits(nearest(in.low.constant, m.typ)))
		if in.low.strict {
			if low == nanKey {
				return
			}
			low++
		}
	}
	if in.high != nil {
		high = floatKey(math.Float64bits(nearest(in.high.constant, m.typ)))
		if in.high.strict {
			if high == lowestFloatKey {
				return
			}
			high--
		}
	}
	if int64(low) <= int64(high) {
		m.words = append(m.words, span[uint64]{low, high})
	}
}

func nearest(c constant, dt arrow.DataType) float64 {
	if c.special != nil {
		return *c.special
	}
	return round(c.number, dt)
}

// toInt256 converts what fits.
func toInt256(n *big.Int) exact.Int256 {
	var a exact.Int256
	m := new(big.Int).Set(n)
	if n.Sign() < 0 {
		m.Add(m, new(big.Int).Lsh(big.NewInt(1), 256))
	}
	word := new(big.Int)
	for i := range a {
		a[i] = word.And(m, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		m.Rsh(m, 64)
	}
	return a
}

// test marks the rows of v whose value is a member. Rows without a value are
// marked either way.
func (m *members) test(v *vector, yes bitmap) {
	clear(yes)
	switch v.form {
	case formSigned, formUnsigned:
		for _, s := range m.words {
			markWords(yes, v.words, s)
		}
	case formFloat:
		for _, s := range m.words {
			markFloats(yes, v.words, s)
		}
	case formWide:
		for i := range v.wide {
			mark(yes, i, slices.ContainsFunc(m.wide, func(s span[exact.Int256]) bool {
				return v.wide[i].Cmp(s.low) >= 0 && v.wide[i].Cmp(s.high) <= 0
			}))
		}
	case formBytes:
		for i, b := range v.bytes {
			mark(yes, i, slices.ContainsFunc(m.bytes, func(s byteSpan) bool { return s.has(b) }))
		}
	}
}

func mark(yes bitmap, i int, is bool) {
	if is {
		yes[i/64] |= 1 << (i % 64)
	}
}

// markWords tests 64 rows at a time, without a branch for a row.
func markWords(yes bitmap, words []uint64, s span[uint64]) {
	for w := range yes {
		rows := words[64*w : min(64*w+64, len(words))]
		var found uint64
		for i, x := range rows {
			var is uint64
			if x-s.low <= s.high {
				is = 1
			}
			found |= is << i
		}
		yes[w] |= found
	}
}

func markFloats(yes bitmap, words []uint64, s span[uint64]) {
	for w := range yes {
		rows := words[64*w : min(64*w+64, len(words))]
		var found uint64
		for i, x := range rows {
			var is uint64
			if floatKey(x)-s.low <= s.high {
				is = 1
			}
			found |= is << i
		}
		yes[w] |= found
	}
}

func (s byteSpan) has(b []byte) bool {
	if s.low != nil {
		if c := bytes.Compare(b, s.low.constant.bytes); c < 0 || c == 0 && s.low.strict {
			return false
		}
	}
	if s.high != nil {
		if c := bytes.Compare(b, s.high.constant.bytes); c > 0 || c == 0 && s.high.strict {
			return false
		}
	}
	return true
}
