package spill

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sort"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/groupby"
)

// Merged is the groups of all runs, range after range, in the order of the
// keys.
type Merged struct {
	a       *Aggregation
	specs   []groupby.Spec
	runs    [][]*run
	ranges  *ranges
	perRow  int64           // bytes that a row takes in an engine
	repeats bool            // there are several rows to a group
	current *groupby.Result // of the range that is given out
}

// Merge merges all runs into the result of the last spec. Runs that are too
// many are merged into larger ones first.
func (a *Aggregation) Merge(ctx context.Context) (*Merged, error) {
	for number := range a.runs {
		if err := a.reduce(ctx, number); err != nil {
			return nil, err
		}
	}
	merging := make([]groupby.Spec, len(a.specs))
	for i, s := range a.specs {
		merging[i] = s.Merging()
	}
	return a.merged(merging, a.runs, keyRange{}, false), nil
}

// merged is the groups of runs in a range of keys. within says that groups may be
// cut: their states come in parts, each in the order of its values.
func (a *Aggregation) merged(specs []groupby.Spec, runs [][]*run, k keyRange, within bool) *Merged {
	var all []*run
	for _, list := range runs {
		all = append(all, list...)
	}
	return &Merged{a: a, specs: specs, runs: runs, ranges: newRanges(all, k, within), perRow: rowBytes}
}

// reduce merges runs of one spec until they are few enough: the smallest, which
// are those that were not merged yet, first.
func (a *Aggregation) reduce(ctx context.Context, number int) error {
	for len(a.runs[number]) > a.opt.FanIn {
		list := a.runs[number]
		some := list[:min(a.opt.FanIn, len(list)-a.opt.FanIn+1)]
		level := 0
		var rows int64
		for _, r := range some {
			level, rows = max(level, r.level+1), rows+r.rows
		}
		r, err := a.fuse(ctx, a.specs[number:number+1], [][]*run{some}, rows, keyRange{})
		if err != nil {
			return err
		}
		r.level = level
		a.runs[number] = append(append([]*run(nil), list[len(some):]...), r)
		for _, old := range some {
			old.close()
		}
		a.store.passes.Store(max(a.store.passes.Load(), int64(level)+1))
	}
	return nil
}

// fuse merges the groups of runs in a range of keys into one run of the last
// spec. Runs are of one spec: widening values keeps their order, so what comes of
// a run in order is in order. total is about how many rows it has, 0 if nobody
// knows.
func (a *Aggregation) fuse(ctx context.Context, specs []groupby.Spec, runs [][]*run, total int64, k keyRange) (*run, error) {
	last := len(specs) - 1
	spilling, err := specs[last].Spilling()
	if err != nil {
		return nil, err
	}
	merging := make([]groupby.Spec, 0, len(specs))
	for _, s := range specs[:last] {
		merging = append(merging, s.Merging())
	}
	m := a.merged(append(merging, spilling.Merging()), runs, k, true)
	defer m.Close()
	return a.store.writeRun(ctx, spilling, spilling.Output, total, m)
}

// foldLarge returns the finished groups of a range of keys where one group alone
// has more values than memory: they are brought into one order on disk, those of
// narrower columns widened before, and gone through there.
func (m *Merged) foldLarge(ctx context.Context, k keyRange) (*groupby.Result, error) {
	last := len(m.specs) - 1
	runs, spec := slices.Clone(m.runs[last]), m.specs[last]
	for number, narrow := range m.runs[:last] {
		if len(narrow) == 0 {
			continue
		}
		r, err := m.a.fuse(ctx, []groupby.Spec{m.specs[number], spec}, [][]*run{narrow, nil}, 0, k)
		if err != nil {
			return nil, err
		}
		defer r.close()
		runs = append(runs, r)
	}
	r, err := m.a.fuse(ctx, []groupby.Spec{spec}, [][]*run{runs}, 0, k)
	if err != nil {
		return nil, err
	}
	defer r.close()
	sorted, err := groupby.NewSortedRun(spec, r.batches(), r.batch)
	if err != nil {
		return nil, err
	}
	return sorted.Fold(ctx, spec)
}

// Schema is that of the batches.
func (m *Merged) Schema() *arrow.Schema { return m.specs[len(m.specs)-1].Output }

// Next returns the next batch; how batches are cut depends on the memory there
// is. A sum that does not fit is an error of its range.
func (m *Merged) Next(ctx context.Context) (arrow.RecordBatch, error) {
	for {
		if m.current != nil {
			batch, err := m.current.Next(ctx)
			if !errors.Is(err, io.EOF) {
				return batch, err
			}
			m.Close()
		}
		if m.ranges.ended() {
			return nil, io.EOF
		}
		if err := m.advance(ctx); err != nil {
			return nil, err
		}
	}
}

// advance folds the next range: as large a one as should fit, and a smaller one
// where that was too much.
func (m *Merged) advance(ctx context.Context) error {
	budget := m.a.opt.Budget
	if len(m.specs) > 1 {
		budget /= absorbing
	}
	for rows := min(budget/m.perRow, int64(m.a.opt.RangeRows)); ; {
		k, n, end := m.ranges.next(rows)
		_, least, _ := m.ranges.next(0)
		limit := budget
		if n == least {
			limit = unsplittable * budget
		}
		result, size, err := m.a.foldRange(ctx, m.specs, m.runs, k, limit, !m.repeats)
		if errors.Is(err, errTooLarge) {
			if n > least {
				rows = n / 2
				continue
			}
			var key []byte
			if key, err = m.middle(k); err != nil {
				return err
			}
			if key != nil {
				m.ranges.split(key, end)
				rows = 0
				continue
			}
			if !m.ranges.cutsWithin(end) {
				return tooLarge(budget)
			}
			result, err = m.foldLarge(ctx, k)
		}
		if err != nil {
			return err
		}
		m.learn(size, n, result.Groups())
		m.ranges.take(end)
		m.current = result
		return nil
	}
}

// middle is a key that parts the rows of a range, that of the row in the middle of
// the batch with most of them if it can be; nil if they are of one group.
func (m *Merged) middle(k keyRange) (found []byte, err error) {
	most := 0
	for number, runs := range m.runs {
		order := groupby.NewKeyOrder(m.specs[number])
		for _, r := range runs {
			lo, hi := r.overlap(k)
			for i := lo; i < hi; i++ {
				batch, err := r.rowsIn(k, i, order)
				if err != nil {
					return nil, err
				}
				if batch == nil {
					continue
				}
				n := int(batch.NumRows())
				if n > most {
					key, err := m.inner(batch, order)
					if err != nil {
						return nil, err
					}
					if key != nil {
						found, most = key, n
					}
				}
				batch.Release()
			}
		}
	}
	return found, nil
}

// inner is the key of a row in the middle of a batch whose rows lie in a range, or
// of the next one that is not the least that the range can have.
func (m *Merged) inner(batch arrow.RecordBatch, order *groupby.KeyOrder) ([]byte, error) {
	if err := order.Bind(batch); err != nil {
		return nil, err
	}
	keyOf := func(row int) []byte {
		all, key := order.Append(nil, row)
		if !m.ranges.within {
			return all[:key]
		}
		return all
	}
	least, n := keyOf(0), int(batch.NumRows())
	row := n/2 + sort.Search(n-n/2, func(i int) bool { return bytes.Compare(keyOf(n/2+i), least) > 0 })
	switch {
	case row < n:
		return keyOf(row), nil
	case bytes.Compare(least, m.ranges.least()) > 0:
		return least, nil
	}
	return nil, nil
}

// learn judges from a range how many rows the next may have, and how it is
// merged best. A small engine says little about the size of a row, but that
// ranges may be larger.
func (m *Merged) learn(size, rows, groups int64) {
	m.repeats = rows > fewRepeats*groups
	if size > m.a.opt.Budget/4 {
		m.perRow = max(1, size/max(rows, 1))
	} else {
		m.perRow = max(1, m.perRow/2)
	}
}

// fewRepeats is the number of rows to a group up to which it is quicker, and
// takes little more memory, to let each row be a group until the end.
const fewRepeats = 3

// absorbing is how many times what an engine holds is held while another one
// absorbs it.
const absorbing = 3

// unsplittable is how many times the budget a range may take that cannot be cut
// into smaller ones.
const unsplittable = 2

// Close lets go of the range that is given out.
func (m *Merged) Close() error {
	if m.current == nil {
		return nil
	}
	err := m.current.Close()
	m.current = nil
	return err
}
