// Package dataset makes the benchmark's input: seeded tables as Arrow IPC streams.
//
// A value depends on the seed, its column and its row's number only, never on
// what was drawn before it:
//
//	value(seed, column, row) = recipe(mix(seed, column, row))
//
// So batches are made in parallel, and two files that differ in batch size,
// string encoding, codec, number of files or order of rows hold the same rows:
// a query must give the same answer on all of them, and what differs between
// two measurements is what was meant to differ.
//
// # Sets
//
// h2o is the group-by table of the database-like operations benchmark of
// H2O.ai (recipe G1_N_K_0_0): three string keys and three integer keys of
// cardinality K, K, N/K each, two small integers and a float.
//
// sensor is what arrowagg is for: partial aggregates that 10,000 hosts in 20
// regions sent for the minutes of one day.
//
// # Order
//
// Rows come in the order of their numbers, which is random, or are sorted by
// columns (Spec.SortBy): the key columns are integers below their words, so a
// stable counting sort per column gives a permutation of row numbers, and
// everything above holds for the permuted rows too.
//
// # Adding a set
//
// Write a function from Spec to its columns beside h2o and sensor and add it
// to Sets.
package dataset
