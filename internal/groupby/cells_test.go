package groupby

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/decimal256"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// A cell is one value in a test: nil, int64 (booleans and times too), uint64,
// float64, *big.Int (the digits of a decimal) or string (binary too).

// makeArray builds an array of cells with arrow-go's own builders.
func makeArray(t arrow.DataType, cells []any) arrow.Array {
	b := array.NewBuilder(memory.DefaultAllocator, t)
	defer b.Release()
	for _, c := range cells {
		if c == nil {
			b.AppendNull()
			continue
		}
		appendCell(b, c)
	}
	return b.NewArray()
}

func appendCell(b array.Builder, c any) {
	switch b := b.(type) {
	case *array.BooleanBuilder:
		b.Append(c.(int64) != 0)
	case *array.Int8Builder:
		b.Append(int8(c.(int64)))
	case *array.Int16Builder:
		b.Append(int16(c.(int64)))
	case *array.Int32Builder:
		b.Append(int32(c.(int64)))
	case *array.Int64Builder:
		b.Append(c.(int64))
	case *array.Uint8Builder:
		b.Append(uint8(c.(uint64)))
	case *array.Uint16Builder:
		b.Append(uint16(c.(uint64)))
	case *array.Uint32Builder:
		b.Append(uint32(c.(uint64)))
	case *array.Uint64Builder:
		b.Append(c.(uint64))
	case *array.Float16Builder:
		b.Append(float16.FromBits(toFloat16(c.(float64))))
	case *array.Float32Builder:
		b.Append(float32(c.(float64)))
	case *array.Float64Builder:
		b.Append(c.(float64))
	case *array.Date32Builder:
		b.Append(arrow.Date32(c.(int64)))
	case *array.Date64Builder:
		b.Append(arrow.Date64(c.(int64)))
	case *array.Time32Builder:
		b.Append(arrow.Time32(c.(int64)))
	case *array.Time64Builder:
		b.Append(arrow.Time64(c.(int64)))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(c.(int64)))
	case *array.DurationBuilder:
		b.Append(arrow.Duration(c.(int64)))
	case *array.Decimal32Builder:
		b.Append(decimal.Decimal32(c.(*big.Int).Int64()))
	case *array.Decimal64Builder:
		b.Append(decimal.Decimal64(c.(*big.Int).Int64()))
	case *array.Decimal128Builder:
		b.Append(decimal128.FromBigInt(c.(*big.Int)))
	case *array.Decimal256Builder:
		b.Append(decimal256.FromBigInt(c.(*big.Int)))
	case *array.StringBuilder:
		b.Append(c.(string))
	case *array.LargeStringBuilder:
		b.Append(c.(string))
	case *array.StringViewBuilder:
		b.Append(c.(string))
	case *array.BinaryBuilder:
		b.Append([]byte(c.(string)))
	case *array.BinaryViewBuilder:
		b.Append([]byte(c.(string)))
	case *array.FixedSizeBinaryBuilder:
		b.Append([]byte(c.(string)))
	default:
		panic(fmt.Sprintf("no builder for %T", b))
	}
}

// cellsOf reads an array back.
func cellsOf(a arrow.Array) []any {
	cells := make([]any, a.Len())
	for i := range cells {
		if !a.IsNull(i) {
			cells[i] = cellOf(a, i)
		}
	}
	return cells
}

func cellOf(a arrow.Array, i int) any {
	switch a := a.(type) {
	case *array.Boolean:
		if a.Value(i) {
			return int64(1)
		}
		return int64(0)
	case *array.Int8:
		return int64(a.Value(i))
	case *array.Int16:
		return int64(a.Value(i))
	case *array.Int32:
		return int64(a.Value(i))
	case *array.Int64:
		return a.Value(i)
	case *array.Uint8:
		return uint64(a.Value(i))
	case *array.Uint16:
		return uint64(a.Value(i))
	case *array.Uint32:
		return uint64(a.Value(i))
	case *array.Uint64:
		return a.Value(i)
	case *array.Float16:
		return fromFloat16(a.Value(i).Uint16())
	case *array.Float32:
		return float64(a.Value(i))
	case *array.Float64:
		return a.Value(i)
	case *array.Date32:
		return int64(a.Value(i))
	case *array.Date64:
		return int64(a.Value(i))
	case *array.Time32:
		return int64(a.Value(i))
	case *array.Time64:
		return int64(a.Value(i))
	case *array.Timestamp:
		return int64(a.Value(i))
	case *array.Duration:
		return int64(a.Value(i))
	case *array.Decimal32:
		return big.NewInt(int64(a.Value(i)))
	case *array.Decimal64:
		return big.NewInt(int64(a.Value(i)))
	case *array.Decimal128:
		return a.Value(i).BigInt()
	case *array.Decimal256:
		return a.Value(i).BigInt()
	case *array.String:
		return strings.Clone(a.Value(i)) // a batch's memory is used again
	case *array.LargeString:
		return strings.Clone(a.Value(i))
	case *array.StringView:
		return strings.Clone(a.Value(i))
	case *array.Binary:
		return string(a.Value(i))
	case *array.LargeBinary:
		return string(a.Value(i))
	case *array.BinaryView:
		return string(a.Value(i))
	case *array.FixedSizeBinary:
		return string(a.Value(i))
	}
	panic(fmt.Sprintf("no cells of %T", a))
}
