package groupby

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

func sameType(a, b arrow.DataType) bool { return a == b || arrow.TypeEqual(a, b) }

// conversionFor finds the way from the values of a batch's column to the type
// that all inputs agreed on; nil where both are the same in memory, and none can
// be wrong.
//
// Integers become floats by rounding to nearest, which is all that an extreme
// needs: rounding is monotone, so the greatest rounded value is the greatest
// value, rounded.
func conversionFor(from, to arrow.DataType) (conversion, error) {
	source, _, ok := laneOf(from)
	target, _, _ := laneOf(to)
	switch {
	case !ok:
	case source == laneNone:
		return nil, nil
	case target == laneBytes:
		if source == laneBytes && isString(from) == isString(to) {
			return nil, nil
		}
	case isFloat(to) && isFloat(from):
		return nil, nil
	case isFloat(to) && isInteger(from):
		return toFloats, nil
	case isDecimal(to) && isDecimal(from) && scaleOf(from) == scaleOf(to):
		return widenDecimal(from, to), nil
	case isDecimal(to) && isInteger(from) && target == laneWords:
		return scaleToDecimal(to.(arrow.DecimalType)), nil
	case isInteger(to) && isInteger(from):
		return toInteger(from, to), nil
	default:
		if c, ok := toClock(from, to); ok {
			return c, nil
		}
	}
	return nil, fmt.Errorf("values of type %s cannot be read as %s", from, to)
}

// toClock converts among booleans, dates, times, timestamps and durations.
func toClock(from, to arrow.DataType) (c conversion, ok bool) {
	const msPerDay = 86_400_000
	a, b := from.ID(), to.ID()
	switch {
	case b == arrow.BOOL && a == arrow.INT8:
		return toBools, true
	case b == arrow.DATE32 && a == arrow.DATE64:
		return divide(msPerDay), true
	case b == arrow.DATE64 && a == arrow.DATE32:
		return multiply(msPerDay, to), true
	case a == b && (a == arrow.BOOL || a == arrow.DATE32 || a == arrow.DATE64):
		return nil, true
	}
	u, timed := unitOf(from)
	v, _ := unitOf(to)
	if !timed || clockOf(a) != clockOf(b) || v < u {
		return nil, false
	}
	if u == v && !isTimeOfDay(to) {
		return nil, true
	}
	return multiply(int64(u.Multiplier()/v.Multiplier()), to), true
}

func isTimeOfDay(t arrow.DataType) bool { return clockOf(t.ID()) == arrow.TIME64 }

// clockOf maps both widths of a time of day to one.
func clockOf(id arrow.Type) arrow.Type {
	if id == arrow.TIME32 {
		return arrow.TIME64
	}
	return id
}

func unitOf(t arrow.DataType) (u arrow.TimeUnit, ok bool) {
	switch t := t.(type) {
	case *arrow.TimestampType:
		return t.Unit, true
	case *arrow.DurationType:
		return t.Unit, true
	case *arrow.Time32Type:
		return t.Unit, true
	case *arrow.Time64Type:
		return t.Unit, true
	}
	return 0, false
}
