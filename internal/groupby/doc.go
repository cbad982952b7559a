// Package groupby is the engine: it groups rows by key columns, aggregates
// them, and gives the groups sorted by key.
//
//	batch ─► loaders ─► interners ─► grouper ─► accumulators      one Worker a goroutine
//	         lanes      codes        group ids  states, a record a group
//	                                   │              │
//	                          groups too many:        │ Close
//	                          rows are kept ──────────┤
//	                                                  ▼
//	         batches ◄─ Result ◄─ folders ◄─ partition          Finish
//	                              buckets    ranks, ranges of keys
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
//     never on hashes alone: interner.go. Where values come in
//     runs only the first of each is: key_runs.go. In front of its table are shorter
//     ways for values that suit them: an array for those that lie close together,
//     numbers (dense_words.go) or strings of digits (numerals.go), and the codes
//     of strings that a worker had lately, where those are few (recent.go). Of a
//     dictionary column only the entries are interned, once a dictionary:
//     dictionary_codes.go.
//   - The grouper turns the codes of a row, side by side in a packed key, into
//     a group id: grouper.go, layout.go.
//   - An accumulator is one aggregate for all groups; its states lie in the
//     group records: accumulator.go, states.go. What chooses a row by a value
//     of it (arg_min, or first, by the row's number) compares codes:
//     order_code.go.
//   - What needs all values of a group at once (count_distinct, median,
//     quantile) has no state before Finish: its values go into a multiset, rows of
//     key, value and count beside the states, which nothing else pays for:
//     holistic.go, multiset.go. Finish deals them out into the same buckets and
//     sorts them there, or finds them in order on disk: sorted_run.go.
//   - A worker with too many groups keeps its rows as they are: row_store.go;
//     but for those of groups that it has and that come often: front.go; and
//     folds what it kept when it repeats: compact.go.
//
// Finish ranks each key column's values, so that packed ranks compare as the
// rows' keys do; deals groups and rows out into buckets by ranges of the packed
// keys: partition.go; and sorts, folds and finishes every bucket by itself:
// folder.go. What rows lay in is given back as they go, first from where workers
// kept them, then from the buckets: bucket_rows.go. Groups of several workers and rows that were kept go the same way,
// so there is one way to the end, and nothing that data can cause is found
// after it. A batch of the result looks its keys up by rank, once a run of them
// in the first columns: runs.go.
//
// # Partial results
//
// Spec.Exporting makes the result the groups' states instead of their values,
// as columns of plain types, and Spec.Merging makes an engine that takes those
// up and goes on: travel.go. Both are exact, and a state has one form, so what
// is merged, in which order and by how many, does not show. What arrives was
// written by others: a state that no rows lead to is an error of its row.
// Multisets are no partial result, but Spec.Spilling has them travel to files of
// one's own, in several rows of one key.
//
// Engine.Size says what an engine holds while rows come in, and Engine.Crowded
// whether it runs out of 32-bit numbers for codes, groups and rows; Engine.Export
// makes an engine that holds too much finish as states, whatever it was begun
// for: export.go, size.go, numbers.go. KeyOrder compares their keys: key_order.go. Where most
// rows that come back are groups of their own, Options.Appends leaves finding the
// others to Finish: appending.go.
//
// # Invariants
//
// Codes, ids, buckets and the order of rows depend on the race between workers;
// nothing of the result may. All sums are exact until they are finished
// (package exact). A record of zeros is a group without rows, so that fresh
// records and merging them cost nothing. Nothing that workers share is written
// for a batch but for new key values. A steady stream of known groups allocates
// nothing.
//
// # Ownership
//
// Arrays given to Update are not kept. A Worker belongs to one goroutine;
// interners are shared by all: looking up takes no lock, adding does. Finish is
// called when all workers are closed; the Result belongs to one goroutine, and
// the memory of its batches is used again when they are released. What is large
// lies outside Go's heap (package arena), until Result.Close or Engine.Close.
//
// # To add something
//
// An aggregate is a file with its Function row and accumulator, a single or a
// paired one as it reads one column or two, and a row in Functions. If its
// state does not go on by itself when a column widens, it is an absorber too; if
// its state is a few values, it is portable (travel.go), else holistic. A key type
// needs a lane (types.go) and, if its values do not compare as ordered bits
// (ordered.go) or as bytes, an interner.
//
// # What was tried
//
// Figures are of BenchmarkEngine and its like on 2 cores (Zen 3, virtual, other
// work beside it, so that their ratios say more than they do), 1e7 rows:
//
//   - Sorting all groups by comparison and hashing all rows, however many
//     groups: 2,800 ns of processor time a row for q10 at 1e6 rows. Keeping
//     rows past 200,000 groups and dealing them out by ranges of ranked keys:
//     700. Beginning that at 25,000 groups if nearly every row is a new one:
//     400. With batches and columns in recycled memory: 320.
//   - Slots and keys of a table loaded in loops of their own instead of one
//     after the other in one loop: 46 → 28 ns a row at 100,000 strings of 12
//     bytes, 11 → 9 at 100. Bits of the hash in the slots, so that a key is
//     looked at once and not at every slot on the way; misses gathered as bits,
//     not stored a row; all hashes in a loop of their own (fewer registers);
//     small tables a quarter full: processor time of q1 −6 to −8 %, q2 0 to
//     −12 %, q3 0 to −13 %. Fetching the bytes of long values before they are
//     compared brought nothing.
//   - In front of the table of strings an array of codes that a worker had
//     lately, in one place each (8,192 of them); strings of up to 7 bytes packed,
//     looked up and compared there in one loop, as one word; codes of two columns
//     packed in one pass, as ids straight away where they are: q1 76 → 54 ms, q2
//     143 → 93, s2 312 → 259, whole processes by turns, medians of 9. With one
//     loop to pack all strings in two words and another one to look those up: q1
//     74 → 62, q2 135 → 119.
//   - An array over the range of values where integers lie close together, in
//     front of the table: q5 690 → 370 ms, q10 2.9 → 2.0 s.
//   - That array in steps of the values' common divisor, from 16 values on, and for
//     strings of one length that differ in digits only; nulls no longer taken for
//     values that were missed: interning 100,000 strings of 12 bytes 20 → 7.3 ns a
//     row, 10,000 of them 16 → 7.3, 100,000 integers 11.6 → 4.3; processor time of
//     q3 −30 %, s2 −13 %, q10 −8 %, q5 −7 %, s1 −6 %. With lengths, heads, digits and
//     codes in one loop, which runs out of registers: 20 ns a row.
//   - Strings ranked by the eight bytes after what all of them begin with, so that
//     few have to be compared in full: q3 −11 %, q10 −5 %.
//   - Thrown away: a loop of its own for words of one length in the codes that a
//     worker had lately (3.1 → 2.8 ns a row, nothing of q1 and q2).
//   - Views copied together as twelve bytes, whatever their length, instead of
//     appended one by one: q1 of a file with views 3.5 → 2.0 times one with offsets.
//   - Short strings in slots of 16 bytes by rank, one load each when they are output,
//     instead of back to back with their starts apart: processor time of q10 −8 %.
//   - Runs of one key value interned once: rows of a value that nobody had seen
//     were searched for one by one, and again under the lock, so that sorted input
//     was slower than random: q3 sorted by its key 1.45 → 0.96 of random in processor
//     time, s2 in the order of time 1.17 → 1.00.
//   - Dropping nulls from a chunk once, for values and ids together, instead of
//     loops with bitmaps in every accumulator: a nullable column costs 6 ns a
//     row more, and each aggregate has one loop.
//   - Minima as maxima of complemented ordered bits: 2.7 ns a row for floats and
//     integers alike, flags included, and records need no initial value.
//   - Flags (some row, a value of this aggregate) in a byte a group apart from
//     the records instead of in their first word: records of 32 bytes instead of
//     40, half of which lay across two cache lines. Processor time of q5 1,030 →
//     710 ms, q3 1,930 → 1,580, s2 685 → 590.
//   - A pass over the chunk that does nothing but load a word of every record,
//     before the aggregates' own, where records are more than the second-level
//     cache holds: q3 1,490 → 1,210 ms, q5 660 → 480, s2 625 → 555.
//   - Records of 5 to 7 words lengthened to a line, and of longer ones every
//     line fetched: sums of three columns, mean, minimum and maximum at 100,000
//     groups 1,280 → 670 ms, with two aggregates more 1,690 → 1,150. Longer records
//     are no better rounded up, nor are those of 3 words.
//   - Flags and single keys' ids are only loaded where nothing changes: in the
//     figures of q1 above. Four flags at a time: q1 −9 %, q2 −3 %. Words of strings
//     read without looking twice whether they are there: q1 −6 %, q2 −3 %.
//   - Thrown away with these: chunks of 128 to 512 rows, for records to stay in
//     the first-level cache (q3 10 to 30 % slower); the array over ranges in
//     huge pages (no faster, 6 MB more); morsels of 8,192 or 16,384 rows, for
//     decoded columns to stay in the second-level cache (nothing); pread instead
//     of a mapping, and populating it ahead (no faster than its faults); a
//     committed profile for the compiler (−3 to +5 %).
//   - Huge pages for records and tables: a random read in 4 MB 7.6 → 3.9 ns in
//     isolation, 10 % of q3; nothing on the others.
//   - Where leading key columns have runs in a batch, what a run takes made once
//     and copied, offsets of 32 bits made where their 64-bit ends lie, and rows
//     dealt out 256 at a time, so that their lines in the buckets are still in
//     the first-level cache for the next column: processor time of 1e7 rows
//     written as a stream, medians of 9 by turns, at 7e6 groups −2, −4 and −5 %,
//     at 1e7 −7, −12 and −8 %, together −6 and −10 %.
//   - Loading the lines that rows are dealt out to before storing there: at 7e6
//     groups −2 %, at 1e7 −6 % of processor time, medians of the ratios of 11
//     pairs under load. 512 rows at a time are no better than 256.
//   - Buckets in extents of memory that is taken and given back as rows come and
//     go, instead of one array that is counted out before: own memory at 7e6
//     groups 845 → 505 MB, at 1e7 456 → 318, in the same time (where pages that are
//     new to the system are dear, 0.94 to 1.00 of it).
//   - A bucket's rows sorted as words of key and row number instead of as pairs of
//     16 bytes, insertion on the way back from the bins instead of bin by bin: 27 →
//     14 ns a row. With ids given without a branch, at 7e6 groups −8 %, at 1e7 −7 %
//     of processor time, medians of the ratios of 11 pairs under load.
//   - On this way besides: codes of two columns ranked in one pass, no look at every
//     group for nulls where there are none, minima of 64 bits turned back in a loop
//     of their own, whether rows repeat seen in a loop over plain words: at 7e6
//     groups −5 %, at 1e7 −10 %, medians of the ratios of 9 pairs under load.
//   - Thrown away: a switch to kept rows when states pass 12 MB (wide specs are
//     better off with long records than with long rows); judging by new groups
//     a row with a single key column (its codes are counted over all workers,
//     and one that lags behind misjudged 100,000 groups); copying the packed
//     keys of every block while ranking them (in place now).
//   - Multisets' rows sorted in place instead of by an index beside them, and
//     gone through instead of copied out: a median of 1e7 doubles without keys
//     takes 143 MiB at a limit of 128 MiB, where it took 546.
//   - Tables that were outgrown given back before ranking and the last after it,
//     room for as many groups as the huge pages of the records have, tables of no
//     key more than fills theirs, lists of groups of the size they get: q3's own
//     memory 48 → 30 MiB, q5's 42 → 29, in no more time. More frequent collections
//     (GOGC 25) brought 3 MiB before that, and were left out.
//
// Not done: a key column of millions of distinct values is interned like any
// other, where values that travel in the rows would be several times faster.
package groupby
