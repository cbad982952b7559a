package planner

import "github.com/apache/arrow-go/v18/arrow"

// extensionNameKey is where IPC keeps the name of a field's extension type
// (Arrow columnar format, "Extension Types").
const extensionNameKey = "ARROW:extension:name"

// bool8 is the canonical extension type that stores a boolean in an int8, any
// value but 0 being true (Arrow canonical extension types, "8-bit Boolean").
// Its storage alone would make it a number to be summed.
const bool8 = "arrow.bool8"

// valueType is the type of a field's values, whatever encodes them:
// dictionaries and runs are their value type, extension types their storage,
// and an 8-bit boolean is a bool.
func valueType(f arrow.Field) arrow.DataType {
	name, extended := f.Metadata.GetValue(extensionNameKey)
	dt := f.Type
	for {
		switch t := dt.(type) {
		case arrow.ExtensionType:
			name, extended = t.ExtensionName(), true
			dt = t.StorageType()
		case *arrow.DictionaryType:
			dt = t.ValueType
		case *arrow.RunEndEncodedType:
			dt = t.Encoded()
		default:
			if extended && name == bool8 && dt.ID() == arrow.INT8 {
				return arrow.FixedWidthTypes.Boolean
			}
			return dt
		}
	}
}
