package arrange

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// Room bounds what sorting may hold in memory. The zero Room does not.
type Room struct {
	Rows int // that are sorted at a time
	// Keep puts sorted batches aside until the source it returns is closed.
	// Holding those batches costs nothing.
	Keep func(ctx context.Context, schema *arrow.Schema, from Source) (Source, error)
}

// outside is rows that were too many to be sorted at once: sorted stretches of
// them, put aside one after the other. Of equal rows those of the earlier
// stretch come first.
type outside struct {
	room    Room
	kept    []Source
	runs    []*sortedRun // a heap, the run with the next row in front
	merging order
	left    int64 // rows still to be given out
}

// sortedRun is a stretch that is being merged.
type sortedRun struct {
	from   Source
	number int
	at     ref // of its next row
	end    ref // behind the last row of the batch held
}

// keep sorts what s has collected, puts it aside and lets it go.
func (o *outside) keep(ctx context.Context, s *sorter) error {
	s.sort()
	schema := s.schema
	kept, err := o.room.Keep(ctx, schema, sorted{s})
	if err != nil {
		return err
	}
	s.release()
	s.rows, s.missing, s.full = s.rows[:0], s.missing[:0], false
	o.kept = append(o.kept, kept)
	return nil
}

// merge begins to give out the rows of all stretches in order.
func (o *outside) merge(ctx context.Context, s *sorter) error {
	o.merging = order{gatherer: gatherer{schema: s.schema}, keys: s.keys, comparisons: s.comparisons}
	o.left = s.limit
	for number, from := range o.kept {
		r := &sortedRun{from: from, number: number}
		more, err := o.fill(ctx, r)
		if err != nil {
			return err
		}
		if more {
			o.runs = append(o.runs, r)
		}
	}
	for i := len(o.runs)/2 - 1; i >= 0; i-- {
		o.sink(i)
	}
	return nil
}

// fill takes the next batch of a run; there may be none.
func (o *outside) fill(ctx context.Context, r *sortedRun) (more bool, err error) {
	batch, err := r.from.Next(ctx)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	n := int(batch.NumRows())
	number := o.merging.hold(batch)
	r.at, r.end = newRef(number, 0), newRef(number, n)
	return n > 0, nil
}

// first tells whether the next row of a comes before that of b.
func (o *outside) first(a, b *sortedRun) bool {
	if o.merging.before(a.at, b.at) {
		return true
	}
	return a.number < b.number && !o.merging.before(b.at, a.at)
}

// sink moves the run at i down to its place in the heap.
func (o *outside) sink(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(o.runs); child++ {
			if o.first(o.runs[child], o.runs[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		o.runs[i], o.runs[least] = o.runs[least], o.runs[i]
		i = least
	}
}

func (o *outside) Next(ctx context.Context) (arrow.RecordBatch, error) {
	g := &o.merging.gatherer
	for len(g.refs) < cutRows && len(o.runs) > 0 && o.left != 0 {
		r := o.runs[0]
		g.refs = append(g.refs, r.at)
		o.left-- // below zero there is no limit
		if r.at++; r.at == r.end {
			more, err := o.fill(ctx, r)
			if err != nil {
				return nil, err
			}
			if !more {
				last := len(o.runs) - 1
				o.runs[0], o.runs = o.runs[last], o.runs[:last]
			}
		}
		o.sink(0)
	}
	batch, err := g.take()
	o.forget()
	return batch, err
}

// forget lets go of the batches that no row is needed of any more.
func (o *outside) forget() {
	g := &o.merging.gatherer
	needed := make(map[int]bool, len(o.runs))
	for _, r := range o.runs {
		needed[r.at.batch()] = true
	}
	for _, r := range g.refs {
		needed[r.batch()] = true
	}
	for i, b := range g.batches {
		if b != nil && !needed[i] {
			b.Release()
			g.batches[i], g.columns[i] = nil, nil
		}
	}
}

func (o *outside) Close() error {
	o.merging.release()
	var errs []error
	for _, k := range o.kept {
		errs = append(errs, k.Close())
	}
	o.kept, o.runs = nil, nil
	return errors.Join(errs...)
}
