package expr

import (
	"math/big"

	"github.com/apache/arrow-go/v18/arrow"
)

// class is what values of a type can be compared with: values of the same.
type class uint8

const (
	classNone    class = iota // type null: goes with any
	classTruth                // bool
	classNumber               // integers, floats, decimals
	classText                 // strings
	classBinary               // bytes
	classDate                 // days
	classClock                // times of day
	classSpan                 // durations
	classLocal                // timestamps without a zone
	classInstant              // timestamps with a zone, whichever
)

func (c class) String() string {
	return [...]string{
		"null", "a truth value", "a number", "text", "binary", "a date", "a time of day", "a duration",
		"a timestamp without a zone", "a timestamp with a zone",
	}[c]
}

// classOf returns the class of a type's values, false for types that no
// expression takes.
func classOf(dt arrow.DataType) (class, bool) {
	switch id := dt.ID(); id {
	case arrow.NULL:
		return classNone, true
	case arrow.BOOL:
		return classTruth, true
	case arrow.DATE32, arrow.DATE64:
		return classDate, true
	case arrow.TIME32, arrow.TIME64:
		return classClock, true
	case arrow.DURATION:
		return classSpan, true
	case arrow.TIMESTAMP:
		if dt.(*arrow.TimestampType).TimeZone == "" {
			return classLocal, true
		}
		return classInstant, true
	default:
		f, ok := formOf(dt)
		switch {
		case !ok:
			return classNone, false
		case f == formBytes && isText(dt):
			return classText, true
		case f == formBytes:
			return classBinary, true
		}
		return classNumber, true
	}
}

// constant is a literal, read as a value of the class that it is compared
// with.
type constant struct {
	class class
	// number is exact, whatever the columns' types: a number itself; days;
	// seconds since midnight or since 1970-01-01T00:00:00; seconds of a span.
	number *big.Rat
	// special is the float that no number is: NaN, inf or -inf.
	special *float64
	bytes   []byte // of text and binary
	truth   bool
}

// unitsPer is how many units of a type make one of the class's: 1000 for a
// timestamp in milliseconds, 100 for a decimal of scale 2, a hundredth for one
// of scale -2.
func unitsPer(dt arrow.DataType) *big.Rat {
	switch t := dt.(type) {
	case *arrow.TimestampType:
		return pow10(3 * int(t.Unit))
	case *arrow.Time32Type:
		return pow10(3 * int(t.Unit))
	case *arrow.Time64Type:
		return pow10(3 * int(t.Unit))
	case *arrow.DurationType:
		return pow10(3 * int(t.Unit))
	case *arrow.Date64Type:
		return big.NewRat(86400000, 1)
	case arrow.DecimalType:
		return pow10(int(t.GetScale()))
	}
	return big.NewRat(1, 1)
}

func pow10(n int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// floor is the greatest integer that is not greater than x, and whether it is
// x itself.
func floor(x *big.Rat) (n *big.Int, whole bool) {
	n, rest := new(big.Int).DivMod(x.Num(), x.Denom(), new(big.Int))
	return n, rest.Sign() == 0
}
