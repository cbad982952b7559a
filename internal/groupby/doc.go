// Package groupby is the engine: it groups rows by key columns, aggregates
// them, and gives the groups sorted by key.
//
//	batch ─► loaders ─► grouper ─► accumulators          one Worker a goroutine
//	         lanes      group ids   states, a record a group
//	                                     │ Close
//	   batches ◄─ Result ◄─ fold ◄─ sort ┘               Finish
//
// A batch is worked on in chunks of 1,024 rows, one column at a time, so that
// every loop is about one thing and what it touches is in the cache.
//
//   - A loader brings a column's values into a lane ([]int64, []uint64,
//     []float64, words of decimals, bytes), in place where memory is laid out
//     like that: reader.go. It converts them to the type that all inputs
//     agreed on: convert.go.
//   - An interner gives each distinct value of a key column a code, the same
//     for every batch, encoding and worker. Equality is decided on values,
//     never on hashes alone: interner.go.
//   - The grouper turns the codes of a row, side by side in a packed key, into
//     a group id: grouper.go, layout.go.
//   - An accumulator is one aggregate for all groups; its states lie in the
//     group records: accumulator.go, states.go.
//
// Finish ranks each key column's values, so that packed ranks compare as the
// rows' keys do, sorts, merges what several workers have of one group, and
// finishes every value, so that nothing that data can cause is found later.
//
// Invariants: codes, ids and the order of rows depend on the race between
// workers; nothing of the result may. All sums are exact until they are
// finished (package exact). A record of zeros is a group without rows.
//
// Ownership: arrays given to Update are not kept. A Worker belongs to one
// goroutine; interners are shared by all; Finish is called when all workers are
// closed, and the Result belongs to one goroutine.
//
// To add an aggregate, write a file with its Function row and accumulator, and
// add the row to Functions. To add a key type, give it a lane (types.go) and,
// if its values do not compare as ordered bits or bytes, an interner.
package groupby
