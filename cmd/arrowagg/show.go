package main

import (
	"context"
	"errors"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrange"
	"arrowagg/internal/planner"
)

// arrange arranges the result as the plan says, within the memory that there
// is. A large result that has to be held as a whole, to be sorted or because
// the format wants all of it, is put on disk first: what is held of it then is
// mapped. The source closes the result.
func (r *runner) arrange(ctx context.Context, plan *planner.Plan, res result) (arrange.Source, error) {
	a := plan.Arrangement()
	limits := r.spilling()
	holds := len(a.Keys) > 0 || r.meaning.format.Holds
	if holds && res.Size() > limits.Budget/2 {
		kept, err := r.keep(ctx, plan.Spec().Output, res)
		if err = errors.Join(err, res.Close()); err != nil {
			return nil, err
		}
		res = kept
	}
	a.Room = arrange.Room{Rows: limits.rows, Keep: func(
		ctx context.Context, schema *arrow.Schema, from arrange.Source,
	) (arrange.Source, error) {
		return r.keep(ctx, schema, from)
	}}
	source, err := a.Open(ctx, res)
	if err != nil {
		return nil, errors.Join(err, res.Close())
	}
	shown := &arranged{source, res}
	onDisk := r.store.Figures().Files > 0
	if !r.meaning.format.Holds || !onDisk || !a.Copies() {
		return shown, nil
	}
	kept, err := r.keep(ctx, plan.Spec().Output, shown)
	return kept, errors.Join(err, shown.Close())
}

// keep puts batches on disk.
func (r *runner) keep(ctx context.Context, schema *arrow.Schema, from arrange.Source) (result, error) {
	kept, err := r.store.Keep(ctx, schema, from)
	if err != nil {
		return nil, err
	}
	return kept, nil
}

// arranged is what is shown of a result, and the result.
type arranged struct {
	arrange.Source
	from result
}

func (s *arranged) Close() error { return errors.Join(s.Source.Close(), s.from.Close()) }
