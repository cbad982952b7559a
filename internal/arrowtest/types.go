package arrowtest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// simpleTypes are the types without arguments.
var simpleTypes = []struct {
	name string
	dt   arrow.DataType
}{
	{"null", arrow.Null},
	{"bool", arrow.FixedWidthTypes.Boolean},
	{"int8", arrow.PrimitiveTypes.Int8},
	{"int16", arrow.PrimitiveTypes.Int16},
	{"int32", arrow.PrimitiveTypes.Int32},
	{"int64", arrow.PrimitiveTypes.Int64},
	{"uint8", arrow.PrimitiveTypes.Uint8},
	{"uint16", arrow.PrimitiveTypes.Uint16},
	{"uint32", arrow.PrimitiveTypes.Uint32},
	{"uint64", arrow.PrimitiveTypes.Uint64},
	{"float16", arrow.FixedWidthTypes.Float16},
	{"float32", arrow.PrimitiveTypes.Float32},
	{"float64", arrow.PrimitiveTypes.Float64},
	{"utf8", arrow.BinaryTypes.String},
	{"large_utf8", arrow.BinaryTypes.LargeString},
	{"utf8_view", arrow.BinaryTypes.StringView},
	{"binary", arrow.BinaryTypes.Binary},
	{"large_binary", arrow.BinaryTypes.LargeBinary},
	{"binary_view", arrow.BinaryTypes.BinaryView},
	{"date32", arrow.FixedWidthTypes.Date32},
	{"date64", arrow.FixedWidthTypes.Date64},
	{"interval[months]", arrow.FixedWidthTypes.MonthInterval},
	{"interval[day_time]", arrow.FixedWidthTypes.DayTimeInterval},
	{"interval[month_day_nano]", arrow.FixedWidthTypes.MonthDayNanoInterval},
}

// ParseType reads one type as the package comment lists them.
func ParseType(text string) (arrow.DataType, error) {
	for _, t := range simpleTypes {
		if t.name == text {
			return t.dt, nil
		}
	}
	i := strings.IndexAny(text, "([<")
	if i < 0 || strings.IndexByte(")]>", text[len(text)-1]) < 0 {
		return nil, fmt.Errorf("unknown type %q", text)
	}
	args := split(text[i+1:len(text)-1], ',')
	dt, err := typeWithArguments(text[:i], args)
	if err != nil {
		return nil, fmt.Errorf("type %s: %w", text, err)
	}
	return dt, nil
}

func typeWithArguments(name string, args []string) (arrow.DataType, error) {
	switch name {
	case "decimal32", "decimal64", "decimal128", "decimal256", "fixed_size_binary":
		return typeOfNumbers(name, args)
	case "time32", "time64", "duration", "timestamp":
		return typeOfUnit(name, args)
	case "struct":
		return structType(args)
	}
	types := make([]arrow.DataType, len(args))
	for i, arg := range args {
		dt, err := ParseType(arg)
		if err != nil {
			return nil, err
		}
		types[i] = dt
	}
	switch {
	case name == "list" && len(types) == 1:
		return arrow.ListOf(types[0]), nil
	case name == "large_list" && len(types) == 1:
		return arrow.LargeListOf(types[0]), nil
	case name == "dictionary" && len(types) == 2:
		return &arrow.DictionaryType{IndexType: types[0], ValueType: types[1]}, nil
	case name == "run_end_encoded" && len(types) == 2:
		return arrow.RunEndEncodedOf(types[0], types[1]), nil
	case name == "map" && len(types) == 2:
		return arrow.MapOf(types[0], types[1]), nil
	}
	return nil, fmt.Errorf("unknown, or with another number of arguments")
}

func typeOfNumbers(name string, args []string) (arrow.DataType, error) {
	n := [2]int{}
	if len(args) > len(n) {
		return nil, fmt.Errorf("too many arguments")
	}
	for i, arg := range args {
		var err error
		if n[i], err = strconv.Atoi(arg); err != nil {
			return nil, err
		}
	}
	precision, scale := int32(n[0]), int32(n[1])
	switch name {
	case "decimal32":
		return &arrow.Decimal32Type{Precision: precision, Scale: scale}, nil
	case "decimal64":
		return &arrow.Decimal64Type{Precision: precision, Scale: scale}, nil
	case "decimal128":
		return &arrow.Decimal128Type{Precision: precision, Scale: scale}, nil
	case "decimal256":
		return &arrow.Decimal256Type{Precision: precision, Scale: scale}, nil
	}
	return &arrow.FixedSizeBinaryType{ByteWidth: n[0]}, nil
}

func typeOfUnit(name string, args []string) (arrow.DataType, error) {
	unit, ok := map[string]arrow.TimeUnit{
		"s": arrow.Second, "ms": arrow.Millisecond, "us": arrow.Microsecond, "ns": arrow.Nanosecond,
	}[args[0]]
	zone := ""
	if len(args) == 2 && name == "timestamp" {
		zone = args[1]
	} else if len(args) != 1 {
		ok = false
	}
	switch {
	case !ok:
		return nil, fmt.Errorf("want a unit: s, ms, us or ns")
	case name == "timestamp":
		return &arrow.TimestampType{Unit: unit, TimeZone: zone}, nil
	case name == "duration":
		return &arrow.DurationType{Unit: unit}, nil
	case name == "time32" && unit <= arrow.Millisecond:
		return &arrow.Time32Type{Unit: unit}, nil
	case name == "time64" && unit >= arrow.Microsecond:
		return &arrow.Time64Type{Unit: unit}, nil
	}
	return nil, fmt.Errorf("no such unit for %s", name)
}

func structType(args []string) (arrow.DataType, error) {
	var fields []arrow.Field
	for _, arg := range args {
		name, child, ok := strings.Cut(arg, ":")
		if !ok {
			return nil, fmt.Errorf("want name: type, have %q", arg)
		}
		dt, err := ParseType(strings.TrimSpace(child))
		if err != nil {
			return nil, err
		}
		fields = append(fields, arrow.Field{Name: name, Type: dt, Nullable: true})
	}
	return arrow.StructOf(fields...), nil
}

// TypeText is ParseType's inverse.
func TypeText(dt arrow.DataType) string {
	for _, t := range simpleTypes {
		if arrow.TypeEqual(t.dt, dt) {
			return t.name
		}
	}
	switch dt := dt.(type) {
	case arrow.DecimalType:
		return fmt.Sprintf("decimal%d(%d, %d)", dt.BitWidth(), dt.GetPrecision(), dt.GetScale())
	case *arrow.FixedSizeBinaryType:
		return fmt.Sprintf("fixed_size_binary(%d)", dt.ByteWidth)
	case *arrow.Time32Type:
		return fmt.Sprintf("time32[%s]", dt.Unit)
	case *arrow.Time64Type:
		return fmt.Sprintf("time64[%s]", dt.Unit)
	case *arrow.DurationType:
		return fmt.Sprintf("duration[%s]", dt.Unit)
	case *arrow.TimestampType:
		if dt.TimeZone == "" {
			return fmt.Sprintf("timestamp[%s]", dt.Unit)
		}
		return fmt.Sprintf("timestamp[%s, %s]", dt.Unit, dt.TimeZone)
	case *arrow.DictionaryType:
		return "dictionary<" + TypeText(dt.IndexType) + ", " + TypeText(dt.ValueType) + ">"
	case *arrow.RunEndEncodedType:
		return "run_end_encoded<" + TypeText(dt.RunEnds()) + ", " + TypeText(dt.Encoded()) + ">"
	case *arrow.ListType:
		return "list<" + TypeText(dt.Elem()) + ">"
	case *arrow.LargeListType:
		return "large_list<" + TypeText(dt.Elem()) + ">"
	case *arrow.MapType:
		return "map<" + TypeText(dt.KeyType()) + ", " + TypeText(dt.ItemType()) + ">"
	case *arrow.StructType:
		var fields []string
		for _, f := range dt.Fields() {
			fields = append(fields, f.Name+": "+TypeText(f.Type))
		}
		return "struct<" + strings.Join(fields, ", ") + ">"
	}
	return dt.String()
}
