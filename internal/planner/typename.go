package planner

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

// typeName writes a type as the README does. It differs from arrow-go's String
// where that leaves out what reconciliation looks at: the width of a decimal,
// the name of an extension, the index type of a dictionary.
func typeName(dt arrow.DataType) string {
	switch dt := dt.(type) {
	case arrow.ExtensionType:
		return dt.ExtensionName() + "<" + typeName(dt.StorageType()) + ">"
	case *arrow.DictionaryType:
		return "dictionary<" + typeName(dt.IndexType) + ", " + typeName(dt.ValueType) + ">"
	case *arrow.RunEndEncodedType:
		return "run_end_encoded<" + typeName(dt.RunEnds()) + ", " + typeName(dt.Encoded()) + ">"
	case arrow.DecimalType:
		return fmt.Sprintf("decimal%d(%d, %d)", dt.BitWidth(), dt.GetPrecision(), dt.GetScale())
	case *arrow.TimestampType:
		if dt.TimeZone != "" {
			return fmt.Sprintf("timestamp[%s, %s]", dt.Unit, dt.TimeZone)
		}
	case *arrow.StringViewType:
		return "utf8_view"
	case *arrow.FixedSizeBinaryType:
		return fmt.Sprintf("fixed_size_binary(%d)", dt.ByteWidth)
	case *arrow.BooleanType:
		return "bool"
	case *arrow.MonthIntervalType:
		return "interval[months]"
	case *arrow.DayTimeIntervalType:
		return "interval[day_time]"
	case *arrow.MonthDayNanoIntervalType:
		return "interval[month_day_nano]"
	}
	return dt.String()
}

// fieldTypeName is typeName with the name of an extension type that arrow-go
// has not been taught, and so shows as its storage.
func fieldTypeName(f arrow.Field) string {
	if name, ok := f.Metadata.GetValue(extensionNameKey); ok {
		return name + "<" + typeName(f.Type) + ">"
	}
	return typeName(f.Type)
}
