package civil

// SecondsPerDay is the length of a civil day. There are no leap seconds.
const SecondsPerDay = 86400

// The calendar repeats after an era of 400 years. Counting years from the
// first of March puts the leap day at their end, where it disturbs nothing.
const (
	daysPerEra    = 146097
	yearsPerEra   = 400
	marchOfYear0  = 719468 // days from 0000-03-01 to 1970-01-01
	daysPer4Years = 1461
	daysPer100    = 36524
)

// Date is a day of the calendar.
type Date struct {
	Year  int64 // 0 is the year before 1
	Month int   // 1 to 12
	Day   int   // 1 to 31
}

// Split divides a count of units since the epoch, of which a day has perDay,
// into whole days and the units since that day's midnight, 0 ≤ rest < perDay.
func Split(v, perDay int64) (days, rest int64) {
	days, rest = v/perDay, v%perDay
	if rest < 0 {
		days, rest = days-1, rest+perDay
	}
	return days, rest
}

// FromDays returns the date of a day, for every int64.
//
// The method is the usual one of eras and March-based years, as in Hinnant's
// "chrono-Compatible Low-Level Date Algorithms"; the shift to March is made
// inside the era, where it cannot overflow.
func FromDays(days int64) Date {
	era, day := Split(days, daysPerEra)
	day += marchOfYear0 % daysPerEra
	era += marchOfYear0 / daysPerEra
	if day >= daysPerEra {
		day, era = day-daysPerEra, era+1
	}
	year := (day - day/(daysPer4Years-1) + day/daysPer100 - day/(daysPerEra-1)) / 365
	day -= 365*year + year/4 - year/100
	month := (5*day + 2) / 153 // 0 is March
	d := Date{Year: era*yearsPerEra + year, Day: int(day-(153*month+2)/5) + 1}
	if month < 10 {
		d.Month = int(month) + 3
	} else {
		d.Month = int(month) - 9
		d.Year++
	}
	return d
}

// Days is the inverse of FromDays. It is exact for every date that FromDays
// returns; a date beyond those wraps around.
func (d Date) Days() int64 {
	year, month := d.Year, int64(d.Month)-3
	if month < 0 {
		year, month = year-1, month+12
	}
	era, year := Split(year, yearsPerEra)
	day := (153*month+2)/5 + int64(d.Day) - 1
	day += 365*year + year/4 - year/100
	return era*daysPerEra + day - marchOfYear0
}
