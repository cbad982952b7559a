package spill

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
	"golang.org/x/sync/errgroup"

	"arrowagg/internal/groupby"
)

// fold brings the rows of runs that lie in a range of keys back into an engine
// that merges: one for each spec, the last absorbing the others.
type fold struct {
	a       *Aggregation
	specs   []groupby.Spec
	engines []*groupby.Engine // by spec; nil: nothing to merge there
	limit   int64             // bytes
	size    atomic.Int64      // the greatest size seen
	pieces  []piece
}

// piece is a batch of a run.
type piece struct {
	spec  int
	run   *run
	batch int
}

// errTooLarge: the range has more groups than the limit allows.
var errTooLarge = errors.New("the groups of the range do not fit")

// foldRange returns the finished groups of a range of keys, and what the
// engines held when they were in.
func (a *Aggregation) foldRange(
	ctx context.Context, specs []groupby.Spec, runs [][]*run, k keyRange, limit int64, distinct bool,
) (*groupby.Result, int64, error) {
	f := &fold{a: a, specs: specs, limit: limit, engines: make([]*groupby.Engine, len(specs))}
	for s, list := range runs {
		for _, r := range list {
			lo, hi := r.overlap(k)
			for i := lo; i < hi; i++ {
				f.pieces = append(f.pieces, piece{s, r, i})
			}
		}
		if len(list) == 0 && s < len(specs)-1 {
			continue
		}
		e, err := groupby.New(specs[s], groupby.Options{
			Threads: a.opt.Threads, Memory: a.opt.Budget, Appends: distinct, Numbers: a.opt.Numbers,
		})
		if err != nil {
			return nil, 0, err
		}
		f.engines[s] = e
	}
	result, err := f.run(ctx, k)
	if err != nil {
		for _, e := range f.engines {
			if e != nil {
				e.Close()
			}
		}
	}
	for _, list := range runs {
		for _, r := range list {
			r.temp.Forget()
		}
	}
	return result, f.size.Load(), err
}

func (f *fold) run(ctx context.Context, k keyRange) (*groupby.Result, error) {
	var next atomic.Int64
	g, gctx := errgroup.WithContext(ctx)
	for range min(f.a.opt.Threads, max(1, len(f.pieces))) {
		g.Go(func() error { return f.feed(gctx, k, &next) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	last := f.engines[len(f.engines)-1]
	for s, old := range f.engines[:len(f.engines)-1] {
		if old == nil {
			continue
		}
		if !last.HasRoomFor(old) {
			return nil, errTooLarge
		}
		f.engines[s] = nil
		if err := last.Absorb(old); err != nil {
			return nil, err
		}
	}
	return last.Finish(ctx)
}

// feed takes pieces until there are no more.
func (f *fold) feed(ctx context.Context, k keyRange, next *atomic.Int64) (err error) {
	workers := make([]*groupby.Worker, len(f.engines))
	orders := make([]*groupby.KeyOrder, len(f.engines))
	defer func() {
		for _, w := range workers {
			if w != nil {
				err = errors.Join(err, w.Close())
			}
		}
	}()
	var columns []arrow.ArrayData
	for {
		i := int(next.Add(1)) - 1
		if i >= len(f.pieces) {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		p := f.pieces[i]
		if workers[p.spec] == nil {
			workers[p.spec] = f.engines[p.spec].NewWorker()
			orders[p.spec] = groupby.NewKeyOrder(f.specs[p.spec])
		}
		batch, err := p.run.rowsIn(k, p.batch, orders[p.spec])
		if err != nil {
			return err
		}
		if batch == nil {
			continue
		}
		columns = columns[:0]
		for _, c := range batch.Columns() {
			columns = append(columns, c.Data())
		}
		err = workers[p.spec].Update(columns, batch.NumRows(), nil)
		batch.Release()
		var full *groupby.FullError
		if errors.As(err, &full) || err == nil && f.over() {
			return errTooLarge
		}
		if err != nil {
			return err
		}
	}
}

// over notes what the engines hold, and tells whether it is too much.
func (f *fold) over() bool {
	var size int64
	crowded := false
	for _, e := range f.engines {
		if e != nil {
			size += e.Size()
			crowded = crowded || e.Crowded()
		}
	}
	for {
		old := f.size.Load()
		if size <= old || f.size.CompareAndSwap(old, size) {
			return crowded || size > f.limit
		}
	}
}
