package expr

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"arrowagg/internal/civil"
)

// scanner reads a temporal text from the left.
type scanner struct{ rest string }

// number takes between least and most digits.
func (s *scanner) number(least, most int) (int64, bool) {
	n, value := 0, int64(0)
	for n < len(s.rest) && n < most && '0' <= s.rest[n] && s.rest[n] <= '9' {
		value = 10*value + int64(s.rest[n]-'0')
		n++
	}
	if n < least {
		return 0, false
	}
	s.rest = s.rest[n:]
	return value, true
}

// take takes one of the characters.
func (s *scanner) take(chars string) bool {
	if s.rest == "" || strings.IndexByte(chars, s.rest[0]) < 0 {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// fraction takes the digits behind a point, if there is one, as a part of 1.
func (s *scanner) fraction() (*big.Rat, bool) {
	if !s.take(".") {
		return new(big.Rat), true
	}
	digits := len(s.rest) - len(strings.TrimLeft(s.rest, "0123456789"))
	f, ok := new(big.Rat).SetString("0." + s.rest[:digits] + "0")
	if digits == 0 || !ok {
		return nil, false
	}
	s.rest = s.rest[digits:]
	return f, true
}

// date takes YYYY-MM-DD, the year with a sign where it has not four digits.
func (s *scanner) date() (days int64, ok bool) {
	sign, least, most := int64(1), 4, 4
	if s.take("-") {
		sign, most = -1, 12
	} else if s.take("+") {
		most = 12
	}
	year, ok := s.number(least, most)
	if !ok || !s.take("-") {
		return 0, false
	}
	month, ok := s.number(2, 2)
	if !ok || !s.take("-") {
		return 0, false
	}
	day, ok := s.number(2, 2)
	if !ok || month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, false
	}
	d := civil.Date{Year: sign * year, Month: int(month), Day: int(day)}
	days = d.Days()
	return days, civil.FromDays(days) == d
}

// clock takes hh:mm, with :ss and a fraction if they follow, as seconds.
func (s *scanner) clock() (*big.Rat, bool) {
	hours, ok := s.number(2, 2)
	if !ok || !s.take(":") {
		return nil, false
	}
	minutes, ok := s.number(2, 2)
	if !ok || hours > 23 || minutes > 59 {
		return nil, false
	}
	seconds, fraction := int64(0), new(big.Rat)
	if s.take(":") {
		if seconds, ok = s.number(2, 2); !ok || seconds > 59 {
			return nil, false
		}
		if fraction, ok = s.fraction(); !ok {
			return nil, false
		}
	}
	return fraction.Add(fraction, big.NewRat(3600*hours+60*minutes+seconds, 1)), true
}

// offset takes Z or ±hh:mm, in seconds east of UTC.
func (s *scanner) offset() (seconds int64, ok bool) {
	if s.take("Zz") {
		return 0, true
	}
	sign := int64(1)
	if s.take("-") {
		sign = -1
	} else if !s.take("+") {
		return 0, false
	}
	hours, ok := s.number(2, 2)
	if !ok {
		return 0, false
	}
	s.take(":")
	minutes, ok := s.number(2, 2)
	return sign * (3600*hours + 60*minutes), ok && hours < 24 && minutes < 60
}

// parseDate reads YYYY-MM-DD as days since 1970-01-01.
func parseDate(text string) (*big.Rat, error) {
	s := scanner{text}
	days, ok := s.date()
	if !ok || s.rest != "" {
		return nil, fmt.Errorf("%q is no date", text)
	}
	return big.NewRat(days, 1), nil
}

// ParseClock reads hh:mm[:ss[.fraction]] as seconds since midnight.
func ParseClock(text string) (*big.Rat, error) {
	s := scanner{text}
	seconds, ok := s.clock()
	if !ok || s.rest != "" {
		return nil, fmt.Errorf("%q is no time of day", text)
	}
	return seconds, nil
}

// The two ways in which a timestamp and its column can disagree.
var (
	errNeedsZone  = errors.New("the column has a time zone, so the text needs one")
	errNeedsLocal = errors.New("the column has no time zone, so the text can have none")
)

// ParseTimestamp reads a date, or a date and a time of day behind T or a blank,
// and then Z or an offset if zoned asks for one, as seconds since
// 1970-01-01T00:00 on that clock.
func ParseTimestamp(text string, zoned bool) (*big.Rat, error) {
	wrong := fmt.Errorf("%q is no timestamp", text)
	s := scanner{text}
	days, ok := s.date()
	if !ok {
		return nil, wrong
	}
	seconds := new(big.Rat)
	if s.take("Tt ") {
		if seconds, ok = s.clock(); !ok {
			return nil, wrong
		}
	}
	hasZone := s.rest != ""
	east, ok := int64(0), true
	if hasZone {
		east, ok = s.offset()
	}
	switch {
	case !ok || s.rest != "":
		return nil, wrong
	case zoned && !hasZone:
		return nil, errNeedsZone
	case !zoned && hasZone:
		return nil, errNeedsLocal
	}
	midnight := new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(days), big.NewInt(civil.SecondsPerDay)))
	seconds.Add(seconds, midnight)
	return seconds.Sub(seconds, big.NewRat(east, 1)), nil
}

// spanUnits are the units of durations, in seconds. A day of a duration has
// 24 hours.
var spanUnits = []struct {
	name    string
	seconds *big.Rat
}{
	{"ns", big.NewRat(1, 1e9)},
	{"us", big.NewRat(1, 1e6)},
	{"µs", big.NewRat(1, 1e6)},
	{"ms", big.NewRat(1, 1e3)},
	{"s", big.NewRat(1, 1)},
	{"m", big.NewRat(60, 1)},
	{"h", big.NewRat(3600, 1)},
	{"d", big.NewRat(86400, 1)},
	{"w", big.NewRat(7*86400, 1)},
}

// ParseSpan reads numbers with units, 1h30m or -1.5s, in seconds.
func ParseSpan(text string) (*big.Rat, error) {
	wrong := fmt.Errorf("%q is no duration", text)
	rest, negative := strings.CutPrefix(text, "-")
	total := new(big.Rat)
	if rest == "" {
		return nil, wrong
	}
	for rest != "" {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789."))
		letters := len(rest[digits:]) - len(strings.TrimLeft(rest[digits:], "nuµmshdw"))
		n, ok := new(big.Rat).SetString(rest[:digits])
		unit := rest[digits : digits+letters]
		rest = rest[digits+letters:]
		found := false
		for _, u := range spanUnits {
			if u.name == unit && ok {
				total.Add(total, n.Mul(n, u.seconds))
				found = true
				break
			}
		}
		if !found {
			return nil, wrong
		}
	}
	if negative {
		total.Neg(total)
	}
	return total, nil
}
