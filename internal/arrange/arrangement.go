package arrange

import "arrowagg/internal/expr"

// Arrangement says which rows of a result are shown, and in which order.
type Arrangement struct {
	Having *expr.Condition // nil: all rows
	// HavingInputs are the columns that Having uses, in its order.
	HavingInputs []int
	Keys         []Key // none: the order in which the rows come
	Limit        int64 // the first so many rows; All: no limit
	Room         Room  // for sorting
}

// Copies tells whether batches are shown that are not those of the result.
func (a Arrangement) Copies() bool { return a.Having != nil || len(a.Keys) > 0 }

// All is the limit that there is none.
const All = int64(-1)

// Key is a column to sort by. Nulls are last either way.
type Key struct {
	Column     int
	Descending bool
}
