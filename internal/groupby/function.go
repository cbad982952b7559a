package groupby

import "github.com/apache/arrow-go/v18/arrow"

// Function is one row of the function table: an aggregate that -a can name.
// Help, shell completion, validation and the test matrix iterate the table.
type Function struct {
	Name string
	Help string // one line, without the name
	// Arguments is the number of columns the function takes; count takes zero
	// (count(*)) or one.
	MinArguments, MaxArguments int
	// Parameter is the name of the literal number that follows the columns in a
	// call, as p in quantile(x, p); "": there is none.
	Parameter string
	// With is the function for a parameter as it is written; nil without one.
	With func(parameter string) (*Function, error)
	// Merge is what arrowagg.merge says on the function's output column: how
	// the next level merges it ("sum", "min", "max", or "none" where a merge
	// of the finished values would be wrong).
	Merge string
	// Ordered: the result depends on the order of the rows, so that partial
	// results merge only where they know their rows' places among all.
	Ordered bool
	// Bind settles the function for arguments of these types (as reconciled
	// over all inputs) and returns the type of its output, or an error that
	// says which types it takes.
	Bind func(arguments []arrow.DataType, opt BindOptions) (arrow.DataType, error)
	// SQL renders a call for DuckDB and DataFusion over the quoted argument
	// expressions, casts written out so that types and overflow are ours.
	SQL func(arguments []string, types []arrow.DataType, output arrow.DataType) string
	// SQLNote says which of the two cannot run that, or not so, and why; "" if
	// both can.
	SQLNote string

	// neverNull: a group without a value has a result all the same.
	neverNull bool
	// accumulate makes the accumulator for argument columns and output type.
	accumulate func(arguments []Column, out arrow.DataType) (accumulator, error)
}

// BindOptions are the flags that a function's output type depends on.
type BindOptions struct {
	DecimalIntSums bool // --int-sum decimal
}

// Lookup finds a function by its name.
func Lookup(name string) (*Function, bool) {
	for i := range Functions {
		if Functions[i].Name == name {
			return &Functions[i], true
		}
	}
	return nil, false
}
