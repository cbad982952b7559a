package ipcmeta

// Tags of Schema.fbs's union Type.
const (
	tagNull = 1 + iota
	tagInt
	tagFloatingPoint
	tagBinary
	tagUtf8
	tagBool
	tagDecimal
	tagDate
	tagTime
	tagTimestamp
	tagInterval
	tagList
	tagStruct
	tagUnion
	tagFixedSizeBinary
	tagFixedSizeList
	tagMap
	tagDuration
	tagLargeBinary
	tagLargeUtf8
	tagLargeList
	tagRunEndEncoded
	tagBinaryView
	tagUtf8View
	tagListView
	tagLargeListView
)

// Time units of Schema.fbs.
const (
	unitSecond = iota
	unitMillisecond
	unitMicrosecond
	unitNanosecond
)

// fieldType verifies the parameters of a type, and that it has the children
// it needs.
func (f *flatbuffer) fieldType(tag byte, t table, children int) {
	wanted := 0
	switch tag {
	case tagNull, tagBinary, tagUtf8, tagBool, tagLargeBinary, tagLargeUtf8, tagBinaryView, tagUtf8View:
	case tagInt:
		f.intType(t)
	case tagFloatingPoint:
		f.enum("precision of a float", f.int16Field(t, 0, 0), 2)
	case tagDecimal:
		f.decimalType(t)
	case tagDate:
		f.enum("unit of a date", f.int16Field(t, 0, unitMillisecond), 1)
	case tagTime:
		f.timeType(t)
	case tagTimestamp:
		f.enum("unit of a timestamp", f.int16Field(t, 0, 0), unitNanosecond)
		f.text(t, 1)
	case tagDuration:
		f.enum("unit of a duration", f.int16Field(t, 0, unitMillisecond), unitNanosecond)
	case tagInterval:
		f.enum("unit of an interval", f.int16Field(t, 0, 0), 2)
	case tagFixedSizeBinary:
		if width := f.int32Field(t, 0, 0); width < 0 {
			f.fail("fixed_size_binary of width %d", width)
		}
	case tagFixedSizeList:
		// Lists of no elements are legal, and arrow-go has no type for them.
		if size := f.int32Field(t, 0, 0); size <= 0 {
			f.fail("fixed_size_list of size %d cannot be read", size)
		}
		wanted = 1
	case tagList, tagLargeList, tagListView, tagLargeListView, tagMap:
		wanted = 1
	case tagRunEndEncoded:
		wanted = 2
	case tagStruct:
		wanted = children
	case tagUnion:
		f.unionType(t, children)
		wanted = children
	default:
		f.fail("field of unknown type %d", tag)
	}
	if children != wanted {
		f.fail("field of type %d with %d children, not %d", tag, children, wanted)
	}
}

func (f *flatbuffer) enum(what string, value, last int16) {
	if value < 0 || value > last {
		f.fail("%s is %d", what, value)
	}
}

func (f *flatbuffer) intType(t table) {
	switch width := f.int32Field(t, 0, 0); width {
	case 8, 16, 32, 64:
	default:
		f.fail("integer of %d bits", width)
	}
}

// decimalType limits the scale like the precision. The format does not, but
// results are wider decimals of the same scale, and some scales have no text.
func (f *flatbuffer) decimalType(t table) {
	precision, scale := f.int32Field(t, 0, 0), f.int32Field(t, 1, 0)
	width := f.int32Field(t, 2, 128)
	most, known := map[int32]int32{32: 9, 64: 18, 128: 38, 256: 76}[width]
	switch {
	case !known:
		f.fail("decimal of %d bits", width)
	case precision < 1 || precision > most:
		f.fail("decimal%d(%d, %d): a precision beyond 1 to %d digits", width, precision, scale, most)
	case scale < -most || scale > most:
		f.fail("decimal%d(%d, %d) cannot be read: its scale is beyond the %d digits of the type",
			width, precision, scale, most)
	}
}

func (f *flatbuffer) timeType(t table) {
	unit, width := f.int16Field(t, 0, unitMillisecond), f.int32Field(t, 1, 32)
	f.enum("unit of a time", unit, unitNanosecond)
	if wide := unit >= unitMicrosecond; wide && width != 64 || !wide && width != 32 {
		f.fail("time with unit %d in %d bits", unit, width)
	}
}

// unionType verifies the type ids: one for each child, at most 127, no two
// the same.
func (f *flatbuffer) unionType(t table, children int) {
	f.enum("mode of a union", f.int16Field(t, 0, 0), 1)
	const most = 128
	at, n := f.vectorField(t, 1, 4)
	if n == 0 { // absent: 0, 1, 2, …
		if children > most {
			f.fail("union of %d children", children)
		}
		return
	}
	if n != children {
		f.fail("union of %d children with %d type ids", children, n)
		return
	}
	var seen [most]bool
	for i := range n {
		id := f.int32At(at + 4*i)
		if id < 0 || id >= most || seen[id] {
			f.fail("union with type id %d", id)
			return
		}
		seen[id] = true
	}
}
