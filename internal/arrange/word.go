package arrange

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/float16"
)

// comparison is how values of a type compare: as sequences of unsigned words.
type comparison struct {
	// words is how many words a value has; 0: a text, which has as many as its
	// bytes fill, zeros behind the last.
	words int
	word  func(c *column, row, depth int) uint64
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
		return comparison{words: t.(arrow.FixedWidthDataType).BitWidth() / 64, word: wideWord}
	}
	if fixed, ok := t.(arrow.FixedWidthDataType); ok && t.ID() != arrow.FIXED_SIZE_BINARY {
		return exactly(integerWord(fixed.BitWidth()/8, arrow.IsUnsignedInteger(t.ID())))
	}
	return comparison{word: textWord}
}

// exactly is the comparison of values that one word holds.
func exactly(word func(*column, int) uint64) comparison {
	return comparison{words: 1, word: func(c *column, row, _ int) uint64 { return word(c, row) }}
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

// wideWord is a word of a wide decimal, the highest first.
func wideWord(c *column, row, depth int) uint64 {
	v := c.value(row)
	w := binary.LittleEndian.Uint64(v[len(v)-8*(depth+1):])
	if depth == 0 {
		return w ^ signBit
	}
	return w
}

// textWord is eight bytes of a text, or what is left of it with zeros behind.
func textWord(c *column, row, depth int) uint64 {
	v := c.value(row)
	v = v[min(len(v), 8*depth):]
	if len(v) >= 8 {
		return binary.BigEndian.Uint64(v)
	}
	var w uint64
	for i, b := range v {
		w |= uint64(b) << (56 - 8*i)
	}
	return w
}
