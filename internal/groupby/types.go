package groupby

import (
	"github.com/apache/arrow-go/v18/arrow"
)

// valueType is the type of the values that a column of type t holds: the
// storage of extensions, the values of dictionaries and run-end encodings.
// The extension arrow.bool8 is boolean.
func valueType(t arrow.DataType) arrow.DataType {
	for {
		switch u := t.(type) {
		case arrow.ExtensionType:
			if u.ExtensionName() == "arrow.bool8" {
				return arrow.FixedWidthTypes.Boolean
			}
			t = u.StorageType()
		case *arrow.DictionaryType:
			t = u.ValueType
		case *arrow.RunEndEncodedType:
			t = u.Encoded()
		default:
			return t
		}
	}
}

// laneOf is the lane in which values of type t are read, and the words a value
// takes in laneWords. ok is false for types that can be neither grouped nor
// aggregated.
func laneOf(t arrow.DataType) (l lane, width int, ok bool) {
	switch t.ID() {
	case arrow.NULL:
		return laneNone, 0, true
	case arrow.BOOL, arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64,
		arrow.DATE32, arrow.DATE64, arrow.TIME32, arrow.TIME64, arrow.TIMESTAMP, arrow.DURATION,
		arrow.DECIMAL32, arrow.DECIMAL64:
		return laneInts, 1, true
	case arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64:
		return laneUints, 1, true
	case arrow.FLOAT16, arrow.FLOAT32, arrow.FLOAT64:
		return laneFloats, 1, true
	case arrow.DECIMAL128:
		return laneWords, 2, true
	case arrow.DECIMAL256:
		return laneWords, 4, true
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW,
		arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		return laneBytes, 0, true
	}
	return laneNone, 0, false
}

func isString(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return true
	}
	return false
}

func isSigned(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64:
		return true
	}
	return false
}

func isUnsigned(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64:
		return true
	}
	return false
}

func isInteger(t arrow.DataType) bool { return isSigned(t) || isUnsigned(t) }

func isFloat(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.FLOAT16, arrow.FLOAT32, arrow.FLOAT64:
		return true
	}
	return false
}

func isDecimal(t arrow.DataType) bool { return arrow.IsDecimal(t.ID()) }

// scaleOf is the number of digits after a decimal's point.
func scaleOf(t arrow.DataType) int {
	if d, ok := t.(arrow.DecimalType); ok {
		return int(d.GetScale())
	}
	return 0
}
