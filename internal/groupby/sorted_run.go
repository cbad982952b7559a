package groupby

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/apache/arrow-go/v18/arrow"
)

// SortedRun is groups that were spilled, in batches that are read again whenever
// they are needed: their rows in key order (KeyOrder), each different value of a
// group once. So the values of a group can be gone through without being held,
// and there may be more of them than memory has room for.
type SortedRun struct {
	open    func(i int) (arrow.RecordBatch, error) // the batches; they are released
	batches int
	order   *KeyOrder
	counts  []*loader // by multiset
	groups  [][]extent
	next    []int // by multiset, the next group
	err     error
}

// extent is where the values of a group in one multiset are: rows from one of a
// batch to before one of the same or a later batch.
type extent struct {
	set                    int
	batch, row, end, endAt int
}

// NewSortedRun finds the groups in batches of states of the spec.
func NewSortedRun(spec Spec, batches int, open func(i int) (arrow.RecordBatch, error)) (*SortedRun, error) {
	r := &SortedRun{open: open, batches: batches, order: NewKeyOrder(spec)}
	for range r.order.sets {
		r.counts = append(r.counts, mustLoad("count", arrow.PrimitiveTypes.Int64))
	}
	r.next = make([]int, len(r.counts))
	var last, current []byte
	lastKey := -1
	for i := range batches {
		batch, err := open(i)
		if err != nil {
			return nil, err
		}
		n := int(batch.NumRows())
		if err := r.order.Bind(batch); err != nil {
			batch.Release()
			return nil, err
		}
		for row := 0; row < n; {
			var set int
			current, set = r.order.appendGroup(current[:0], row)
			if lastKey < 0 || !bytes.Equal(current, last) {
				key := len(current) - 2
				if lastKey != key || !bytes.Equal(current[:key], last[:key]) {
					r.groups = append(r.groups, nil)
				}
				g := &r.groups[len(r.groups)-1]
				*g = append(*g, extent{set: set, batch: i, row: row})
				last, lastKey = append(last[:0], current...), key
			}
			end := r.end(row, n, current)
			g := r.groups[len(r.groups)-1]
			g[len(g)-1].end, g[len(g)-1].endAt = i, end
			row = end
		}
		batch.Release()
	}
	return r, nil
}

// end is the first row of the bound batch behind one whose rows have another key
// or multiset than current.
func (r *SortedRun) end(row, n int, current []byte) int {
	var other []byte
	greater := func(row int) bool {
		other, _ = r.order.appendGroup(other[:0], row)
		return bytes.Compare(other, current) > 0
	}
	if !greater(n - 1) {
		return n
	}
	step := 1
	for row+step < n-1 && !greater(row+step) {
		step *= 2
	}
	high := min(row+step, n-1)
	return row + sort.Search(high-row, func(i int) bool { return greater(row + i) })
}

// each calls f for the next groups, which are those of block b, that have values
// in multiset k.
func (r *SortedRun) each(k int, b *block, f func(id uint32, v groupValues)) {
	for id := range b.n {
		if r.next[k] == len(r.groups) {
			return
		}
		g := r.groups[r.next[k]]
		r.next[k]++
		if i := slices.IndexFunc(g, func(e extent) bool { return e.set == k }); i >= 0 {
			f(uint32(id), &runValues{run: r, extent: g[i]})
		}
	}
}

// runValues are a group's values in a run.
type runValues struct {
	run    *SortedRun
	extent extent
	words  []uint64
	of     []uint64
}

func (v *runValues) rows() (n uint64) {
	v.chunks(false, func(_, counts []uint64) bool {
		for _, c := range counts {
			n = saturated(n, c)
		}
		return true
	})
	return n
}

func (v *runValues) each(f func(value []uint64, count uint64) bool) {
	v.chunks(true, func(values, counts []uint64) bool {
		width := len(values) / len(counts)
		for i, count := range counts {
			if !f(values[i*width:(i+1)*width], count) {
				return false
			}
		}
		return true
	})
}

// chunks calls f for the values, if they are asked for, and their counts, until
// it says no or a batch cannot be read, which the run's error is then. Values of
// any length are the numbers of their rows: they are only counted.
func (v *runValues) chunks(values bool, f func(values, counts []uint64) bool) {
	for i := v.extent.batch; i <= v.extent.end; i++ {
		batch, err := v.run.open(i)
		if err != nil {
			v.run.err = err
			return
		}
		lo, hi := 0, int(batch.NumRows())
		if i == v.extent.batch {
			lo = v.extent.row
		}
		if i == v.extent.end {
			hi = v.extent.endAt
		}
		goOn, err := v.batch(batch, lo, hi, values, f)
		batch.Release()
		if err != nil {
			v.run.err = err
		}
		if !goOn {
			return
		}
	}
}

// batch is chunks of some rows of one batch.
func (v *runValues) batch(batch arrow.RecordBatch, lo, hi int, values bool, f func(values, counts []uint64) bool) (bool, error) {
	order, counts := &v.run.order.sets[v.extent.set], v.run.counts[v.extent.set]
	width := order.set.words()
	for i, l := range append(slices.Clone(order.loaders), counts) {
		if err := l.bind(batch.Column(order.first + i).Data()); err != nil {
			return false, err
		}
	}
	for lo < hi {
		n := min(chunkRows, hi-lo)
		counts.load(lo, n, nil)
		counts.apply()
		v.of = sized(v.of, n)
		for i, c := range counts.converted.ints[:n] {
			v.of[i] = min(uint64(c), math.MaxInt64)
		}
		v.words = sized(v.words, n*width)
		if values && !order.set.interned() {
			first := order.loaders[0]
			first.load(lo, n, nil)
			first.apply()
			order.set.put(v.words, n, &first.converted)
			if order.set.code.exact {
				above := order.loaders[1]
				above.load(lo, n, nil)
				above.apply()
				for i, a := range above.converted.ints[:n] {
					v.words[2*i+1] = orderedInt(a)
				}
			}
		}
		if !f(v.words, v.of) {
			return false, nil
		}
		lo += n
	}
	return true, nil
}

// Fold finishes the groups as spec, which merges such states, says: the states in
// memory, the values where they are.
func (r *SortedRun) Fold(ctx context.Context, spec Spec) (*Result, error) {
	e, err := New(spec, Options{Threads: 1})
	if err != nil {
		return nil, err
	}
	e.sorted = r
	w := e.NewWorker()
	err = r.feed(ctx, w)
	if err = errors.Join(err, w.Close()); err != nil {
		e.Close()
		return nil, err
	}
	result, err := e.Finish(ctx)
	if err = errors.Join(err, r.err); err != nil {
		e.Close()
		return nil, err
	}
	return result, nil
}

// feed brings the states of all rows into an engine.
func (r *SortedRun) feed(ctx context.Context, w *Worker) error {
	var columns []arrow.ArrayData
	for i := range r.batches {
		batch, err := r.open(i)
		if err != nil {
			return err
		}
		columns = columns[:0]
		for _, c := range batch.Columns() {
			columns = append(columns, c.Data())
		}
		err = errors.Join(ctx.Err(), w.Update(columns, batch.NumRows(), nil))
		batch.Release()
		if err != nil {
			return err
		}
	}
	return nil
}
