package groupby

import (
	"context"
	"errors"
)

// Close hands the worker's state to the engine; the worker is dead then.
func (w *Worker) Close() error {
	if w.engine == nil {
		return errors.New("worker closed twice")
	}
	w.handOver()
	w.engine = nil
	return nil
}

// handOver gives groups and rows to the engine.
func (w *Worker) handOver() {
	list := w.left()
	w.accountAs(segmentsSize(list), w.numbered())
	w.engine.mu.Lock()
	defer w.engine.mu.Unlock()
	w.engine.segments = append(w.engine.segments, list...)
}

// left is what the worker has, as segments.
func (w *Worker) left() []segment {
	if a := w.appending; a != nil {
		a.cut(w.states)
		return a.done
	}
	ids, keys := w.grouper.export(w.states)
	s := segment{layout: w.grouper.layout, keys: keys, ids: ids, states: w.states, rows: w.rows}
	for i := range w.multisets {
		s.multisets = append(s.multisets, w.multisets[i].stores)
	}
	return append([]segment{s}, w.compacted...)
}

// Finish folds all workers' state, checks every sum and sorts the groups.
// All errors that the data can cause are found here or in Update, none later.
func (e *Engine) Finish(ctx context.Context) (*Result, error) {
	p, err := newPartition(ctx, e)
	if err != nil {
		return nil, err
	}
	for _, s := range e.segments {
		if s.rows != nil {
			s.rows.release()
		}
	}
	folders := make([]*folder, e.threads)
	blocks := make([]*block, p.buckets)
	bad := make([]*OverflowError, p.buckets)
	each(ctx, e.threads, p.buckets, func(t, b int) {
		if folders[t] == nil {
			folders[t] = newFolder(p)
		}
		blocks[b], bad[b] = folders[t].fold(b)
	})
	p.release()
	for _, f := range folders {
		if f != nil {
			f.release()
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, err := range bad {
		if err != nil {
			return nil, err
		}
	}
	return newResult(e, p, blocks), nil
}
