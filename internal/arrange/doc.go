// Package arrange makes what is shown of a result: some of its groups, in
// another order, or only the first.
//
//	batches in ──► having ──► sort, or the first N ──► limit ──► batches of
//	key order      filter     typed comparison         cut       65,536 rows
//
// Every step is a Source of batches over another one, so that a result that is
// only filtered and cut flows through, a batch at a time. What is sorted is
// held: all rows, or, with a limit, not many more than that limit.
//
// # Order
//
// Rows are sorted by one column after the other. A column gives each row
// 64-bit words that compare as its values do: one of a number, several of a wide
// decimal, eight bytes at a time of a text. Rows are sorted by the first word
// (by radix, where there are many); those that are equal in it by the next, then
// by the next column, and in the end they stay as they came.
//
//	numbers    by value, NaN past all others, both zeros one value
//	texts      by bytes
//	booleans   false before true
//	nulls      last, ascending or descending
//
// # The first N
//
// With a limit, rows are collected until there are a few batches more than the
// limit; then they are sorted and cut to it, and from there on a row has to
// come before the last one kept to be collected at all.
//
// # More than memory
//
// With a Room, no more rows than it has are sorted at a time. The sorted stretch
// is put aside, and in the end the stretches are merged; with a limit, each has
// no more rows than that.
//
// # Errors and ownership
//
// A condition can fail on a value (a cast that does not fit). So that nothing is
// shown of a result that cannot be shown to the end, Open runs a condition over
// the whole result before it gives out the first batch. Batches that a Source
// gives belong to the caller, who releases them. All of it is for one goroutine.
package arrange
