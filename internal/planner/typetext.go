package planner

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// plainTypes are the types without parameters, or with few, that columns in use
// can be reconciled to, and their names.
var plainTypes = namesOfTypes()

func namesOfTypes() map[string]arrow.DataType {
	names := map[string]arrow.DataType{}
	for _, dt := range []arrow.DataType{
		arrow.Null, arrow.FixedWidthTypes.Boolean,
		arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
		arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
		arrow.FixedWidthTypes.Float16, arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64,
		arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString, arrow.BinaryTypes.StringView,
		arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary, arrow.BinaryTypes.BinaryView,
		arrow.FixedWidthTypes.Date32, arrow.FixedWidthTypes.Date64,
		arrow.FixedWidthTypes.Time32s, arrow.FixedWidthTypes.Time32ms,
		arrow.FixedWidthTypes.Time64us, arrow.FixedWidthTypes.Time64ns,
		arrow.FixedWidthTypes.Duration_s, arrow.FixedWidthTypes.Duration_ms,
		arrow.FixedWidthTypes.Duration_us, arrow.FixedWidthTypes.Duration_ns,
	} {
		names[typeName(dt)] = dt
	}
	return names
}

// readType is the inverse of typeName, for the types of columns in use.
func readType(name string) (arrow.DataType, error) {
	dt := plainTypes[name]
	var bits, width int
	var precision, scale int32
	if dt == nil {
		switch {
		case strings.HasPrefix(name, "timestamp["):
			dt = parseTimestamp(strings.TrimSuffix(strings.TrimPrefix(name, "timestamp["), "]"))
		case scans(name, "decimal%d(%d, %d)", &bits, &precision, &scale):
			if t, err := arrow.NewDecimalType(decimalIDs[bits], precision, scale); err == nil {
				dt = t
			}
		case scans(name, "fixed_size_binary(%d)", &width) && width > 0:
			dt = &arrow.FixedSizeBinaryType{ByteWidth: width}
		}
	}
	if dt == nil || typeName(dt) != name {
		return nil, fmt.Errorf("unknown type %q", name)
	}
	return dt, nil
}

var decimalIDs = map[int]arrow.Type{
	32: arrow.DECIMAL32, 64: arrow.DECIMAL64, 128: arrow.DECIMAL128, 256: arrow.DECIMAL256,
}

func scans(text, format string, values ...any) bool {
	n, err := fmt.Sscanf(text, format, values...)
	return err == nil && n == len(values)
}

func parseTimestamp(text string) arrow.DataType {
	unit, zone, _ := strings.Cut(text, ", ")
	for _, u := range arrow.TimeUnitValues {
		if u.String() == unit {
			return &arrow.TimestampType{Unit: u, TimeZone: zone}
		}
	}
	return nil
}
