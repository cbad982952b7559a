package result

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

func familyOf(t arrow.DataType) (Family, error) {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return familyOf(t.ValueType)
	case arrow.DecimalType:
		if t.GetScale() == 0 {
			return Integer, nil
		}
		return Text, nil
	}
	switch t.ID() {
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64,
		arrow.BOOL, arrow.DURATION, arrow.TIME32, arrow.TIME64:
		return Integer, nil
	case arrow.TIMESTAMP, arrow.DATE32, arrow.DATE64:
		return Instant, nil
	case arrow.FLOAT16, arrow.FLOAT32, arrow.FLOAT64:
		return Float, nil
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW, arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW,
		arrow.FIXED_SIZE_BINARY:
		return Text, nil
	}
	return 0, fmt.Errorf("values of type %s cannot be compared", t)
}

type integers interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

func plain[T integers](values interface{ Value(int) T }) func(int) (int64, error) {
	return func(row int) (int64, error) { return int64(values.Value(row)), nil }
}

func integerReader(a arrow.Array) (func(int) (int64, error), error) {
	switch a := a.(type) {
	case *array.Int8:
		return plain(a), nil
	case *array.Int16:
		return plain(a), nil
	case *array.Int32:
		return plain(a), nil
	case *array.Int64:
		return plain(a), nil
	case *array.Uint8:
		return plain(a), nil
	case *array.Uint16:
		return plain(a), nil
	case *array.Uint32:
		return plain(a), nil
	case *array.Duration:
		return plain(a), nil
	case *array.Time32:
		return plain(a), nil
	case *array.Time64:
		return plain(a), nil
	case *array.Uint64:
		// Through the same bits: equal values stay equal, and two results agree
		// on the sign of what they write.
		return func(row int) (int64, error) { return fitting(new(big.Int).SetUint64(a.Value(row))) }, nil
	case *array.Boolean:
		return func(row int) (int64, error) {
			if a.Value(row) {
				return 1, nil
			}
			return 0, nil
		}, nil
	case *array.Date32:
		return func(row int) (int64, error) { return scaled(int64(a.Value(row)), 24*time.Hour) }, nil
	case *array.Date64:
		return func(row int) (int64, error) { return scaled(int64(a.Value(row)), time.Millisecond) }, nil
	case *array.Timestamp:
		unit := a.DataType().(*arrow.TimestampType).Unit.Multiplier()
		return func(row int) (int64, error) { return scaled(int64(a.Value(row)), unit) }, nil
	case *array.Decimal32:
		return func(row int) (int64, error) { return int64(a.Value(row)), nil }, nil
	case *array.Decimal64:
		return func(row int) (int64, error) { return int64(a.Value(row)), nil }, nil
	case *array.Decimal128:
		return func(row int) (int64, error) { return fitting(a.Value(row).BigInt()) }, nil
	case *array.Decimal256:
		return func(row int) (int64, error) { return fitting(a.Value(row).BigInt()) }, nil
	case *array.Dictionary:
		read, err := integerReader(a.Dictionary())
		if err != nil {
			return nil, err
		}
		return func(row int) (int64, error) { return read(a.GetValueIndex(row)) }, nil
	}
	return nil, fmt.Errorf("no integers in %s", a.DataType())
}

func fitting(v *big.Int) (int64, error) {
	if !v.IsInt64() {
		return 0, fmt.Errorf("%s does not fit int64", v)
	}
	return v.Int64(), nil
}

// scaled is a count of units in nanoseconds.
func scaled(count int64, unit time.Duration) (int64, error) {
	v := new(big.Int).Mul(big.NewInt(count), big.NewInt(int64(unit)))
	return fitting(v)
}

func floatReader(a arrow.Array) func(int) float64 {
	switch a := a.(type) {
	case *array.Float16:
		return func(row int) float64 { return float64(a.Value(row).Float32()) }
	case *array.Float32:
		return func(row int) float64 { return float64(a.Value(row)) }
	case *array.Float64:
		return a.Value
	case *array.Dictionary:
		read := floatReader(a.Dictionary())
		return func(row int) float64 { return read(a.GetValueIndex(row)) }
	}
	panic(fmt.Sprintf("familyOf calls %s a float", a.DataType()))
}

// textReader gives the bytes of a value and whether it is null after all.
func textReader(a arrow.Array) func(int) ([]byte, bool) {
	text := func(value func(int) string) func(int) ([]byte, bool) {
		return func(row int) ([]byte, bool) { return []byte(value(row)), false }
	}
	raw := func(value func(int) []byte) func(int) ([]byte, bool) {
		return func(row int) ([]byte, bool) { return value(row), false }
	}
	switch a := a.(type) {
	case *array.String:
		return text(a.Value)
	case *array.LargeString:
		return text(a.Value)
	case *array.StringView:
		return text(a.Value)
	case *array.Binary:
		return raw(a.Value)
	case *array.LargeBinary:
		return raw(a.Value)
	case *array.BinaryView:
		return raw(a.Value)
	case *array.FixedSizeBinary:
		return raw(a.Value)
	case *array.Dictionary:
		read := textReader(a.Dictionary())
		return func(row int) ([]byte, bool) {
			i := a.GetValueIndex(row)
			if a.Dictionary().IsNull(i) {
				return nil, true
			}
			return read(i)
		}
	case *array.Decimal32:
		return decimals(a.DataType(), func(row int) *big.Int { return big.NewInt(int64(a.Value(row))) })
	case *array.Decimal64:
		return decimals(a.DataType(), func(row int) *big.Int { return big.NewInt(int64(a.Value(row))) })
	case *array.Decimal128:
		return decimals(a.DataType(), func(row int) *big.Int { return a.Value(row).BigInt() })
	case *array.Decimal256:
		return decimals(a.DataType(), func(row int) *big.Int { return a.Value(row).BigInt() })
	}
	panic(fmt.Sprintf("familyOf calls %s text", a.DataType()))
}

func decimals(t arrow.DataType, unscaled func(int) *big.Int) func(int) ([]byte, bool) {
	scale := int(t.(arrow.DecimalType).GetScale())
	return func(row int) ([]byte, bool) { return []byte(shortest(unscaled(row), scale)), false }
}

// shortest is unscaled / 10^scale without zeros at the end, so that results of
// different scales compare.
func shortest(unscaled *big.Int, scale int) string {
	digits := new(big.Int).Abs(unscaled).String()
	if scale < 0 {
		digits += strings.Repeat("0", -scale)
		scale = 0
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	text := digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	if unscaled.Sign() < 0 {
		text = "-" + text
	}
	return text
}
