// Package civil turns days into calendar dates and back.
//
// Everything is the proleptic Gregorian calendar in UTC: the rules of today
// carried on in both directions, with a year 0 before year 1, no time zones
// and no leap seconds, as Arrow's date and timestamp types mean it. A date is
// an int64 number of days since 1970-01-01:
//
//	days  -719528   0000-01-01
//	           -1   1969-12-31
//	            0   1970-01-01
//	        19675   2023-11-14
//
// The standard library's time package is not used because its Unix seconds
// wrap around for years that a timestamp in seconds can name; the functions
// here are exact for every int64. A count of seconds, milliseconds,
// microseconds or nanoseconds is first split into days and the rest of the
// day, flooring, so that the instant before the epoch belongs to the day
// before it:
//
//	days, rest := civil.Split(-1, civil.SecondsPerDay*1000) // -1, 86399999
//
// The Append functions write text without allocating. All functions are pure
// and may be called from any goroutine.
package civil
