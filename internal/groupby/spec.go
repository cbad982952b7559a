package groupby

import "github.com/apache/arrow-go/v18/arrow"

// Spec is the bound query, as the engine needs it: columns by position, types
// settled, nothing left to look up.
type Spec struct {
	// Columns are the input columns in use, in the order in which
	// Worker.Update is given them.
	Columns []Column
	// Keys, in sort order.
	Keys []Key
	// Aggregates, in the order written.
	Aggregates []Aggregate
	// Output is the result's schema (every field nullable, metadata set by the
	// planner) and Order says where each of its fields comes from.
	Output *arrow.Schema
	Order  []Ref
	// Merges says that batches bring partial results (see Spec.Merging): the
	// columns given to Update are those that Spec.Exporting puts out. Columns
	// begins with the keys, in their order.
	Merges bool
	// Partial says that the result is partial (see Spec.Exporting): a Ref to an
	// aggregate is then one to a state column, counted over all aggregates.
	Partial bool

	states []arrow.DataType // of a partial result: its state columns' types
}

// Column is one input column as reconciled over all inputs.
//
// A batch may bring it in any type that reconciliation admits: a narrower
// integer, another unit or time zone, a dictionary or run-end encoding of it,
// a string view, type null, or not at all (a nil ArrayData, all null). As a
// key, and for min and max, values are converted to Type, and one that does
// not fit is an error. A sum adds every value exactly whatever type it comes
// in (an int64 among floats, a uint64 among int64s) and only its result has
// to fit.
type Column struct {
	Name string // for errors
	Type arrow.DataType
}

// Key is a group key: an index into Spec.Columns and its type in the output
// (strings are utf8, dictionaries their value type).
type Key struct {
	Column int
	Type   arrow.DataType
}

// Aggregate is a function over columns.
type Aggregate struct {
	Function  *Function
	Arguments []int // indices into Spec.Columns; none for count(*)
	Name      string
	Type      arrow.DataType // of the output, as Function.Bind gave it
}

// Ref names the source of an output field: key Index or aggregate Index.
type Ref struct {
	Aggregate bool
	Index     int
}
