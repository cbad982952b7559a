package groupby

// Size is the memory that the engine holds for all workers, in bytes: the values
// of key columns, rows kept, and what closed workers left. It may be called at
// any time.
func (e *Engine) Size() int64 {
	size := e.arena.Held()
	for _, in := range e.interners {
		size += in.size()
	}
	for _, m := range e.multisets {
		if m.interner != nil {
			size += m.interner.size()
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.segments {
		size += e.segments[i].size()
	}
	return size
}

// Size is the memory that the worker holds besides what Engine.Size counts. It
// belongs to the worker's goroutine, as Update does.
func (w *Worker) Size() int64 {
	if w.engine == nil {
		return 0
	}
	size := w.states.size() + w.grouper.table.size()
	for i := range w.compacted {
		size += w.compacted[i].size()
	}
	return size
}

func (s *segment) size() int64 {
	size := 8*int64(cap(s.keys)) + 4*int64(cap(s.ids))
	if s.states != nil {
		size += s.states.size()
	}
	return size
}

func (t *packedTable) size() int64 { return heapSize(len(t.slots)/2) + 8*int64(cap(t.keys)) }
