package render

import (
	"math/bits"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// A decimal is an integer and a scale, the number of its digits after the
// point. All of these are printed, zeros too, because the scale is part of the
// type; a negative scale means zeros before the point, and these are printed as
// well, so that the text is a plain number (1200, not 12e2).

// plainScale bounds the zeros of one cell. A schema may name any int32 as the
// scale and have every cell print 2 GiB of zeros; from here on an exponent
// says it (no decimal has more than 76 digits, so no real column gets here).
const plainScale = 1000

// magnitude is an unsigned integer of up to 256 bits, least significant word
// first.
type magnitude [4]uint64

func decimals32(a *array.Decimal32) appender {
	scale := scaleOf(a)
	return func(dst []byte, row int) []byte {
		v := int64(a.Value(row))
		return appendDecimal(dst, v < 0, magnitude{absolute(v)}, scale)
	}
}

func decimals64(a *array.Decimal64) appender {
	scale := scaleOf(a)
	return func(dst []byte, row int) []byte {
		v := int64(a.Value(row))
		return appendDecimal(dst, v < 0, magnitude{absolute(v)}, scale)
	}
}

func decimals128(a *array.Decimal128) appender {
	scale := scaleOf(a)
	return func(dst []byte, row int) []byte {
		v := a.Value(row)
		m := magnitude{v.LowBits(), uint64(v.HighBits())}
		negative := v.HighBits() < 0
		if negative {
			m.negate(2)
		}
		return appendDecimal(dst, negative, m, scale)
	}
}

func decimals256(a *array.Decimal256) appender {
	scale := scaleOf(a)
	return func(dst []byte, row int) []byte {
		m := magnitude(a.Value(row).Array())
		negative := int64(m[3]) < 0
		if negative {
			m.negate(4)
		}
		return appendDecimal(dst, negative, m, scale)
	}
}

// absolute returns |v|, also of the smallest int64.
func absolute(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// negate is the two's complement in the first n words.
func (m *magnitude) negate(n int) {
	carry := uint64(1)
	for i := range m[:n] {
		m[i], carry = bits.Add64(^m[i], 0, carry)
	}
}

// appendDecimal appends ±m × 10^-scale.
func appendDecimal(dst []byte, negative bool, m magnitude, scale int) []byte {
	var buffer [80]byte // 2^256 has 78 digits
	digits := m.digits(&buffer)
	if negative {
		dst = append(dst, '-')
	}
	switch {
	case scale > plainScale || scale < -plainScale:
		dst = append(append(dst, digits...), 'e')
		return strconv.AppendInt(dst, -int64(scale), 10)
	case scale <= 0:
		dst = append(dst, digits...)
		if digits[0] == '0' {
			return dst
		}
		return appendZeros(dst, -scale)
	case len(digits) <= scale:
		dst = append(dst, '0', '.')
		return append(appendZeros(dst, scale-len(digits)), digits...)
	}
	point := len(digits) - scale
	dst = append(append(dst, digits[:point]...), '.')
	return append(dst, digits[point:]...)
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

// digits returns the decimal digits of m, at least one, at the end of buffer.
func (m magnitude) digits(buffer *[80]byte) []byte {
	const (
		chunk       = 1e19 // the largest power of ten in a uint64
		chunkDigits = 19
	)
	at := len(buffer)
	for words := m.words(); ; words = m.words() {
		var rest uint64
		for i := words - 1; i >= 0; i-- {
			m[i], rest = bits.Div64(rest, m[i], chunk)
		}
		last := m == magnitude{}
		for n := 0; n < chunkDigits && (!last || rest > 0); n++ {
			at--
			buffer[at] = byte('0' + rest%10)
			rest /= 10
		}
		if last {
			break
		}
	}
	if at == len(buffer) {
		at--
		buffer[at] = '0'
	}
	return buffer[at:]
}

// words counts the words up to the highest that is not zero.
func (m *magnitude) words() int {
	n := len(m)
	for n > 0 && m[n-1] == 0 {
		n--
	}
	return n
}

// scaleOf returns the scale of a decimal array's type.
func scaleOf(a arrow.Array) int { return int(a.DataType().(arrow.DecimalType).GetScale()) }
