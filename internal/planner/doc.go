// Package planner turns what the user typed into what the engine runs.
//
//	flags ──Parse──► Query ──Bind(schemas)──► Plan ──► Columns(schema) for the reader
//	                 names                    columns  Projection      rows and columns for the engine
//	                                          roles    groupby.Spec    for the engine
//	                                          types    Arrangement     which groups are shown, and in which order
//	                                                   Explain         for people
//	                                                   SQL             for other engines
//
// A Query knows only names: it is the command line in the grammar of package
// syntax, with the aggregate functions looked up. A Plan knows columns: which
// is a key, which is folded by which function and why, which type each has in
// the result. Reading a batch is not needed for any of it, so everything that
// can be wrong with names and types is said before the first row is read, and
// all of it at once.
//
// # The rule
//
// Where no flag names a column, rule.go decides, by tables: the type says
// whether a column is a key, folded, or left out (typeRoles); the name's suffix
// says which function folds it (suffixFunctions); words in names that make that
// doubtful are warned of. A field's own arrowagg.merge metadata goes before
// all of them: results carry it, so that they merge again as they were made.
//
//	host utf8            type            ► key
//	bytes_sum int64      suffix _sum     ► sum
//	lat_max float64      suffix _max     ► max
//	load int64           no suffix       ► sum
//	tags list<utf8>      no rule         ► left out, with a warning
//
// # Expressions
//
// Conditions and computed keys are bound by package expr: -w and keys to the
// inputs' columns (inputScope), --having and -s to the columns of the result
// (outputScope), which go by their names and by how they were written. A
// computed key is named as its column, so that the command line that made a
// result groups it again. What expressions use is settled and reconciled as
// every other column is.
//
// # Several inputs
//
// Inputs are matched by name. A catalog holds every distinct schema once, with
// the inputs that have it, so 10,000 streams of one schema cost as much as one.
// The types of a column in all schemas are folded into a common, which keeps
// only maxima and sets: their order cannot matter, and two runs over permuted
// files settle the same types. common.resolve is the table of what goes
// together.
//
// Streams that are found only while a pipe is read come in through Extend. It
// binds everything again with the new schema in the catalog and compares: an
// aggregated column may have become wider, because its state is exact anyway;
// a key may not, because rows are grouped by it already.
//
// # Partial results
//
// A run whose query says partial has a result of states. Its schema carries the
// plan as text (plantext.go), which is bound again where partial results are
// the inputs: merging.go. Their plan is then the query, and flags may only
// repeat it, or choose and order finished groups.
//
// # Errors and ownership
//
// *UsageError is the command line's fault, *ConflictError the inputs'. Bind
// never prints; warnings are returned. Query and Plan hold no Arrow memory;
// only the batch of Explain has to be released.
//
// To give another type or suffix a meaning, add a row in rule.go. An aggregate
// function needs no change here: the planner asks the function table.
package planner
