package expr

import (
	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// form is how the values of a vector lie in memory.
type form uint8

const (
	formNone   form = iota // nothing but nulls
	formSigned             // integers, dates, times, timestamps, durations, decimal32/64
	formUnsigned
	formFloat // float64 bits, of floats of every width
	formWide  // decimal128/256
	formBytes // strings and binary
	formTruth // booleans
)

// vector is one value per row. It may be a view of the batch's memory, or of
// the evaluator's scratch that the next use of the same node overwrites.
type vector struct {
	typ   arrow.DataType // of the values: never a dictionary, run-end or extension type
	n     int
	form  form
	valid bitmap // nil: all rows have a value

	words []uint64       // formSigned, formUnsigned; formFloat as bits
	wide  []exact.Int256 // formWide
	bytes [][]byte       // formBytes
	truth bitmap         // formTruth
}

// formOf is the form of a type's values; false for types that no expression
// takes.
func formOf(dt arrow.DataType) (form, bool) {
	switch dt.ID() {
	case arrow.NULL:
		return formNone, true
	case arrow.BOOL:
		return formTruth, true
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.DATE32, arrow.DATE64, arrow.TIME32, arrow.TIME64,
		arrow.TIMESTAMP, arrow.DURATION, arrow.DECIMAL32, arrow.DECIMAL64:
		return formSigned, true
	case arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64:
		return formUnsigned, true
	case arrow.FLOAT16, arrow.FLOAT32, arrow.FLOAT64:
		return formFloat, true
	case arrow.DECIMAL128, arrow.DECIMAL256:
		return formWide, true
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW,
		arrow.BINARY, arrow.LARGE_BINARY, arrow.BINARY_VIEW, arrow.FIXED_SIZE_BINARY:
		return formBytes, true
	}
	return formNone, false
}

// sized returns a slice of n elements, the old memory where that suffices.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
