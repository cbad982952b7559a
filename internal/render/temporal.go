package render

import (
	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/civil"
)

// Dates and times are printed with just their unit's digits, so that every
// value of a column has the same form and the form says the unit.

// fractionDigits returns how many decimal digits of a second a unit has.
func fractionDigits(unit arrow.TimeUnit) int {
	switch unit {
	case arrow.Millisecond:
		return 3
	case arrow.Microsecond:
		return 6
	case arrow.Nanosecond:
		return 9
	}
	return 0
}

func dates32(values []arrow.Date32) appender {
	return func(dst []byte, row int) []byte { return civil.Append(dst, int64(values[row])) }
}

// dates64 prints a date, and the time of day too for a value that is no whole
// day: Arrow does not allow those, but two different keys must not look alike.
func dates64(values []arrow.Date64) appender {
	return func(dst []byte, row int) []byte {
		days, rest := civil.Split(int64(values[row]), civil.SecondsPerDay*1000)
		if rest != 0 {
			return civil.AppendInstant(dst, int64(values[row]), 3)
		}
		return civil.Append(dst, days)
	}
}

func clocks[T arrow.Time32 | arrow.Time64](values []T, unit arrow.TimeUnit) appender {
	digits := fractionDigits(unit)
	return func(dst []byte, row int) []byte { return civil.AppendClock(dst, int64(values[row]), digits) }
}

// instants prints a zoned timestamp, which is an instant, in UTC with a Z, and
// one without a zone, which is a reading of some clock, as it is.
func instants(values []arrow.Timestamp, t *arrow.TimestampType) appender {
	digits := fractionDigits(t.Unit)
	if t.TimeZone == "" {
		return func(dst []byte, row int) []byte { return civil.AppendInstant(dst, int64(values[row]), digits) }
	}
	return func(dst []byte, row int) []byte {
		return append(civil.AppendInstant(dst, int64(values[row]), digits), 'Z')
	}
}
