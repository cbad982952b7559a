package groupby

import (
	"math"
	"slices"
)

// readMultisets tells the loaders what the multisets read of their columns. It
// comes before what accumulators read is told.
func (w *Worker) readMultisets() {
	if w.engine.spec.Merges {
		return
	}
	for _, m := range w.engine.multisets {
		l := w.loaders[m.column]
		switch {
		case m.interned():
			l.keyOnly, w.converted[m.column] = true, true
		case m.code.exact:
			l.keyOnly = false
		default:
			l.keyOnly, w.converted[m.column] = false, true
		}
	}
}

// internMultisets gives the loaded chunk's values of any length their codes. It
// returns the first row whose value is invalid and its column, or -1.
func (w *Worker) internMultisets(n int) (column, bad int) {
	bad = -1
	for k := range w.multisets {
		r := &w.multisets[k]
		if !r.set.interned() {
			continue
		}
		l, b := w.loaders[r.set.column], -1
		switch {
		case l.byPosition():
			b = r.dictionary.intern(r.codes[:n], r.set.interner, l, &r.scratch)
		case l.none():
			clear(r.codes[:n])
		default:
			b = r.set.interner.intern(r.codes[:n], &l.converted, &r.scratch)
		}
		if b >= 0 && (bad < 0 || b < bad) {
			column, bad = r.set.column, b
		}
	}
	return column, bad
}

// takeMultisets adds the chunk's values, each so many times, to the groups whose
// codes the grouper has.
func (w *Worker) takeMultisets(n int, times uint64) {
	for k := range w.multisets {
		r := &w.multisets[k]
		l := w.loaders[r.set.column]
		if l.none() {
			continue
		}
		keys, layout := w.grouper.keys(n, r.layout)
		var left int
		if r.set.interned() {
			left = r.writeCodes(keys, layout.words, n)
		} else {
			v := &l.converted
			if r.set.code.exact {
				v = &l.natural
			}
			left = r.write(keys, layout.words, v)
		}
		var counts []uint64
		if times != 1 {
			counts = slices.Repeat([]uint64{times}, left)
		}
		r.add(w.engine, keys[:left*layout.words], layout, r.values, counts)
	}
}

// writeCodes makes r.values the codes of the chunk's rows with a value, and
// closes the gaps among their keys.
func (r *multisetRows) writeCodes(keys []uint64, words, n int) (left int) {
	r.values = sized(r.values, n)
	for i, code := range r.codes[:n] {
		if code == 0 {
			continue
		}
		r.values[left] = uint64(code)
		if left < i {
			copy(keys[left*words:(left+1)*words], keys[i*words:])
		}
		left++
	}
	r.values = r.values[:left]
	return left
}

// write is writeCodes for values that are not interned.
func (r *multisetRows) write(keys []uint64, words int, v *vector) (left int) {
	width := r.set.words()
	r.values = sized(r.values, v.n*width)
	r.set.put(r.values, v.n, v)
	if v.valid == nil {
		return v.n
	}
	for i := range v.n {
		if !v.has(i) {
			continue
		}
		if left < i {
			copy(r.values[left*width:(left+1)*width], r.values[i*width:])
			copy(keys[left*words:(left+1)*words], keys[i*words:])
		}
		left++
	}
	r.values = r.values[:left*width]
	return left
}

// loadMultiset takes up values that another engine exported, in columns as
// stateFields says. It returns the first row that no engine exports, or -1.
func (w *Worker) loadMultiset(k, n int, columns []*loader) (bad int) {
	r := &w.multisets[k]
	value, count := &columns[0].converted, &columns[len(columns)-1].converted
	for i := range n {
		if count.has(i) != value.has(i) || value.has(i) && count.ints[i] < 1 {
			return i
		}
	}
	if value.lane == laneNone {
		return -1
	}
	keys, layout := w.grouper.keys(n, r.layout)
	var left int
	switch {
	case r.set.interned():
		if b := r.set.interner.intern(r.codes[:n], value, &r.scratch); b >= 0 {
			return b
		}
		left = r.writeCodes(keys, layout.words, n)
	default:
		if r.set.code.exact {
			above := &columns[1].converted
			for i := range n {
				if above.has(i) != value.has(i) || value.has(i) && !isAbove(value.floats[i], above.ints[i]) {
					return i
				}
			}
			left = r.writeAbove(keys, layout.words, value, above)
			break
		}
		left = r.write(keys, layout.words, value)
	}
	r.counts = r.counts[:0]
	for i := range n {
		if value.has(i) {
			r.counts = append(r.counts, min(uint64(count.ints[i]), math.MaxInt64))
		}
	}
	r.add(w.engine, keys[:left*layout.words], layout, r.values, r.counts)
	return -1
}

// writeAbove is write for exact floats in two columns.
func (r *multisetRows) writeAbove(keys []uint64, words int, nearest, above *vector) (left int) {
	left = r.write(keys, words, nearest)
	k := 0
	for i := range nearest.n {
		if nearest.has(i) {
			r.values[2*k+1] = orderedInt(above.ints[i])
			k++
		}
	}
	return left
}
