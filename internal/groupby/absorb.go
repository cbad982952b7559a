package groupby

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// Absorb takes over all groups of old, exactly: sums are not rounded and not
// checked on the way. old's spec is that of e but for aggregated columns of
// narrower types (an integer where e has a float, a coarser unit, a smaller
// decimal). All workers of old are closed, and old is of no use afterwards;
// workers of e may be anywhere. HasRoomFor says whether it can be done.
func (e *Engine) Absorb(old *Engine) error {
	if len(e.spec.Keys) != len(old.spec.Keys) || len(e.spec.Aggregates) != len(old.spec.Aggregates) {
		return errors.New("an engine can only absorb one of the same keys and aggregates")
	}
	defer old.Close()
	ctx := context.Background()
	p, err := newPartition(ctx, old)
	if err != nil {
		return err
	}
	codes := make([][]uint32, len(e.interners)) // by key and old rank
	for c, in := range e.interners {
		if codes[c], err = translate(in, p.rankings[c].values); err != nil {
			return fmt.Errorf("key %d: %w", c, err)
		}
	}
	to := e.layoutNow()
	multisets, err := newAbsorption(e, old, to, codes)
	if err != nil {
		return err
	}
	s := e.prototype.like()
	f, widen := newFolder(p), newWidening(e, old)
	var keys []uint64
	for b := range p.buckets {
		block := f.foldStates(b)
		if block.n == 0 {
			continue
		}
		ids, rows := make([]uint32, block.n), make([]uint32, block.n)
		for i := range ids {
			ids[i], rows[i] = uint32(s.n+i), uint32(i)
		}
		s.grow(s.n + block.n)
		if err := widen.states(s, ids, f.states, rows); err != nil {
			return err
		}
		if err := multisets.take(f, b, block); err != nil {
			return err
		}
		keys = append(keys, block.keys...)
	}
	seg := segment{layout: to, states: s, keys: make([]uint64, s.n*to.words), ids: make([]uint32, s.n)}
	for i := range s.n {
		seg.ids[i] = uint32(i)
		translateKey(seg.keys[i*to.words:], to, p.layout, codes, keys[i*p.layout.words:])
	}
	for k := range multisets.rows {
		seg.multisets = append(seg.multisets, multisets.rows[k].stores)
	}
	e.adopt(seg)
	return nil
}

// layoutNow has room for all codes given so far.
func (e *Engine) layoutNow() *layout {
	widths := make([]int, len(e.interners))
	for c, in := range e.interners {
		widths[c] = widthFor(in.count())
	}
	return newLayout(widths)
}

// adopt adds what no worker of the engine has left.
func (e *Engine) adopt(seg segment) {
	e.onHeap.Add(segmentsSize([]segment{seg}))
	e.numbered.Add(int64(len(seg.ids)))
	for _, stores := range seg.multisets {
		e.numbered.Add(int64(stores[short].rows + stores[long].rows))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.segments = append(e.segments, seg)
}

// translate interns values and returns their codes; the last, for null, is 0.
func translate(in interner, v values) ([]uint32, error) {
	codes := make([]uint32, v.len()+1)
	var chunk vector
	var s internScratch
	for lo := 0; lo < v.len(); lo += chunk.n {
		n := v.view(&chunk, lo, min(chunkRows, v.len()-lo))
		if bad := in.intern(codes[lo:lo+n], &chunk, &s); bad >= 0 {
			return nil, errors.New("the engine is full or the value is no UTF-8")
		}
	}
	return codes, nil
}

// widening folds the states of one engine into those of another whose
// aggregated columns are wider.
type widening struct {
	from, to *Engine
	loaders  []*loader // by aggregate, for extremes
}

func newWidening(to, from *Engine) *widening {
	return &widening{from: from, to: to, loaders: make([]*loader, len(to.spec.Aggregates))}
}

// states folds rows of from into ids of s.
func (w *widening) states(s *states, ids []uint32, from *states, rows []uint32) error {
	for a, acc := range s.accumulators {
		if err := w.aggregate(a, s, acc, ids, from, rows); err != nil {
			return fmt.Errorf("%s for column %q: %w", s.aggregates[a].Function.Name, s.aggregates[a].Name, err)
		}
		kept, _ := withValue(from, a, ids, rows)
		s.flags.set(kept, valued(a))
	}
	s.flags.set(ids, touched)
	return nil
}

// absorber is an accumulator that knows itself how to go on, exactly, with what
// another has made of narrower arguments: rows of from into ids.
type absorber interface {
	absorb(s *states, ids []uint32, from *states, other accumulator, rows []uint32, types widened) error
}

// widened are the types of an aggregate's arguments, before and now.
type widened struct{ old, now []arrow.DataType }

func (w *widening) aggregate(a int, s *states, acc accumulator, ids []uint32, from *states, rows []uint32) error {
	other := from.accumulators[a]
	types := widened{w.from.spec.argumentTypes(a), w.to.spec.argumentTypes(a)}
	if slices.EqualFunc(types.old, types.now, sameType) {
		acc.merge(s, ids, from, other, rows)
		return nil
	}
	if d, ok := acc.(absorber); ok {
		ids, rows := withValue(from, a, ids, rows)
		return d.absorb(s, ids, from, other, rows, types)
	}
	old, now := types.old[0], types.now[0]
	if d, ok := acc.(*mean); ok {
		d.n.merge(s, ids, from, &other.(*mean).n, rows)
		return addTotals(d.sum, other.(*mean).sum, old, now, s, ids, from, rows)
	}
	if d, ok := acc.(summation); ok {
		return addTotals(d, other, old, now, s, ids, from, rows)
	}
	if _, ok := acc.(*counter); ok {
		acc.merge(s, ids, from, other, rows)
		return nil
	}
	return w.extreme(a, s, acc.(single), ids, from, rows, old, now)
}

// withValue leaves out the groups of from that have no value of an aggregate.
func withValue(from *states, aggregate int, ids, rows []uint32) (keptIDs, keptRows []uint32) {
	for i, row := range rows {
		if from.flags.has(row, aggregate) {
			keptIDs, keptRows = append(keptIDs, ids[i]), append(keptRows, row)
		}
	}
	return keptIDs, keptRows
}

// extreme finishes the old extremes and feeds them as values: a conversion keeps
// the order, so the extreme of converted extremes is that of all values.
func (w *widening) extreme(a int, s *states, acc single, ids []uint32, from *states, rows []uint32,
	old, now arrow.DataType,
) error {
	if w.loaders[a] == nil {
		l, err := newLoader(Column{Name: s.aggregates[a].Name, Type: now})
		if err != nil {
			return err
		}
		w.loaders[a] = l
	}
	l := w.loaders[a]
	column, _ := from.finish(a, rows, heap)
	array := column.array()
	defer array.Release()
	if err := l.bind(array.Data()); err != nil {
		return err
	}
	var d dense
	for lo := 0; lo < len(rows); {
		n := l.load(lo, min(chunkRows, len(rows)-lo), nil)
		if n == 0 {
			return l.tooLong(int64(lo))
		}
		if bad := l.apply(); bad >= 0 {
			return l.valueError(bad, int64(lo+bad))
		}
		v, part := &l.converted, ids[lo:lo+n]
		if v.valid != nil {
			d.made = false
			part = d.of(v, part).ids
			v = &d.values
		}
		if v.lane != laneNone {
			acc.update(s, part, v)
		}
		lo += n
	}
	return nil
}

// argumentTypes are the types of the values of an aggregate's arguments.
func (s *Spec) argumentTypes(aggregate int) []arrow.DataType {
	var types []arrow.DataType
	for _, c := range s.Aggregates[aggregate].Arguments {
		types = append(types, valueType(s.Columns[c].Type))
	}
	return types
}

// Close gives back the memory outside Go's heap. An engine that was finished
// leaves that to its Result; one that was not can be closed at any time when
// no worker is at work.
func (e *Engine) Close() { e.arena.Close() }
