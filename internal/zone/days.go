package zone

import (
	"math"
	"time"

	"arrowagg/internal/civil"
)

// maxSeconds bounds the instants for which the standard library's time is
// exact, with room for every offset: about 290 million years around the epoch.
const maxSeconds = 1 << 53

// Days converts between instants and the dates of one zone. Instants are
// seconds since the epoch, dates are days since 1970-01-01. It keeps what it
// saw last and is for one goroutine.
type Days struct {
	loc *time.Location
	// The stretch [from, until) of constant offset seen last.
	from, until, offset int64
	// The date whose beginning was asked for last.
	day, begin int64
	known      bool
}

// NewDays returns the dates of that zone.
func NewDays(loc *time.Location) *Days { return &Days{loc: loc, from: 1} }

// InRange tells whether the zone's rules can be applied to that instant.
func InRange(seconds int64) bool { return -maxSeconds <= seconds && seconds <= maxSeconds }

// Offset is the zone's offset from UTC at an instant, east positive, in
// seconds.
func (d *Days) Offset(seconds int64) int64 {
	if seconds < d.from || seconds >= d.until {
		d.stretch(seconds)
	}
	return d.offset
}

// stretch finds the constant offset around an instant.
func (d *Days) stretch(seconds int64) {
	at := time.Unix(seconds, 0).In(d.loc)
	_, offset := at.Zone()
	from, until := at.ZoneBounds()
	d.offset, d.from, d.until = int64(offset), math.MinInt64, math.MaxInt64
	if !from.IsZero() {
		d.from = from.Unix()
	}
	if !until.IsZero() {
		// On the last day of a leap year ZoneBounds ends the stretch a day
		// early, before the instant it was asked for.
		d.until = max(until.Unix(), seconds+1)
	}
}

// Of returns the date that clocks in the zone show at an instant.
func (d *Days) Of(seconds int64) int64 {
	day, _ := civil.Split(seconds+d.Offset(seconds), civil.SecondsPerDay)
	return day
}

// Begin returns the first instant at which clocks in the zone show the date.
// That is local midnight where the date has one; where midnight is skipped, as
// zones do that change at midnight, it is the moment after the gap; where it
// comes twice, the first. A date that a zone skipped altogether (Samoa,
// 2011-12-30) begins when the next one does.
func (d *Days) Begin(day int64) int64 {
	if d.known && d.day == day {
		return d.begin
	}
	// Clocks differ from UTC by less than a day and a half, so the date begins
	// within this window. Within a stretch of constant offset dates only rise;
	// the answer is in the first stretch that reaches the date.
	at := day*civil.SecondsPerDay - 36*3600
	for {
		d.Offset(at)
		midnight := day*civil.SecondsPerDay - d.offset
		begin := max(midnight, d.from, at)
		if begin < d.until {
			d.day, d.begin, d.known = day, begin, true
			return begin
		}
		at = d.until
	}
}
