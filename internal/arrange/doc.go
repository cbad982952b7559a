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
// Rows are sorted by one column after the other. A column gives each row a
// 64-bit word that compares as its values do, at least as far as 64 bits go
// (the first eight bytes of a text, the upper half of a wide decimal); the words
// are sorted, and only where words are equal and are not the whole value are
// values compared. Rows that are equal in a column are then sorted by the next
// one, and in the end by the order in which they came. Numbers go by value, NaN
// past all others, texts by bytes, false before true; nulls are last whether
// ascending or descending.
//
// # The first N
//
// With a limit, rows are collected until there are a few batches more than the
// limit; then they are sorted and cut to it, and from there on a row has to
// come before the last one kept to be collected at all.
//
// # Errors and ownership
//
// A condition can fail on a value (a cast that does not fit). So that nothing is
// shown of a result that cannot be shown to the end, Open runs a condition over
// the whole result before it gives out the first batch. Batches that a Source
// gives belong to the caller, who releases them. All of it is for one goroutine.
package arrange
