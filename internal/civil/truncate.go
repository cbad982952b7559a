package civil

// The functions here go from a day to the first day of the period it lies in.
// They take and return days since the epoch. The first days of the periods
// that hold the smallest int64 days lie outside int64: callers that admit
// those days check that the result is not greater than the argument.

// StartOfWeek returns the Monday of the day's week (ISO 8601).
func StartOfWeek(days int64) int64 {
	const monday = 4 // 1970-01-05
	_, weekday := Split(days, 7)
	return days - (weekday+7-monday)%7
}

// StartOfMonth returns the first day of the day's month.
func StartOfMonth(days int64) int64 {
	return days - int64(FromDays(days).Day-1)
}

// StartOfQuarter returns the first day of the quarter, which begins in
// January, April, July or October.
func StartOfQuarter(days int64) int64 {
	d := FromDays(days)
	return Date{d.Year, d.Month - (d.Month-1)%3, 1}.Days()
}

// StartOfYear returns the first of January of the day's year.
func StartOfYear(days int64) int64 {
	return Date{FromDays(days).Year, 1, 1}.Days()
}
