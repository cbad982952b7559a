package groupby

// front is what a worker that keeps its rows does with the groups it had before
// it began to: if enough of the rows belong to them (skewed keys, or rows that
// come round again), those rows are folded at once and only the others are
// kept. Whether looking them up pays is found out on one chunk of many.
type front struct {
	chunks int
	pays   bool
	hits   []uint64 // bit i: row i belongs to a group of the front
	ids    []uint32 // of the rows that do
	values chunkValues
	picked []vector
	keys   []uint64
}

// sampleEvery is how many chunks apart the front is tried.
const sampleEvery = 64

func newFront(e *Engine) *front {
	f := &front{values: newChunkValues(e.valueOf, len(e.valueColumns)), picked: make([]vector, len(e.valueColumns))}
	for i := range f.picked {
		f.values.vectors[i] = &f.picked[i]
	}
	return f
}

// wanted reports whether the next chunk is to be looked up.
func (f *front) wanted() bool {
	f.chunks++
	return f.pays || f.chunks%sampleEvery == 1
}

// fold folds those of the chunk's n rows that belong to groups of s. It returns
// how many rows are left; their values are then in f.picked, their keys in
// f.keys, packed in layout l.
func (f *front) fold(w *Worker, n int, keys []uint64, l *layout) (left int) {
	f.hits = sized(f.hits, wordsFor(n))
	all := sized(w.grouper.ids, n)
	hits := w.grouper.find(w.states, all, f.hits)
	f.pays = 2*hits >= n
	if hits > 0 {
		f.ids = compact(f.ids, all, f.hits)
		f.pick(w.values.vectors)
		f.values.accumulate(w.states, f.ids)
	}
	for i := range f.hits {
		f.hits[i] = ^f.hits[i]
	}
	if tail := n & 63; tail != 0 {
		f.hits[len(f.hits)-1] &= 1<<tail - 1
	}
	f.pick(w.values.vectors)
	f.keys = sized(f.keys, len(keys))
	left = 0
	for i := range n {
		if f.hits[i>>6]>>(i&63)&1 != 0 {
			copy(f.keys[left*l.words:(left+1)*l.words], keys[i*l.words:])
			left++
		}
	}
	f.keys = f.keys[:left*l.words]
	return left
}

// pick makes f.picked the rows of vectors whose bit is set.
func (f *front) pick(vectors []*vector) {
	for i, v := range vectors {
		f.picked[i].pick(v, f.hits)
	}
}

// pick makes v the rows of w whose bit in rows is set, nulls among them.
func (v *vector) pick(w *vector, rows []uint64) {
	v.from(w, rows)
	v.valid = nil
	if w.valid == nil || w.lane == laneNone {
		return
	}
	v.validity = sized(v.validity, wordsFor(w.n))
	clear(v.validity)
	k := 0
	for i := range w.n {
		if rows[i>>6]>>(i&63)&1 != 0 {
			v.validity[k>>6] |= w.valid[i>>6] >> (i & 63) & 1 << (k & 63)
			k++
		}
	}
	v.valid = v.validity[:wordsFor(k)]
}
