package planner

// UsageError says that the command line is wrong, by itself or for the schemas
// of the inputs: exit 2.
type UsageError struct {
	Text string // lower case, one line
	Hint string // the way out, without "hint:"; may be empty
}

func (e *UsageError) Error() string { return e.Text }

// HintText is the line that says the way out.
func (e *UsageError) HintText() string { return e.Hint }

// ConflictError says that the inputs' schemas do not go together: exit 1.
type ConflictError struct {
	Text string // names the inputs, the column and its types
	Hint string
}

func (e *ConflictError) Error() string { return e.Text }

// HintText is the line that says the way out.
func (e *ConflictError) HintText() string { return e.Hint }
