package planner

import "github.com/apache/arrow-go/v18/arrow"

// family groups the types that may stand for one column in different inputs.
type family uint16

const (
	familyBool family = 1 << iota
	familyInteger
	familyFloat
	familyDecimal
	familyText
	familyBinary
	familyDate
	familyTime
	familyTimestamp
	familyDuration
	familyOther // only equal to itself

	familyNone family = 0 // nothing but nulls
)

// common is what the types of one column in all inputs have in common. Types
// are added one by one, and since all it keeps are maxima and sets, their
// order cannot matter.
type common struct {
	families family
	mismatch bool // two types of one family that do not go together

	signed, unsigned int            // widths in bits of the widest integers
	float            int            // width of the widest float
	decimal          decimalShape   // of the widest decimal
	binary           arrow.DataType // the encoding, nil where several were seen
	date32           bool           // a whole-day type was seen
	unit             arrow.TimeUnit // the finest; seconds at first
	zone             string         // the common one, or utc
	other            arrow.DataType // what familyOther is
}

type decimalShape struct{ width, precision, scale int32 }

// add takes in the type of one input's values, as valueType gives it.
func (c *common) add(dt arrow.DataType) {
	switch t := dt.(type) {
	case *arrow.NullType:
		return
	case *arrow.BooleanType:
		c.families |= familyBool
	case *arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type, *arrow.Int64Type:
		c.families |= familyInteger
		c.signed = max(c.signed, dt.(arrow.FixedWidthDataType).BitWidth())
	case *arrow.Uint8Type, *arrow.Uint16Type, *arrow.Uint32Type, *arrow.Uint64Type:
		c.families |= familyInteger
		c.unsigned = max(c.unsigned, dt.(arrow.FixedWidthDataType).BitWidth())
	case *arrow.Float16Type, *arrow.Float32Type, *arrow.Float64Type:
		c.families |= familyFloat
		c.float = max(c.float, dt.(arrow.FixedWidthDataType).BitWidth())
	case arrow.DecimalType:
		c.addDecimal(decimalShape{int32(t.BitWidth()), t.GetPrecision(), t.GetScale()})
	case *arrow.StringType, *arrow.LargeStringType, *arrow.StringViewType:
		c.families |= familyText
	case *arrow.BinaryType, *arrow.LargeBinaryType, *arrow.BinaryViewType:
		c.addBinary(dt)
	case *arrow.Date32Type, *arrow.Date64Type:
		c.families |= familyDate
		c.date32 = c.date32 || dt.ID() == arrow.DATE32
	case *arrow.Time32Type:
		c.addUnit(familyTime, t.Unit)
	case *arrow.Time64Type:
		c.addUnit(familyTime, t.Unit)
	case *arrow.DurationType:
		c.addUnit(familyDuration, t.Unit)
	case *arrow.TimestampType:
		c.addTimestamp(t)
	default:
		c.addOther(dt)
	}
}

// addDecimal widens precision and width; scales must agree, since a change of
// scale would show other digits or lose some.
func (c *common) addDecimal(d decimalShape) {
	if c.families&familyDecimal != 0 && c.decimal.scale != d.scale {
		c.mismatch = true
	}
	c.families |= familyDecimal
	c.decimal = decimalShape{max(c.decimal.width, d.width), max(c.decimal.precision, d.precision), d.scale}
}

// addBinary keeps the encoding while all inputs have the same one.
func (c *common) addBinary(dt arrow.DataType) {
	if c.families&familyBinary == 0 {
		c.binary = dt
	} else if c.binary != nil && c.binary.ID() != dt.ID() {
		c.binary = nil
	}
	c.families |= familyBinary
}

func (c *common) addUnit(f family, unit arrow.TimeUnit) {
	c.families |= f
	c.unit = max(c.unit, unit) // arrow-go numbers units from seconds to nanoseconds
}

// addTimestamp folds zones: instants with a zone go together whatever the
// zones are, wall clock times only with one another.
func (c *common) addTimestamp(t *arrow.TimestampType) {
	zone := normalZone(t.TimeZone)
	switch {
	case c.families&familyTimestamp == 0:
		c.zone = zone
	case (zone == "") != (c.zone == ""):
		c.mismatch = true
	case zone != c.zone:
		c.zone = utc
	}
	c.addUnit(familyTimestamp, t.Unit)
}

func (c *common) addOther(dt arrow.DataType) {
	if c.families&familyOther != 0 && !arrow.TypeEqual(c.other, dt) {
		c.mismatch = true
	}
	c.families |= familyOther
	c.other = dt
}

// resolve returns the one type of the column, false if there is none. A group
// key must not be a number that is exact in one input and rounded in another,
// so integers meet floats only outside of keys.
func (c *common) resolve(isKey bool) (arrow.DataType, bool) {
	if c.mismatch {
		return nil, false
	}
	switch c.families {
	case familyNone:
		return arrow.Null, true
	case familyBool:
		return arrow.FixedWidthTypes.Boolean, true
	case familyInteger:
		return c.integer(), true
	case familyInteger | familyFloat:
		return arrow.PrimitiveTypes.Float64, !isKey
	case familyInteger | familyDecimal:
		return widestDecimal(c.decimal), true
	case familyFloat:
		return floatTypes[c.float], true
	case familyDecimal:
		return newDecimal(c.decimal), true
	case familyText:
		return arrow.BinaryTypes.String, true
	case familyBinary:
		if c.binary == nil {
			return arrow.BinaryTypes.Binary, true
		}
		return c.binary, true
	case familyDate:
		if c.date32 {
			return arrow.FixedWidthTypes.Date32, true
		}
		return arrow.FixedWidthTypes.Date64, true
	case familyTime:
		return timeTypes[c.unit], true
	case familyTimestamp:
		return &arrow.TimestampType{Unit: c.unit, TimeZone: c.zone}, true
	case familyDuration:
		return &arrow.DurationType{Unit: c.unit}, true
	case familyOther:
		return c.other, true
	}
	return nil, false
}

// integer is the widest integer of one signedness, or int64 for both: it holds
// all but the upper half of uint64, which is an error where it appears.
func (c *common) integer() arrow.DataType {
	switch {
	case c.unsigned == 0:
		return signedTypes[c.signed]
	case c.signed == 0:
		return unsignedTypes[c.unsigned]
	}
	return arrow.PrimitiveTypes.Int64
}

var (
	signedTypes = map[int]arrow.DataType{
		8: arrow.PrimitiveTypes.Int8, 16: arrow.PrimitiveTypes.Int16,
		32: arrow.PrimitiveTypes.Int32, 64: arrow.PrimitiveTypes.Int64,
	}
	unsignedTypes = map[int]arrow.DataType{
		8: arrow.PrimitiveTypes.Uint8, 16: arrow.PrimitiveTypes.Uint16,
		32: arrow.PrimitiveTypes.Uint32, 64: arrow.PrimitiveTypes.Uint64,
	}
	floatTypes = map[int]arrow.DataType{
		16: arrow.FixedWidthTypes.Float16, 32: arrow.PrimitiveTypes.Float32, 64: arrow.PrimitiveTypes.Float64,
	}
	timeTypes = map[arrow.TimeUnit]arrow.DataType{
		arrow.Second: arrow.FixedWidthTypes.Time32s, arrow.Millisecond: arrow.FixedWidthTypes.Time32ms,
		arrow.Microsecond: arrow.FixedWidthTypes.Time64us, arrow.Nanosecond: arrow.FixedWidthTypes.Time64ns,
	}
)

// newDecimal builds the decimal type of a shape.
func newDecimal(d decimalShape) arrow.DataType {
	switch d.width {
	case 32:
		return &arrow.Decimal32Type{Precision: d.precision, Scale: d.scale}
	case 64:
		return &arrow.Decimal64Type{Precision: d.precision, Scale: d.scale}
	case 128:
		return &arrow.Decimal128Type{Precision: d.precision, Scale: d.scale}
	}
	return &arrow.Decimal256Type{Precision: d.precision, Scale: d.scale}
}

// widestDecimal has the scale of d and room for integers: all digits of 128
// bits, or of 256 where d has those.
func widestDecimal(d decimalShape) arrow.DataType {
	if d.width == 256 {
		return &arrow.Decimal256Type{Precision: 76, Scale: d.scale}
	}
	return &arrow.Decimal128Type{Precision: 38, Scale: d.scale}
}
