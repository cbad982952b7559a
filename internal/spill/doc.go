// Package spill lets a run have more groups than memory holds: it puts groups
// aside on disk and merges them in the end.
//
//	engine full ──► Put: finished as states, sorted by key ──► run ┐
//	engine full ──► Put ────────────────────────────────────► run ├─ Merge: range after range
//	the rest    ──► Put ────────────────────────────────────► run ┘      │
//	                                                                     ▼
//	 Kept, read any number of times ◄── Keep ◄── batches in key order ── engine
//
// A run is what a partial result is: every group's exact state in columns of
// plain Arrow types, sorted by key, in an Arrow file. So nothing is lost or
// rounded on the way, whatever a function keeps, and which functions can be
// spilled is one question with which can be partial.
//
// # Merging
//
// The keys are cut into ranges. The rows of all runs that lie in a range go into
// an engine that merges partial results, and its result is that range's part
// of the whole: ranges stand in order, so nothing is left to interleave. Nothing
// is held but one range's groups, whatever the number of runs, and all threads
// work on one range.
//
//	        a ─────────── f ────────── m ───────────── z
//	run 1   │batch│batch│batch│batch │ batch │ batch │
//	run 2   │ batch │ batch │batch│ batch │batch│batch │
//	run 3   │batch │ batch │ batch │batch│ batch│ batch│
//	        └── range 1 ──┘└─ range 2 ┘└── range 3 ────┘
//
// Ranges are cut at marks: of every eighth of a batch in every run, a key that
// parts it from the rows before is in memory, as bytes that compare as the keys
// do (groupby.KeyOrder). A range that takes more than the budget is given up and
// tried again as a smaller one, and what a row took in the last range says how
// many rows the next may have. A range between two marks next to each other has
// up to an eighth of a batch of every run, which bounds how many runs can be
// merged at a time; if its states are so large that it does not fit either, it is
// cut at the key of a row in its middle. If runs are more, some of them are
// merged into a larger run first, in the same way, with states as the result.
//
// What needs all values of a group (a median) has them in rows of the group, in
// order (groupby, multiset_export.go), and a group can have more of them than
// memory holds. Then the value is one more column of the key: where states are
// the result, ranges are cut within groups, too; and where values are, a range
// that is one such group is first merged into a run of its own like that, which
// is gone through, batch after batch, for what the functions want of it
// (groupby.SortedRun). So memory does not depend on how large a group is. Where a
// schema that appeared late has widened the values, those from before are first
// rewritten as the wider ones: in the same order, range after range within the
// group.
//
// What is merged last is put aside once more, by Keep: a sum that does not fit
// may be found in the last range, and nothing may be shown before.
//
// # Memory
//
// Files are mapped and read in place. An index entry has the first bytes of a
// key for up to a thousand rows. The budget is for engines while they take
// rows in; what finishing them takes on top is for who sets the budget to know.
//
// Runs are not compressed: with LZ4, 1e7 rows of 7.2 million groups under 256 MiB
// took 9.9 s instead of 5.9 (medians of 3 by turns), where files lie in the
// system's cache.
//
// Nor is a run written while the next engine takes rows in: 1e7 rows in as many
// groups under 256 MiB took 16.3 s instead of 13.4 and 15.1 s of processor time instead of
// 13.7 (medians of 5 by turns, on a disk and on 2 cores that had other work), since
// finishing and merging have all cores busy as it is and share their caches then,
// and the process's own memory came to 324 MB, past the bound.
//
// # Concurrency and errors
//
// A Store may be asked for its figures by anybody; an Aggregation, Merged and
// Kept belong to one goroutine. Errors of the temporary directory are
// tempfile's; a LimitError says that memory does not do.
package spill
