package groupby

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"
)

// Options tune the engine; none changes the result.
type Options struct {
	Threads int // workers that will be made, at least 1
}

// Engine holds the groups and their states.
type Engine struct{}

// New prepares an engine for the spec.
func New(spec Spec, opt Options) (*Engine, error) { panic("contract") }

// NewWorker returns a worker for one goroutine. Workers may be made and used
// concurrently.
func (e *Engine) NewWorker() *Worker { panic("contract") }

// Worker feeds batches of one goroutine into the engine.
type Worker struct{}

// Update aggregates rows of one batch: columns[i] belongs to Spec.Columns[i]
// and has rows values from its Offset on; nil is a column that this input
// lacks. selected, if not nil, lists the rows to take, ascending. The arrays
// are not kept. Rows may be any number, also 1e15, when every column is nil or
// of type null: then the cost does not depend on it.
func (w *Worker) Update(columns []arrow.ArrayData, rows int64, selected []int32) error {
	panic("contract")
}

// Close hands the worker's state to the engine; the worker is dead then.
func (w *Worker) Close() error { panic("contract") }

// Finish folds all workers' state, checks every sum and sorts the groups.
// All errors that the data can cause are found here or in Update, none later.
func (e *Engine) Finish(ctx context.Context) (*Result, error) { panic("contract") }

// Result is the sorted result.
type Result struct{}

// Groups is the number of rows that Next will give in all.
func (r *Result) Groups() int64 { panic("contract") }

// Next returns the next batch of at most 65,536 rows, io.EOF at the end (at
// once for zero rows). The caller releases it.
func (r *Result) Next(ctx context.Context) (arrow.RecordBatch, error) { panic("contract") }

// Close frees what the result holds.
func (r *Result) Close() error { panic("contract") }
