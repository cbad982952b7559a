package render

import (
	"encoding/hex"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow/array"
)

// signed prints integers in full; durations are counts of their unit.
func signed[T ~int8 | ~int16 | ~int32 | ~int64](values []T) appender {
	return func(dst []byte, row int) []byte { return strconv.AppendInt(dst, int64(values[row]), 10) }
}

func unsigned[T ~uint8 | ~uint16 | ~uint32 | ~uint64](values []T) appender {
	return func(dst []byte, row int) []byte { return strconv.AppendUint(dst, uint64(values[row]), 10) }
}

func booleans(a *array.Boolean) appender {
	return func(dst []byte, row int) []byte { return strconv.AppendBool(dst, a.Value(row)) }
}

// appendHex appends bytes as \x and lower-case hexadecimal digits, the form in
// which PostgreSQL and DuckDB show and read them.
func appendHex(dst, value []byte) []byte {
	return hex.AppendEncode(append(dst, '\\', 'x'), value)
}
