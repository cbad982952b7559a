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
	// starts has for each batch a key, as groupby.KeyOrder writes them, that is
	// not greater than those of its rows, and greater than those of the rows
	// before it.
	starts [][]byte
	// within has for each batch whose first row is of the group of the row before
	// how long the key is in its start; -1 for the others.
	within []int
	level  int // merges that led to it
}

// writeRun writes sorted batches of states. total is how many rows they have
// together, 0 if nobody knows: then the space for them is not asked for.
func (s *Store) writeRun(ctx context.Context, spec groupby.Spec, schema *arrow.Schema, total int64, from Batches) (*run, error) {
	w, err := s.create(schema)
	if err != nil {
		return nil, err
	}
	r, order := &run{}, groupby.NewKeyOrder(spec)
	var last, first []byte
	lastKey, key := 0, 0
	err = each(ctx, from, func(batch arrow.RecordBatch) error {
		if err := order.Bind(batch); err != nil {
			return err
		}
		first, key = order.Append(first[:0], 0)
		if len(r.starts) == 0 {
			r.starts = append(r.starts, bytes.Clone(first[:key]))
		} else {
			r.starts = append(r.starts, bytes.Clone(separator(last, first)))
		}
		r.within = append(r.within, -1)
		if len(r.within) > 1 && bytes.Equal(first[:key], last[:lastKey]) {
			r.within[len(r.within)-1] = key
		}
		last, lastKey = order.Append(last[:0], int(batch.NumRows())-1)
		if err := w.write(batch); err != nil || len(r.starts) > 1 {
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
	n := len(r.starts)
	if k.from != nil {
		lo = sort.Search(n-1, func(i int) bool { return bytes.Compare(r.starts[i+1], k.from) >= 0 })
	}
	hi = n
	if k.to != nil {
		hi = sort.Search(n, func(i int) bool { return bytes.Compare(r.starts[i], k.to) >= 0 })
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
	cutsFront := k.from != nil && bytes.Compare(r.starts[i], k.from) < 0
	cutsBack := k.to != nil && (i+1 == len(r.starts) || bytes.Compare(r.starts[i+1], k.to) >= 0)
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
