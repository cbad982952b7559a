package groupby

import "fmt"

// OverflowError: an aggregate of one group does not fit its output type. Of
// several such groups the first in key order is named, and of its aggregates
// the first written, so that the report does not depend on threads.
type OverflowError struct {
	Function string // "sum"
	Column   string // output column's name
	Group    string // "host=a, minute=2024-01-01T00:00:00Z", or "" for the only row
	Type     string // the type it does not fit
}

func (e *OverflowError) Error() string {
	text := fmt.Sprintf("%s for column %q does not fit %s", e.Function, e.Column, e.Type)
	if e.Group != "" {
		text += " in group " + e.Group
	}
	return text
}

// ValueError: an input value cannot be converted to the reconciled type.
// Row counts from 0 within the batch given to Update. The text leaves it out:
// the caller knows input, stream and batch, and counts rows as people do.
type ValueError struct {
	Column string
	Row    int64
	Value  string
	Type   string
}

// InRow is the row that the error is about.
func (e *ValueError) InRow() int64 { return e.Row }

func (e *ValueError) Error() string {
	return fmt.Sprintf("column %q: %s is no %s", e.Column, e.Value, e.Type)
}
