package ipcread

// Pages of a mapping that were read stay in the process's resident set until
// the system needs them elsewhere, or the process ends: then one thread gives
// them back, while nobody else has anything to do (12 of 120 ms, 130 MB of
// 600 MB in use). So consumed spans are given back as the run goes on, by whoever
// is done with one last. What another walk reads again comes from the page cache,
// so this never changes a result, but has to be mapped again: then only large
// mappings are given back.
const (
	reclaimFrom   = 64 << 20 // bytes of all mappings; below it, it is not worth the calls
	reclaimRepeat = 1 << 30  // the same where inputs are read again; below it nobody is in need
	spanBytes     = 32 << 20 // consumed before pages are given back
)

// reclaimer gathers a walk's batches into spans of a mapping. A span is given
// back when the walk has left it and all its morsels are released.
type reclaimer struct {
	ext  resident
	span *hold
	from int64
}

// hold returns the hold for a batch of so many morsels whose message begins at
// offset.
func (r *reclaimer) hold(morsels, offset int64) *hold {
	if r.span != nil && offset >= r.from && offset-r.from < spanBytes {
		r.span.morsels.Add(morsels)
		return r.span
	}
	r.leave()
	span := r.ext[offset:min(offset+spanBytes, int64(len(r.ext)))]
	r.from = offset
	r.span = &hold{free: func() { giveBack(span) }}
	r.span.morsels.Store(morsels + 1) // and the walk's own
	return r.span
}

// leave ends the span that the walk was in.
func (r *reclaimer) leave() {
	if r.span != nil {
		r.span.release()
		r.span = nil
	}
}
