package groupby

// Size is the memory that the engine holds with its workers, in bytes: the
// values of key columns, states, rows kept, and what closed workers left. It
// may be called at any time; of workers it knows what they held after their
// last batch.
func (e *Engine) Size() int64 {
	size := e.arena.Held() + e.onHeap.Load()
	for _, in := range e.interners {
		size += in.size()
	}
	for _, m := range e.multisets {
		if m.interner != nil {
			size += m.interner.size()
		}
	}
	return size
}

// account makes the engine know what the worker holds on Go's heap.
func (w *Worker) account() {
	size := w.states.size() + w.grouper.table.size() + segmentsSize(w.compacted) + w.appending.size()
	for i := range w.multisets {
		size += int64(w.multisets[i].len()) * w.engine.spread
	}
	w.accountAs(size, w.numbered())
}

// spreadOf is what is counted of a multiset's row beside the row itself: when
// the engine is put aside, it becomes a row of all states, most of them null.
// Finishing may take two and a half times what an engine holds, and needs the
// rows and these.
func (e *Engine) spreadOf() int64 {
	if len(e.multisets) == 0 || e.spec.Merges && !e.spec.Partial { // what merges spilled groups is not put aside
		return 0
	}
	least := e.multisets[0].columns[short][0].words
	for _, m := range e.multisets {
		least = min(least, m.columns[short][0].words)
	}
	wide := int64(8 * len(e.interners))
	for _, fields := range e.prototype.fields() {
		for _, f := range fields {
			wide += int64(max(slotWidth(f.Type), 8))
		}
	}
	return max(0, 2*wide-24*int64(least)) / 5
}

func (w *Worker) accountAs(size, numbered int64) {
	if size != w.accounted { // nor is it written for every batch
		w.engine.onHeap.Add(size - w.accounted)
		w.accounted = size
	}
	if numbered != w.counted {
		w.engine.numbered.Add(numbered - w.counted)
		w.counted = numbered
	}
}

func (a *appending) size() int64 {
	if a == nil {
		return 0
	}
	return heapSize(cap(a.keys)) + segmentsSize(a.done)
}

// segmentsSize is what segments hold on Go's heap. One states may be that of
// several, one after the other.
func segmentsSize(segments []segment) (size int64) {
	var last *states
	for i := range segments {
		s := &segments[i]
		size += 4 * int64(cap(s.ids))
		if !s.outside {
			size += 8 * int64(cap(s.keys))
		}
		if s.states != last {
			size += s.states.size()
			last = s.states
		}
	}
	return size
}

func (t *packedTable) size() int64 { return heapSize(len(t.slots)/2) + 8*int64(cap(t.keys)) }
