package groupby

import (
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

// orderCode writes values of one type so that what is written compares as the
// values do: as words, compared one after the other and unsigned, or, of values
// of any length, as bytes.
//
//	64 bits or less   their ordered bits (see ordered.go)
//	exact floats      the double nearest to the value, and what an integer among
//	                  floats has above it: 2^53 and 2^53 + 1 are different
//	decimals          most significant word first, the sign bit inverted
//	bytes             each 0 as 0 255, and 0 0 at the end: then a value comes
//	                  before those that it begins, whatever is written behind it
type orderCode struct {
	typ   arrow.DataType
	exact bool
	words int // a value; 0: bytes
}

// newOrderCode returns the code of values of type t. exact is for floats that
// are compared but not shown.
func newOrderCode(t arrow.DataType, exact bool) (orderCode, error) {
	l, width, ok := laneOf(t)
	if !ok || l == laneNone {
		return orderCode{}, fmt.Errorf("no order among values of type %s", t)
	}
	c := orderCode{typ: t, exact: exact && l == laneFloats, words: width}
	if c.exact {
		c.words = 2
	}
	return c, nil
}

// takes is the form of the column that the code is of.
func (c *orderCode) takes() taking {
	if c.exact {
		return takesNatural
	}
	return takesConverted
}

// alike tells whether another type's code of a value is the same.
func (c *orderCode) alike(d *orderCode) bool {
	s, t := c.typ, d.typ
	return c.exact == d.exact && (sameType(s, t) || isString(s) && isString(t) || isFloat(s) && isFloat(t) ||
		isSigned(s) && isSigned(t) || isUnsigned(s) && isUnsigned(t) ||
		isDecimal(s) && isDecimal(t) && c.words == d.words && scaleOf(s) == scaleOf(t))
}

// put writes the words of n values to dst, those of a value every so many.
func (c *orderCode) put(dst []uint64, every, n int, v *vector) {
	switch v.lane {
	case laneInts:
		for i, x := range v.ints[:n] {
			dst[i*every] = orderedInt(x)
		}
	case laneUints:
		for i, x := range v.uints[:n] {
			dst[i*every] = x
		}
	case laneFloats:
		for i, x := range v.floats[:n] {
			dst[i*every] = orderedFloat(x)
		}
	case laneWords:
		for i := range n {
			words := v.words[i*v.width : (i+1)*v.width]
			for k, w := range words {
				dst[i*every+v.width-1-k] = w
			}
			dst[i*every] ^= signBit
		}
	}
	if c.exact {
		putAbove(dst, every, n, v)
	}
}

// putAbove writes both words of exact floats.
func putAbove(dst []uint64, every, n int, v *vector) {
	for i := range n {
		nearest, above := 0.0, int64(0)
		switch v.lane {
		case laneFloats:
			nearest = v.floats[i]
		case laneInts:
			nearest = float64(v.ints[i])
			above = v.ints[i] - wrapped(nearest)
		case laneUints:
			nearest = float64(v.uints[i])
			above = int64(v.uints[i] - uint64(wrapped(nearest)))
		}
		dst[i*every], dst[i*every+1] = orderedFloat(nearest), orderedInt(above)
	}
}

// wrapped is an integer between -2^63 and 2^64, modulo 2^64.
func wrapped(f float64) int64 {
	switch {
	case f >= 0x1p64:
		return 0
	case f >= 0x1p63:
		return int64(f-0x1p63) ^ -1<<63
	}
	return int64(f)
}

// appendBytes appends the code of value i of v.
func (c *orderCode) appendBytes(dst []byte, v *vector, i int) []byte {
	if c.words > 0 {
		var words [4]uint64
		one := v.slice(i)
		c.put(words[:c.words], c.words, 1, &one)
		for _, w := range words[:c.words] {
			dst = binary.BigEndian.AppendUint64(dst, w)
		}
		return dst
	}
	for _, b := range v.at(i) {
		if dst = append(dst, b); b == 0 {
			dst = append(dst, 0xff)
		}
	}
	return append(dst, 0, 0)
}

// slice is value i alone.
func (v *vector) slice(i int) vector {
	one := vector{n: 1, lane: v.lane, width: v.width}
	switch v.lane {
	case laneInts:
		one.ints = v.ints[i : i+1]
	case laneUints:
		one.uints = v.uints[i : i+1]
	case laneFloats:
		one.floats = v.floats[i : i+1]
	case laneWords:
		one.words = v.words[i*v.width : (i+1)*v.width]
	}
	return one
}

// length is how many of the bytes are the code that they begin with.
func (c *orderCode) length(b []byte) int {
	if c.words > 0 {
		return 8 * c.words
	}
	for i := 0; ; i++ {
		if b[i] != 0 {
			continue
		}
		if i++; b[i] == 0 {
			return i + 1
		}
	}
}

// decoder returns the function that stores values in a column: of value i the
// code, or nil for null. Values of any length are stored in order.
func (c *orderCode) decoder(out *column) func(i int, code []byte) {
	if c.words == 0 {
		var value []byte
		return func(i int, code []byte) {
			value = value[:0]
			for k := 0; k < len(code)-2; k++ {
				value = append(value, code[k])
				if code[k] == 0 {
					k++
				}
			}
			if out.width > 0 {
				copy(out.fixed[i*out.width:], value)
			} else {
				out.append(value)
			}
		}
	}
	put := c.wordDecoder(out)
	var words [4]uint64
	return func(i int, code []byte) {
		if code == nil {
			return
		}
		for k := range words[:c.words] {
			words[k] = binary.BigEndian.Uint64(code[8*k:])
		}
		put(i, words[:c.words])
	}
}

// wordDecoder is decoder of codes in words.
func (c *orderCode) wordDecoder(out *column) func(i int, words []uint64) {
	if l, width, _ := laneOf(c.typ); l == laneWords {
		dst := cast[uint64](out.fixed)
		return func(i int, words []uint64) {
			for k, w := range words {
				dst[(i+1)*width-1-k] = w
			}
			dst[(i+1)*width-1] ^= signBit
		}
	}
	put := orderedPut(c.typ, out)
	return func(i int, words []uint64) { put(i, words[0]) }
}
