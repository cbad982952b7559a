// Package scan is what happens to a decoded batch before its rows are grouped.
//
//	decoded columns ──► select ──────► compute ─────► columns of the engine
//	those that the      row numbers    date_trunc…    with the rows to take
//	plan needs          (where)        (-g)           and the input's name
//
// A Projection is that way, bound to columns by position: which condition rows
// have to meet, and where each column that the engine is given comes from (a
// decoded one as it is, one computed of some, the name of the input). It does
// not change and is shared; package planner makes it. A Scanner is one
// goroutine's way through it and owns scratch memory.
//
// # Pieces
//
// What is computed needs memory for every row, so batches of more than 65,536
// rows go through in pieces, and what a scanner holds does not depend on its
// input. Batches of which nothing is asked are passed on as they are. So are
// those that hold no data (columns missing, or of type null), of whatever
// length: their rows are all alike, and the condition is asked once.
//
// # Errors and ownership
//
// Arrays that a piece has are valid during the call that it is given to. An
// error about a value is an *expr.ValueError, its row counted within the batch.
// The package knows neither streams nor groups.
package scan
