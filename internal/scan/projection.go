package scan

import "arrowagg/internal/expr"

// Projection says which rows of decoded batches are taken and which columns
// are made of theirs.
type Projection struct {
	Where *expr.Condition // nil: all rows
	// WhereInputs are the decoded columns that Where uses, in its order.
	WhereInputs []int
	Columns     []Column
}

// Column is where a column for the engine comes from: one of three.
type Column struct {
	Input    int            // a decoded column, by position, if neither of the others is set
	Computed *expr.Computed // computed of Inputs
	Inputs   []int
	Source   bool   // the input's name
	Written  string // what is computed, for errors
}

// idle tells whether the columns are the decoded ones as they are.
func (p *Projection) idle() bool {
	for i, c := range p.Columns {
		if c.Computed != nil || c.Source || c.Input != i {
			return false
		}
	}
	return p.Where == nil
}
