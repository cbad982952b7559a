// Package result says whether two engines gave the same answer.
//
// A result is an Arrow IPC stream (or file) in whatever types an engine likes:
// DuckDB sums integers to decimals, Polars writes string views, ClickHouse may
// write binary. Load brings every column to one of four families:
//
//	integer  every integer, bool, decimals of scale 0
//	instant  timestamps of any unit, dates: nanoseconds since 1970
//	float    float16 to float64
//	text     every string and binary type, dictionaries of them; decimals with a
//	         scale, in their shortest digits
//
// and Diff compares row with row: rows are matched by the values of the key
// columns, whatever their order; a hash finds the candidates, the keys
// themselves decide. Everything must be equal, but float columns named as
// approximate (sums and means, where engines round in different orders) may
// differ by Tolerance of the larger value. Null equals null and NaN equals NaN.
package result
