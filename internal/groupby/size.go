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
	size := w.states.size() + w.grouper.table.size()
	for i := range w.compacted {
		size += w.compacted[i].size()
	}
	w.engine.onHeap.Add(size - w.accounted)
	w.accounted = size
}

func (s *segment) size() int64 {
	size := 8*int64(cap(s.keys)) + 4*int64(cap(s.ids))
	if s.states != nil {
		size += s.states.size()
	}
	return size
}

func (t *packedTable) size() int64 { return heapSize(len(t.slots)/2) + 8*int64(cap(t.keys)) }
