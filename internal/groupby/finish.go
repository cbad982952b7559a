package groupby

import (
	"context"
	"errors"
	"slices"
)

// Close hands the worker's state to the engine; the worker is dead then.
func (w *Worker) Close() error {
	e := w.engine
	if e == nil {
		return errors.New("worker closed twice")
	}
	w.engine = nil
	ids, keys := w.grouper.export(w.states)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.segments = append(e.segments, segment{layout: w.grouper.layout, keys: keys, ids: ids, states: w.states})
	return nil
}

// Finish folds all workers' state, checks every sum and sorts the groups.
// All errors that the data can cause are found here or in Update, none later.
func (e *Engine) Finish(ctx context.Context) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := &folding{engine: e}
	f.rankKeys()
	f.collect()
	f.sort()
	b, err := f.fold()
	if err != nil {
		return nil, err
	}
	return newResult(e, f.layout, f.rankings, b), nil
}

// folding is the work of Finish: the workers' groups are brought into one key
// layout, whose words compare as the key columns do, sorted, and equal ones
// merged.
type folding struct {
	engine   *Engine
	rankings []ranking
	layout   layout
	keys     []uint64 // layout.words a row
	rows     []groupRow
	order    []uint32
}

// groupRow is one worker's group.
type groupRow struct{ segment, id uint32 }

func (f *folding) rankKeys() {
	widths := make([]int, len(f.engine.interners))
	for c, in := range f.engine.interners {
		f.rankings = append(f.rankings, in.rank())
		widths[c] = widthFor(f.rankings[c].values.len()) // the last rank is null's
	}
	f.layout = newLayout(widths)
}

func (f *folding) collect() {
	words := f.layout.words
	for k, seg := range f.engine.segments {
		for i, id := range seg.ids {
			at := len(f.keys)
			f.keys = append(f.keys, make([]uint64, words)...)
			key := f.keys[at:]
			for c, field := range f.layout.fields {
				code := seg.layout.number(seg.keys[i*seg.layout.words:], c)
				key[field.word] |= uint64(f.rankings[c].rank[code]) << field.shift
			}
			f.rows = append(f.rows, groupRow{uint32(k), id})
		}
	}
}

func (f *folding) key(row uint32) []uint64 {
	w := f.layout.words
	return f.keys[int(row)*w : int(row+1)*w]
}

func (f *folding) sort() {
	f.order = make([]uint32, len(f.rows))
	for i := range f.order {
		f.order[i] = uint32(i)
	}
	slices.SortFunc(f.order, func(a, b uint32) int { return slices.Compare(f.key(a), f.key(b)) })
}

// fold merges equal keys and finishes the groups.
func (f *folding) fold() (*block, error) {
	e := f.engine
	s, err := newStates(e.spec.Aggregates, e.spec.Columns)
	if err != nil {
		return nil, err
	}
	b := &block{words: f.layout.words}
	ids := make([][]uint32, len(e.segments))
	rows := make([][]uint32, len(e.segments))
	var last []uint64
	for i, row := range f.order {
		key := f.key(row)
		if i == 0 || !slices.Equal(key, last) {
			b.keys = append(b.keys, key...)
			b.n++
			last = key
		}
		r := f.rows[row]
		ids[r.segment] = append(ids[r.segment], uint32(b.n-1))
		rows[r.segment] = append(rows[r.segment], r.id)
	}
	if len(e.interners) == 0 {
		b.n = 1 // one row, also over nothing
	}
	s.grow(b.n)
	for k, seg := range e.segments {
		s.merge(ids[k], seg.states, rows[k])
	}
	return b, f.finish(b, s)
}

// finish makes the block's columns, or names the first sum that does not fit.
func (f *folding) finish(b *block, s *states) error {
	groups := make([]uint32, b.n)
	for i := range groups {
		groups[i] = uint32(i)
	}
	first, which := -1, 0
	for a := range s.aggregates {
		c, bad := s.finish(a, groups)
		b.columns = append(b.columns, c)
		if bad >= 0 && (first < 0 || bad < first) {
			first, which = bad, a
		}
	}
	if first < 0 {
		return nil
	}
	a := f.engine.spec.Aggregates[which]
	return &OverflowError{
		Function: a.Function.Name,
		Column:   a.Name,
		Group:    f.groupText(b.keys[first*b.words:]),
		Type:     a.Type.String(),
	}
}

// block is finished groups in key order: packed ranks and output columns.
type block struct {
	n       int
	words   int
	keys    []uint64
	columns []*column // by aggregate
}
