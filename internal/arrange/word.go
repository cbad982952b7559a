package arrange

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/float16"
)

// comparison is how values of a type compare.
type comparison struct {
	// word gives each value an unsigned word such that words compare as values
	// do, as far as they go.
	word func(c *column, row int) uint64
	// exact says that values whose words are equal are equal.
	exact bool
	// compare compares values whose words are equal, if they need not be.
	compare func(a, b []byte) int
}

const signBit = uint64(1) << 63

// comparisonOf is how values of a type compare: numbers by value, texts by
// bytes.
func comparisonOf(t arrow.DataType) comparison {
	switch t.ID() {
	case arrow.BOOL:
		return exactly(func(c *column, row int) uint64 {
			if c.boolean(row) {
				return 1
			}
			return 0
		})
	case arrow.FLOAT16:
		return exactly(func(c *column, row int) uint64 {
			return floatWord(float64(float16.FromBits(binary.LittleEndian.Uint16(c.value(row))).Float32()))
		})
	case arrow.FLOAT32:
		return exactly(func(c *column, row int) uint64 {
			return floatWord(float64(math.Float32frombits(binary.LittleEndian.Uint32(c.value(row)))))
		})
	case arrow.FLOAT64:
		return exactly(func(c *column, row int) uint64 {
			return floatWord(math.Float64frombits(binary.LittleEndian.Uint64(c.value(row))))
		})
	case arrow.DECIMAL128, arrow.DECIMAL256:
		return comparison{word: highWord, compare: compareLittleEndian}
	}
	if fixed, ok := t.(arrow.FixedWidthDataType); ok && t.ID() != arrow.FIXED_SIZE_BINARY {
		return exactly(integerWord(fixed.BitWidth()/8, arrow.IsUnsignedInteger(t.ID())))
	}
	return comparison{word: prefixWord, compare: bytes.Compare}
}

func exactly(word func(*column, int) uint64) comparison {
	return comparison{word: word, exact: true}
}

// integerWord reads integers of that many bytes, and what is stored as such.
func integerWord(width int, unsigned bool) func(*column, int) uint64 {
	flip := signBit
	if unsigned {
		flip = 0
	}
	switch {
	case width == 8:
		return func(c *column, row int) uint64 { return binary.LittleEndian.Uint64(c.value(row)) ^ flip }
	case width == 4 && unsigned:
		return func(c *column, row int) uint64 { return uint64(binary.LittleEndian.Uint32(c.value(row))) }
	case width == 4:
		return func(c *column, row int) uint64 {
			return uint64(int64(int32(binary.LittleEndian.Uint32(c.value(row))))) ^ flip
		}
	case width == 2 && unsigned:
		return func(c *column, row int) uint64 { return uint64(binary.LittleEndian.Uint16(c.value(row))) }
	case width == 2:
		return func(c *column, row int) uint64 {
			return uint64(int64(int16(binary.LittleEndian.Uint16(c.value(row))))) ^ flip
		}
	case unsigned:
		return func(c *column, row int) uint64 { return uint64(c.value(row)[0]) }
	}
	return func(c *column, row int) uint64 { return uint64(int64(int8(c.value(row)[0]))) ^ flip }
}

// floatWord inverts all bits of negative floats and the sign bit of the others.
// Both zeros are one value; NaN, whatever its bits, is past all others.
func floatWord(v float64) uint64 {
	switch {
	case v != v:
		return math.MaxUint64
	case v == 0:
		return signBit
	}
	b := math.Float64bits(v)
	return b ^ (uint64(int64(b)>>63) | signBit)
}

// highWord is the upper 64 bits of a wide decimal.
func highWord(c *column, row int) uint64 {
	v := c.value(row)
	return binary.LittleEndian.Uint64(v[len(v)-8:]) ^ signBit
}

// compareLittleEndian compares wide decimals whose upper words are equal: the
// lower ones are unsigned.
func compareLittleEndian(a, b []byte) int {
	for i := len(a) - 8; i >= 0; i -= 8 {
		if c := cmp.Compare(binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:])); c != 0 {
			return c
		}
	}
	return 0
}

// prefixWord is the first eight bytes of a text, with zeros behind a shorter
// one.
func prefixWord(c *column, row int) uint64 {
	v := c.value(row)
	if len(v) >= 8 {
		return binary.BigEndian.Uint64(v)
	}
	var w uint64
	for i, b := range v {
		w |= uint64(b) << (56 - 8*i)
	}
	return w
}
