package groupby

// arrival takes states that another engine exported into a worker's groups:
// the way of a chunk of partial results, where updateChunk is that of rows.
type arrival struct {
	rows    []int32  // of the chunk: those with a state
	ids     []uint32 // their groups
	columns []vector
	in      []*vector
}

// loadStates folds the loaded chunk of states into the groups of its keys.
func (w *Worker) loadStates(lo, n int, part []int32) error {
	s := w.states
	var ids []uint32
	if w.appending != nil {
		ids = w.appendGroups(n)
	} else {
		ids = w.grouper.group(s, n)
	}
	s.flags.set(ids, touched)
	next := len(w.engine.spec.Keys)
	for a, fields := range w.engine.stateFields {
		if len(fields) == 0 {
			continue
		}
		columns := w.loaders[next : next+len(fields)]
		next += len(fields)
		bad := -1
		switch k := w.engine.multisetOf[a]; {
		case k >= 0 && w.engine.sorted != nil:
		case k >= 0:
			bad = w.loadMultiset(k, n, columns)
		default:
			bad = w.arrival.load(s, a, ids, columns, len(w.multisets) > 0)
		}
		if bad >= 0 {
			def := s.aggregates[a]
			return &ValueError{
				Column: def.Name, Row: rowOf(lo, bad, part),
				Value: "the state", Type: "state that " + def.Function.Name + " leaves",
			}
		}
	}
	return nil
}

// load folds the states of one aggregate. It returns the first row that no
// engine exports, or -1. gaps says that also aggregates that are never null may
// have rows without a state: not the first ones of their groups.
func (r *arrival) load(s *states, aggregate int, ids []uint32, columns []*loader, gaps bool) int {
	acc := s.accumulators[aggregate].(portable)
	first := &columns[0].converted
	r.in = r.in[:0]
	if first.valid == nil {
		for _, c := range columns {
			r.in = append(r.in, &c.converted)
		}
		s.flags.set(ids, valued(aggregate))
		return acc.load(s, ids, r.in)
	}
	r.rows, r.ids = r.rows[:0], r.ids[:0]
	for i, id := range ids {
		if first.has(i) {
			r.rows, r.ids = append(r.rows, int32(i)), append(r.ids, id)
			continue
		}
		if s.aggregates[aggregate].Function.neverNull && !gaps {
			return i
		}
		for _, c := range columns[1:] {
			if c.converted.has(i) {
				return i
			}
		}
	}
	if len(r.rows) == 0 {
		return -1
	}
	for len(r.columns) < len(columns) {
		r.columns = append(r.columns, vector{})
	}
	for k, c := range columns {
		r.columns[k].pick(&c.converted, first.valid)
		r.in = append(r.in, &r.columns[k])
	}
	s.flags.set(r.ids, valued(aggregate))
	if bad := acc.load(s, r.ids, r.in); bad >= 0 {
		return int(r.rows[bad])
	}
	return -1
}
