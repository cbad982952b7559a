// Package syntax is the little language of the command line's query flags:
// text on one side, a tree of names and calls on the other.
//
//	-g 'host, "day 1"'                     ParseItems ─► Name, Name
//	-a 'max(lat) as worst, count(*)'       ParseItems ─► Call as Name, Call
//	-x bytes_sum                           ParseNames ─► Name
//	-s 'worst desc, host'                  ParseSort  ─► SortKey, SortKey
//	-w 'status >= 500 and not canary'      ParseCondition ─► Logic{Compare, Not}
//
// The package knows neither which functions exist nor which columns an input
// has: a tree says what was written and where, package planner says what it
// means. Every tree prints itself (String) in a form that parses back into an
// equal tree; the fuzz target holds it to that.
//
// # Words
//
// In lists a bare word runs up to the next blank or one of , : ( ) " so that
// nearly every column name in the wild can be typed as it is (p99.max,
// bytes-in, größe, 2023). All other names are written in double quotes, a
// quote inside doubled: "bytes, ""in""". The colon is reserved. Whether a word
// is a column, a unit or a number is for the planner to say, by the place it
// stands in: time_bucket(15m, ts) has one of each kind.
//
// Conditions have operators, so there a bare word is an identifier: letters,
// digits, _ . $ and everything beyond ASCII, not beginning with a digit. Text is in single
// quotes, as in SQL.
//
// # Errors
//
// All errors are *Error: the token, by its text and its offset, and what was
// expected. Nothing is kept between calls and everything may run concurrently.
//
// To add a construct: a node in tree.go or condition_tree.go with its String,
// and the function that parses it in list.go or condition.go.
package syntax
