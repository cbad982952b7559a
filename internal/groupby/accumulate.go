package groupby

// accumulate folds the chunk's columns into the groups of its rows, one
// aggregate after the other.
func (w *Worker) accumulate(ids []uint32) {
	s := w.states
	w.markFull(ids)
	for c := range w.uses {
		w.uses[c].dense.begin()
	}
	for a, acc := range s.accumulators {
		in := w.inputs[a]
		if in.column < 0 {
			acc.update(s, ids, nil)
			continue
		}
		v := w.values(in)
		switch {
		case v.lane == laneNone:
		case v.valid == nil:
			acc.update(s, ids, v)
		default:
			values, rows := w.uses[in.column].dense.take(v, ids, in.takes == takesConverted)
			word, bit := flag(a)
			s.mark(rows, word, bit)
			acc.update(s, rows, values)
		}
	}
}

// markFull sets the flags of the rows' groups and of the aggregates that have a
// value in every row: one pass, which also brings the records into the cache.
func (w *Worker) markFull(ids []uint32) {
	s := w.states
	for word := range s.flagWords {
		var mask uint64
		if word == 0 {
			mask = touched
		}
		for a, in := range w.inputs {
			if at, bit := flag(a); at == word && in.column >= 0 {
				if v := w.values(in); v.valid == nil && v.lane != laneNone {
					mask |= bit
				}
			}
		}
		if mask != 0 {
			s.mark(ids, word, mask)
		}
	}
}

// values is what an aggregate reads of the chunk.
func (w *Worker) values(in input) *vector {
	l := w.loaders[in.column]
	if in.takes == takesConverted {
		return &l.converted
	}
	return &l.natural
}
