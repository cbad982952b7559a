package groupby

// Groups is the number of groups that the worker has made, for a person who
// waits: it looks through them, so it is for now and then and not for every
// batch. All says that there are no others so far, of other workers or of rows
// that are kept. It belongs to the worker's goroutine, as Update does.
func (w *Worker) Groups() (n int64, all bool) {
	if w.engine == nil {
		return 0, false
	}
	keys, s := len(w.grouper.interners), w.states
	all = keys == 0 || w.engine.threads == 1 && w.rows == nil
	if keys > 1 && !w.grouper.direct {
		return int64(s.n), all
	}
	// Codes of entries that no row of a dictionary has are ids without a group.
	for id := range s.n {
		if s.flags.touched(uint32(id)) {
			n++
		}
	}
	return n, all
}
