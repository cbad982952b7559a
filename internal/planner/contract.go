package planner

import (
	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/groupby"
	"arrowagg/internal/warning"
)

// Flags is the query as the command line has it, one string per flag value.
type Flags struct {
	GroupBy     []string // -g; nil: not given
	NoKeys      bool     // --no-keys
	Aggregates  []string // -a
	Exclude     []string // -x
	UnionByName bool     // --union-by-name
	IntSum      string   // --int-sum: "int64" or "decimal"
}

// Query is the parsed query: names, not yet columns. Parse and String round-trip.
type Query struct{}

func Parse(f Flags) (*Query, error) { panic("contract") }

// Source is one stream's schema with the name that errors call it by
// ("w1.arrows", "standard input", "w1.arrows: stream 2").
type Source struct {
	Name   string
	Schema *arrow.Schema
}

// Bind settles the query for the sources, first listed first. All bad columns
// and conflicts come back in one error (errors.Join of *UsageError, exit 2,
// and *ConflictError, exit 1).
func (q *Query) Bind(sources []Source) (*Plan, []warning.Warning, error) { panic("contract") }

// Plan is a query bound to schemas.
type Plan struct{}

// Spec is what the engine runs.
func (p *Plan) Spec() groupby.Spec { panic("contract") }

// Columns returns, for every column of the spec, its index in that schema, -1
// where the schema lacks it.
func (p *Plan) Columns(schema *arrow.Schema) []int { panic("contract") }

// Extend binds one more source, found only while reading. The plan comes back
// itself where the source changes nothing that the engine sees, or a new plan
// where an aggregated column widens.
func (p *Plan) Extend(s Source) (*Plan, error) { panic("contract") }

// Explain returns the plan as a result: one row per column.
func (p *Plan) Explain() arrow.RecordBatch { panic("contract") }

// SQL returns the query as one SELECT.
func (p *Plan) SQL() (string, error) { panic("contract") }

// UsageError: the command line is wrong, by itself or for the schema.
type UsageError struct {
	Text string // lower case, one line
	Hint string // without "hint:", may be empty
}

func (e *UsageError) Error() string { return e.Text }

// ConflictError: inputs whose schemas do not go together.
type ConflictError struct {
	Text string
	Hint string
}

func (e *ConflictError) Error() string { return e.Text }
