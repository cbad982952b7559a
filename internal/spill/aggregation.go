package spill

import (
	"context"
	"errors"
	"fmt"
	"math"

	"arrowagg/internal/groupby"
)

// Options bound a run.
type Options struct {
	Threads int
	Budget  int64 // bytes that the engines may hold while groups come in

	// Tests only: rows of a batch in a run and of a range, and runs that are
	// merged at a time; what engines can number.
	BatchRows, RangeRows, FanIn int
	Numbers                     uint32
}

// Aggregation is the groups of one run that had to be put aside, as runs. It has
// a spec for each engine that there was: those that late schemas widened come
// last.
type Aggregation struct {
	store *Store
	opt   Options
	specs []groupby.Spec
	runs  [][]*run // by spec
}

// rowBytes is about what a group takes in an engine that merges, as long as
// nothing was measured.
const rowBytes = 256

const (
	manyRuns = 64      // that should be merged at a time
	mostRows = 8192    // of a batch in a run
	runBytes = 1 << 20 // and bytes of one of its columns
)

// New puts groups aside in a store.
func New(store *Store, opt Options) *Aggregation {
	if opt.BatchRows == 0 {
		opt.BatchRows = int(min(max(opt.Budget/(manyRuns*rowBytes), 256), mostRows))
	}
	if opt.FanIn == 0 {
		opt.FanIn = int(min(max(opt.Budget/int64(opt.BatchRows*rowBytes), 4), 1024))
	}
	if opt.RangeRows == 0 {
		opt.RangeRows = math.MaxInt
	}
	return &Aggregation{store: store, opt: opt}
}

// Begin says what the next engines aggregate.
func (a *Aggregation) Begin(spec groupby.Spec) {
	a.specs, a.runs = append(a.specs, spec), append(a.runs, nil)
}

// Any tells whether something was put aside.
func (a *Aggregation) Any() bool {
	for _, runs := range a.runs {
		if len(runs) > 0 {
			return true
		}
	}
	return false
}

// Put writes the groups of an engine whose workers are closed into a run, and
// closes it. number is that of its spec.
func (a *Aggregation) Put(ctx context.Context, number int, e *groupby.Engine) error {
	defer e.Close()
	if e.Empty() {
		return nil
	}
	if err := e.Export(a.opt.BatchRows, runBytes); err != nil {
		return err
	}
	result, err := e.Finish(ctx)
	if err != nil {
		return err
	}
	defer result.Close()
	r, err := a.store.writeRun(ctx, a.specs[number], result.Schema(), result.Groups(), result)
	if err != nil {
		return err
	}
	a.runs[number] = append(a.runs[number], r)
	a.store.passes.Store(max(a.store.passes.Load(), 1))
	return nil
}

// Close gives all files back.
func (a *Aggregation) Close() error {
	var errs []error
	for _, runs := range a.runs {
		for _, r := range runs {
			errs = append(errs, r.close())
		}
	}
	a.runs = nil
	return errors.Join(errs...)
}

// LimitError is that the memory limit cannot be met.
type LimitError struct{ Text string }

func (e *LimitError) Error() string { return e.Text }

// Limit says that the run lacks something, and no input is at fault.
func (e *LimitError) Limit() bool { return true }

// HintText is the way out.
func (e *LimitError) HintText() string { return "raise --memory-limit" }

func tooLarge(budget int64) error {
	return &LimitError{Text: fmt.Sprintf("the states of a few groups alone take more memory than the %d MiB there are for groups", budget>>20)}
}
