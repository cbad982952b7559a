package groupby

// OverflowError: an aggregate of one group does not fit its output type.
type OverflowError struct {
	Function string // "sum"
	Column   string // output column's name
	Group    string // "host=a, minute=2024-01-01T00:00:00Z", or "" for the only row
	Type     string // the type it does not fit
}

func (e *OverflowError) Error() string { panic("contract") }

// ValueError: an input value cannot be converted to the reconciled type.
// Row counts from 0 within the batch given to Update; the caller adds input,
// stream and batch.
type ValueError struct {
	Column string
	Row    int64
	Value  string
	Type   string
}

func (e *ValueError) Error() string { panic("contract") }
