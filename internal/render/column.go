package render

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
)

// class is what a format has to know of a column's text.
type class int

const (
	number  class = iota // digits, sign, point, exponent; or NaN, inf, -inf
	logical              // true, false
	moment               // dates and times: digits and - : . T Z +
	text                 // anything
)

// appender appends the text of the value in a row of a batch. The row is not
// null.
type appender func(dst []byte, row int) []byte

// column is one column of a batch, bound for reading row by row.
type column struct {
	text   appender
	valid  []byte // validity bitmap; nil: no nulls
	offset int
	empty  bool // of type null
}

func (c *column) null(row int) bool {
	return c.empty || c.valid != nil && bitutil.BitIsNotSet(c.valid, c.offset+row)
}

// bindColumn binds a column whose type classOf accepts.
func bindColumn(a arrow.Array, floatDigits int) column {
	c := column{text: bind(a, floatDigits), offset: a.Data().Offset(), empty: a.DataType().ID() == arrow.NULL}
	if a.NullN() > 0 && !c.empty {
		c.valid = a.NullBitmapBytes()
	}
	return c
}

// classOf returns the class of a type's text, or an error for a type that has
// no text here (nested types, intervals, encodings).
func classOf(t arrow.DataType) (class, error) {
	switch t.ID() {
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64,
		arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64,
		arrow.FLOAT16, arrow.FLOAT32, arrow.FLOAT64, arrow.DURATION,
		arrow.DECIMAL32, arrow.DECIMAL64, arrow.DECIMAL128, arrow.DECIMAL256:
		return number, nil
	case arrow.BOOL:
		return logical, nil
	case arrow.DATE32, arrow.DATE64, arrow.TIME32, arrow.TIME64, arrow.TIMESTAMP:
		return moment, nil
	case arrow.NULL, arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW,
		arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		return text, nil
	}
	return 0, fmt.Errorf("type %s has no text form", t)
}

// classes returns the classes of a schema's columns.
func classes(schema *arrow.Schema) ([]class, error) {
	list := make([]class, schema.NumFields())
	for i, f := range schema.Fields() {
		var err error
		if list[i], err = classOf(f.Type); err != nil {
			return nil, fmt.Errorf("column %q: %w", f.Name, err)
		}
	}
	return list, nil
}

// bind chooses the appender of an array whose type classOf accepts. The switch
// is taken once a batch, so that a cell costs one call.
func bind(a arrow.Array, floatDigits int) appender {
	switch a := a.(type) {
	case *array.Int8:
		return signed(a.Int8Values())
	case *array.Int16:
		return signed(a.Int16Values())
	case *array.Int32:
		return signed(a.Int32Values())
	case *array.Int64:
		return signed(a.Int64Values())
	case *array.Duration:
		return signed(a.DurationValues())
	case *array.Uint8:
		return unsigned(a.Uint8Values())
	case *array.Uint16:
		return unsigned(a.Uint16Values())
	case *array.Uint32:
		return unsigned(a.Uint32Values())
	case *array.Uint64:
		return unsigned(a.Uint64Values())
	case *array.Float16:
		return halves(a.Values(), floatDigits)
	case *array.Float32:
		return singles(a.Float32Values(), floatDigits)
	case *array.Float64:
		return doubles(a.Float64Values(), floatDigits)
	case *array.Decimal32:
		return decimals32(a)
	case *array.Decimal64:
		return decimals64(a)
	case *array.Decimal128:
		return decimals128(a)
	case *array.Decimal256:
		return decimals256(a)
	case *array.Boolean:
		return booleans(a)
	case *array.Date32:
		return dates32(a.Date32Values())
	case *array.Date64:
		return dates64(a.Date64Values())
	case *array.Time32:
		return clocks(a.Time32Values(), a.DataType().(*arrow.Time32Type).Unit)
	case *array.Time64:
		return clocks(a.Time64Values(), a.DataType().(*arrow.Time64Type).Unit)
	case *array.Timestamp:
		return instants(a.TimestampValues(), a.DataType().(*arrow.TimestampType))
	case *array.String:
		return func(dst []byte, row int) []byte { return append(dst, a.Value(row)...) }
	case *array.LargeString:
		return func(dst []byte, row int) []byte { return append(dst, a.Value(row)...) }
	case *array.StringView:
		return func(dst []byte, row int) []byte { return append(dst, a.Value(row)...) }
	case *array.Binary:
		return func(dst []byte, row int) []byte { return appendHex(dst, a.Value(row)) }
	case *array.LargeBinary:
		return func(dst []byte, row int) []byte { return appendHex(dst, a.Value(row)) }
	case *array.BinaryView:
		return func(dst []byte, row int) []byte { return appendHex(dst, a.Value(row)) }
	case *array.FixedSizeBinary:
		return func(dst []byte, row int) []byte { return appendHex(dst, a.Value(row)) }
	case *array.Null:
		return func(dst []byte, row int) []byte { return dst }
	}
	panic(fmt.Sprintf("render: no text for %s", a.DataType()))
}
