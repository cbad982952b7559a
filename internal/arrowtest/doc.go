// Package arrowtest writes Arrow streams from readable text, and reads them
// back into it. Only tests, scripts and the generator of testdata use it.
//
//	text ──Parse──► Stream (cells) ──Records──► record batches ──Encode──► IPC bytes
//	                   ▲                                                      │
//	                   └────────────────────────Read──────────────────────────┘
//
// # The text
//
//	@pandas={}                                                schema metadata, any number
//	k utf8 | ts timestamp[ms, UTC] | v_sum int64 not null {unit=B}
//	a      | 1700000000000         | 1
//	""     | 2023-11-14T22:13:20.5 | 2
//	---
//	null   | null                  | 4
//
// The first line is the schema: name, type, then `not null` and {metadata} if
// wanted. Every other line is a row, its cells parted by |. A line of three
// dashes begins a record batch; the first one may be left out where rows
// follow. So a header alone is a stream without a batch, and two --- in a row
// are a batch without rows. Blank lines and lines that begin with # are left out.
//
// A cell is null if it is the bare word null. Text that is empty, that is the
// word null, or that holds | or " or outer blanks is written as a Go string.
// Numbers are Go's; floats know NaN, inf, -inf and -0.0; decimals are exact.
// Timestamps, dates and times are integers in their unit or ISO 8601 text (a
// timestamp's text is UTC, whatever its zone); durations are integers; binary is \x and
// hex, or the text itself; lists and structs are JSON.
//
// # Types
//
//	null bool int8 … int64 uint8 … uint64 float16 float32 float64
//	decimal32(p, s) decimal64(p, s) decimal128(p, s) decimal256(p, s)
//	utf8 large_utf8 utf8_view binary large_binary binary_view fixed_size_binary(n)
//	date32 date64 time32[s|ms] time64[us|ns] duration[u] timestamp[u] timestamp[u, zone]
//	interval[months|day_time|month_day_nano]
//	dictionary<index, value> run_end_encoded<ends, value> extension<name, storage>
//	list<T> large_list<T> struct<a: T, b: U> map<K, V>
//
// Dictionaries are made of a batch's own values in order of appearance, unless
// the batch begins with `--- k=["b", null, "a"]`, which gives column k's
// dictionary entry by entry: unused ones, repeated ones, nulls. A null cell
// points at the dictionary's null where it has one and is a null index otherwise.
//
// # A stream of cells
//
// A Stream keeps the cells as text, and arrays are built from them when asked
// for. So everything that must not change a result is a plain rearrangement of
// cells, the same for every type: Recut cuts other batches, Permute shuffles
// rows, Retype writes a column in another encoding, SharedDictionaries and
// GrowingDictionaries choose what dictionaries hold. And a test's oracle reads
// the cells, not the arrays, so it shares nothing with what it tests.
//
// Arrays come from arrow-go's builders and bytes from its writer. Nothing here
// is meant for large inputs: a cell costs about a microsecond.
package arrowtest
