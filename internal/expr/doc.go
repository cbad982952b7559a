// Package expr evaluates conditions and computed columns over whole batches.
//
//	syntax tree ──Bind(Scope)──► Condition ──NewFilter──► Filter    Select(batch)  ─► row numbers
//	names, literals              columns,    Computed  ─► Computer  Compute(batch) ─► a column
//	                             types
//
// Binding gives every node a type, once: what a literal means is settled by
// what it is compared with ('2024-01-01' is a date, a timestamp or text), and
// what cannot be compared is an error that points at the token. Bound trees
// never change; Filters and Computers own scratch memory and are for one
// goroutine each.
//
// # Three values
//
// A condition is true, false or null for a row, as in SQL. An answer is two
// bitmaps over the batch, the rows that say yes and the rows that say no; a row
// in neither is null. So the connectives are a few operations on 64 rows:
//
//	and:  yes = a.yes & b.yes      no = a.no | b.no
//	or:   yes = a.yes | b.yes      no = a.no & b.no
//	not:  exchange the two
//
// # Exactness
//
// No value is ever converted to be compared. A comparison with a constant is
// membership in an interval; its ends are rational numbers until a batch comes,
// and are then rounded inwards to the units that the batch has: x < 2.5 is
// x ≤ 2 in a column of integers, ts >= '…00.0005' is ts ≥ 1 in one of
// milliseconds. So a column may come as int8 here and as float64 there, in
// seconds or in nanoseconds, and the same rows pass. Floats are numbered in
// their order (floatKey), which makes intervals of integers of theirs; a
// literal is first rounded to the column's own type, so that 0.1 finds the
// values that are shown as 0.1. Two columns are compared as they are where they
// have one form, and as rationals else.
//
// Dictionaries and runs are tested entry by entry where they have fewer entries
// than rows.
//
// # Time buckets
//
// date_trunc and time_bucket cut below a day by instants since
// 1970-01-01T00:00Z, from a day on by the calendar of the column's zone; a
// bucket is named by the instant at which it begins. Zones are package zone's,
// dates package civil's.
//
// To add a function of a row: a case in binder.call and a value node. To add a
// comparison: a tester for what depends on one value, a test for what does not.
package expr
