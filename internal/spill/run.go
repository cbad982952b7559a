package spill

import (
	"bytes"
	"context"
	"fmt"
	"sort"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/groupby"
)

// run is groups with exact states, sorted by key, in a file. One key may have
// several rows, one after the other.
type run struct {
	*file
	marks []mark
	first []int // by batch, the mark of its first row
	level int   // merges that led to it
}

// mark is a place in a run that it can be cut at.
type mark struct {
	// key, as groupby.KeyOrder writes it, is not greater than those of the rows
	// from here on, and greater than those of the rows before.
	key []byte
	// within is how long the key of the group is in key, where the row here is of
	// the group of the row before; -1 elsewhere.
	within int
	rows   int64 // to the next mark
}

// marksPerBatch is how finely runs can be cut. Runs of like groups have batches
// that begin at about the same keys, one batch of every run between two of them.
const marksPerBatch = 8

// start is the key that batch i begins at.
func (r *run) start(i int) []byte { return r.marks[r.first[i]].key }

// writeRun writes sorted batches of states. total is how many rows they have
// together, 0 if nobody knows: then the space for them is not asked for.
func (s *Store) writeRun(ctx context.Context, spec groupby.Spec, schema *arrow.Schema, total int64, from Batches) (*run, error) {
	w, err := s.create(schema)
	if err != nil {
		return nil, err
	}
	r, marker := &run{}, marker{order: groupby.NewKeyOrder(spec)}
	err = each(ctx, from, func(batch arrow.RecordBatch) error {
		r.first = append(r.first, len(r.marks))
		if r.marks, err = marker.mark(r.marks, batch); err != nil {
			return err
		}
		if err := w.write(batch); err != nil || len(r.first) > 1 {
			return err
		}
		return w.room(total)
	})
	if err != nil {
		w.abandon()
		return nil, err
	}
	if r.file, err = w.finish(); err != nil {
		return nil, err
	}
	return r, nil
}

// marker makes the marks of a run's batches, one after the other.
type marker struct {
	order   *groupby.KeyOrder
	last    []byte // of the last row
	lastKey int
}

// mark appends the marks of a batch.
func (m *marker) mark(marks []mark, batch arrow.RecordBatch) ([]mark, error) {
	if err := m.order.Bind(batch); err != nil {
		return nil, err
	}
	n := int(batch.NumRows())
	step := (n + marksPerBatch - 1) / marksPerBatch
	for row := 0; row < n; row += step {
		if row > 0 {
			m.last, m.lastKey = m.order.Append(m.last[:0], row-1)
		}
		first, key := m.order.Append(nil, row)
		next := mark{key: first[:key], within: -1, rows: int64(min(step, n-row))}
		if len(marks) > 0 {
			next.key = bytes.Clone(separator(m.last, first))
			if bytes.Equal(first[:key], m.last[:m.lastKey]) {
				next.within = key
			}
		}
		marks = append(marks, next)
	}
	m.last, m.lastKey = m.order.Append(m.last[:0], n-1)
	return marks, nil
}

// separator is the shortest beginning of first that is greater than last.
func separator(last, first []byte) []byte {
	n := 0
	for n < len(first) && n < len(last) && first[n] == last[n] {
		n++
	}
	return first[:min(n+1, len(first))]
}

// room asks, when a first batch is written, for the space of as many rows.
func (w *writer) room(rows int64) error {
	written, err := w.flush()
	if err != nil || rows == 0 {
		return err
	}
	need := int64(float64(written) * float64(rows-w.rows) / float64(max(w.rows, 1)))
	if free, ok := w.store.dir.Free(); ok && free < need {
		return w.store.dir.Full(free, need)
	}
	return nil
}

// keyRange is keys from one on and before another; nil: no bound.
type keyRange struct{ from, to []byte }

// overlap returns the batches, from lo to before hi, that may have rows in the
// range.
func (r *run) overlap(k keyRange) (lo, hi int) {
	n := len(r.first)
	if k.from != nil {
		lo = sort.Search(n-1, func(i int) bool { return bytes.Compare(r.start(i+1), k.from) >= 0 })
	}
	hi = n
	if k.to != nil {
		hi = sort.Search(n, func(i int) bool { return bytes.Compare(r.start(i), k.to) >= 0 })
	}
	return lo, hi
}

// rowsIn reads batch i and cuts it to the range; nil if nothing is in it. The
// caller releases it.
func (r *run) rowsIn(k keyRange, i int, order *groupby.KeyOrder) (arrow.RecordBatch, error) {
	batch, err := r.batch(i)
	if err != nil {
		return nil, fmt.Errorf("reading what was spilled: %w", err)
	}
	n := int(batch.NumRows())
	lo, hi := 0, n
	cutsFront := k.from != nil && bytes.Compare(r.start(i), k.from) < 0
	cutsBack := k.to != nil && (i+1 == len(r.first) || bytes.Compare(r.start(i+1), k.to) >= 0)
	if cutsFront || cutsBack {
		if err := order.Bind(batch); err != nil {
			batch.Release()
			return nil, err
		}
		var key []byte
		first := func(bound []byte) int {
			return sort.Search(n, func(row int) bool {
				key, _ = order.Append(key[:0], row)
				return bytes.Compare(key, bound) >= 0
			})
		}
		if cutsFront {
			lo = first(k.from)
		}
		if cutsBack {
			hi = first(k.to)
		}
	}
	if lo == 0 && hi == n {
		return batch, nil
	}
	defer batch.Release()
	if lo >= hi {
		return nil, nil
	}
	return batch.NewSlice(int64(lo), int64(hi)), nil
}
