package main

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"arrowagg/internal/arrange"
	"arrowagg/internal/groupby"
	"arrowagg/internal/spill"
)

// room is what memory the engines of a run have, and where their groups go when
// it is used up.
type room struct {
	store *spill.Store
	aside *spill.Aggregation
	// Bytes that the engines may hold, and that each is told to make do with.
	hold, memory int64
	numbers      uint32 // tests only: groupby.Options.Numbers

	held atomic.Pointer[[]*groupby.Engine] // the engines, for over

	gate    sync.Mutex // of what follows; held while groups are put aside
	workers []*worker
	failed  error // nothing can be put aside any more
}

func newRoom(store *spill.Store, s spilling) room {
	return room{store: store, aside: spill.New(store, s.Options), hold: s.hold, memory: s.Budget, numbers: s.Numbers}
}

// result is finished groups, in memory or on disk.
type result interface {
	arrange.Result
	Groups() int64
	Size() int64 // bytes of memory
}

// over tells whether the engines hold more than they may, or more than they can
// number. Every worker asks after every frame, so nothing is written here that
// others read.
func (e *engines) over() bool {
	var size int64
	for _, engine := range *e.held.Load() {
		if engine.Crowded() {
			return true
		}
		size += engine.Size()
	}
	return size > e.hold
}

// makeRoom is called by a worker between two frames. If the engines hold too
// much, all workers wait here until what they have is on disk.
func (e *engines) makeRoom(ctx context.Context) error {
	if !e.over() {
		return nil
	}
	e.gate.Lock()
	defer e.gate.Unlock()
	if e.failed == nil && e.over() { // nobody was faster
		for _, w := range e.workers {
			w.busy.Lock()
			defer w.busy.Unlock()
		}
		e.failed = e.putAside(ctx)
	}
	return e.failed
}

// putAside puts all groups aside and begins fresh engines. No worker is in a
// frame.
func (e *engines) putAside(ctx context.Context) error {
	for _, w := range e.workers {
		if err := w.leave(); err != nil {
			return err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for number, engine := range e.all {
		if err := e.aside.Put(ctx, number, engine); err != nil {
			return err
		}
		var err error
		if e.all[number], err = e.newEngine(e.specs[number]); err != nil {
			return err
		}
	}
	e.publish()
	return nil
}

// publish lets over see the engines as they are now.
func (e *engines) publish() {
	all := slices.Clone(e.all)
	e.held.Store(&all)
}

// gather is finish where groups were put aside: the rest follows them, and what
// is merged is kept on disk too, since all of it has to be known to be right
// before any of it is shown. The batches are cut as those of any result.
func (e *engines) gather(ctx context.Context) (result, error) {
	if err := e.putAside(ctx); err != nil {
		return nil, err
	}
	e.close()
	merged, err := e.aside.Merge(ctx)
	if err != nil {
		return nil, err
	}
	defer merged.Close()
	return e.store.Keep(ctx, merged.Schema(), arrange.Recut(merged))
}

// newEngine makes an engine.
func (e *engines) newEngine(spec groupby.Spec) (*groupby.Engine, error) {
	return groupby.New(spec, groupby.Options{Threads: e.threads, Memory: e.memory, Numbers: e.numbers})
}
