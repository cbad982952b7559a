package civil

import "strconv"

// Append appends the day as YYYY-MM-DD. Years beyond 0000 to 9999 carry a sign
// and as many digits as they need, at least four (ISO 8601, expanded form).
func Append(dst []byte, days int64) []byte {
	d := FromDays(days)
	switch {
	case d.Year < 0:
		dst = append(dst, '-')
		dst = appendPadded(dst, uint64(-d.Year), 4)
	case d.Year > 9999:
		dst = append(dst, '+')
		dst = strconv.AppendInt(dst, d.Year, 10)
	default:
		dst = append2(append2(dst, uint64(d.Year)/100), uint64(d.Year)%100)
	}
	dst = append2(append(dst, '-'), uint64(d.Month))
	return append2(append(dst, '-'), uint64(d.Day))
}

// AppendClock appends a time of day as hh:mm:ss with that many digits after
// the seconds (0, 3, 6 or 9), units being counted from midnight in the unit
// that these digits stand for. A count that is no time of day is shown as the
// signed span that it is: -00:00:01, 25:00:00.
func AppendClock(dst []byte, units int64, digits int) []byte {
	rest := uint64(units)
	if units < 0 {
		dst = append(dst, '-')
		rest = -rest
	}
	perSecond := uint64(unitsPerSecond[digits])
	seconds, fraction := rest/perSecond, rest%perSecond
	if hours := seconds / 3600; hours < 100 {
		dst = append2(dst, hours)
	} else {
		dst = strconv.AppendUint(dst, hours, 10)
	}
	dst = append2(append(dst, ':'), seconds/60%60)
	dst = append2(append(dst, ':'), seconds%60)
	if digits > 0 {
		dst = append(dst, '.')
		dst = appendPadded(dst, fraction, digits)
	}
	return dst
}

// AppendInstant appends a count of units since the epoch as
// YYYY-MM-DDThh:mm:ss with that many digits after the seconds (0, 3, 6 or 9),
// which also say what the unit is.
func AppendInstant(dst []byte, units int64, digits int) []byte {
	days, rest := Split(units, SecondsPerDay*unitsPerSecond[digits])
	dst = Append(dst, days)
	dst = append(dst, 'T')
	return AppendClock(dst, rest, digits)
}

// unitsPerSecond by the number of decimal digits of a unit.
var unitsPerSecond = [10]int64{0: 1, 3: 1e3, 6: 1e6, 9: 1e9}

// append2 appends v < 100 with two digits.
func append2(dst []byte, v uint64) []byte {
	return append(dst, byte('0'+v/10), byte('0'+v%10))
}

// appendPadded appends v with at least width digits, zeros in front.
func appendPadded(dst []byte, v uint64, width int) []byte {
	var digits [20]byte
	at := len(digits)
	for v > 0 || len(digits)-at < width {
		at--
		digits[at] = byte('0' + v%10)
		v /= 10
	}
	return append(dst, digits[at:]...)
}
