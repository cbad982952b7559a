package groupby

// appending gives every row of partial results a record of its own and leaves it
// to Finish to fold those of one key, as it does with several workers' groups.
// Where nearly every row is another group's, looking it up would only cost: the
// table's misses are three quarters of the time of merging.
type appending struct {
	layout *layout  // of keys
	keys   []uint64 // of the groups from first on
	first  int
	done   []segment // the groups before, whose keys have fewer bits
}

// appendGroups makes groups for the n rows whose codes are there.
func (w *Worker) appendGroups(n int) []uint32 {
	a, s := w.appending, w.states
	keys, l := w.grouper.keys(n, a.layout)
	if l != a.layout {
		a.cut(s)
		a.layout = l
	}
	if need := len(a.keys) + len(keys); need > cap(a.keys) {
		larger := s.zeroed(max(need, 2*cap(a.keys)))
		copy(larger, a.keys)
		if cap(a.keys) >= largeRecords {
			s.arena.Drop(bytesOf(a.keys[:1]))
		}
		a.keys = larger[:len(a.keys)]
	}
	a.keys = append(a.keys, keys...)
	ids := w.grouper.ids[:n]
	for i := range ids {
		ids[i] = uint32(s.n + i)
	}
	s.grow(s.n + n)
	return ids
}

// cut begins a new segment: keys are packed in another way from here on.
func (a *appending) cut(s *states) {
	if s.n == a.first {
		return
	}
	ids := make([]uint32, s.n-a.first)
	for i := range ids {
		ids[i] = uint32(a.first + i)
	}
	a.done = append(a.done, segment{layout: a.layout, keys: a.keys, outside: cap(a.keys) >= largeRecords, ids: ids, states: s})
	a.keys, a.first = nil, s.n
}
