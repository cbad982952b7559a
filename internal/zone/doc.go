// Package zone knows the time zones, from the database embedded in the binary
// alone.
//
// time.LoadLocation reads the system's database first, and $ZONEINFO before
// that: two machines with different tzdata would then give different bytes for
// one input. Load never looks outside the binary:
//
//	"Europe/Paris" ──► zoneinfo.zip (embedded, Version) ──► time.Location
//	"+05:30", "-08" ─► fixed offset
//
// A Days turns instants into local dates, and local dates into the instant at
// which they begin. It remembers the stretch of constant offset and the day
// that it saw last, so time-ordered input costs a comparison; hence one Days
// per goroutine. Locations are immutable and may be shared.
//
// To move to another tzdata release, replace zoneinfo.zip by the one of a Go
// release that has it, change Version, and raise the output number if a golden
// result changes.
package zone
