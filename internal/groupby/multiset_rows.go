package groupby

import "math/bits"

// multisetRows is one worker's part of a multiset.
type multisetRows struct {
	set        *multiset
	layout     *layout // of the keys that come next
	stores     [rowKinds]*rowStore
	compactAt  int // rows
	dictionary dictionaryCodes
	codes      []uint32 // of the chunk, if the values are interned
	scratch    internScratch
	values     []uint64
	counts     []uint64
	vectors    [2]vector
}

func (e *Engine) newMultisetRows() []multisetRows {
	list := make([]multisetRows, len(e.multisets))
	for i, m := range e.multisets {
		list[i] = multisetRows{set: m, compactAt: e.multisetLimit(m)}
		list[i].clear(e)
		if m.interned() {
			list[i].codes = make([]uint32, chunkRows)
		}
	}
	return list
}

// multisetLimit is how many rows a worker has before it looks whether they
// repeat.
func (e *Engine) multisetLimit(m *multiset) int {
	return min(e.tuning.compactRows, e.tuning.keptBytes/(8*(1+m.columns[short][0].words)))
}

// clear makes the stores empty.
func (r *multisetRows) clear(e *Engine) {
	for kind := range r.stores {
		r.stores[kind] = &rowStore{memory: bump{arena: e.arena}}
	}
}

func (r *multisetRows) len() int { return r.stores[short].rows + r.stores[long].rows }

// add appends values with their keys, packed in layout l, and counts, nil if
// each is there once. It may change values.
func (r *multisetRows) add(e *Engine, keys []uint64, l *layout, values, counts []uint64) {
	n := len(values) / r.set.words()
	if n == 0 {
		return
	}
	if r.len() >= r.compactAt {
		r.compact(e)
	}
	r.layout = l
	kind := long
	if r.set.isShort(values, counts) {
		kind = short
		if r.set.code.exact {
			for i := range n {
				values[i] = values[2*i]
			}
			values = values[:n]
		}
	} else if counts == nil {
		r.counts = sized(r.counts, n)
		for i := range r.counts {
			r.counts[i] = 1
		}
		counts = r.counts
	}
	columns := r.set.columns[kind]
	r.vectors[0] = vector{n: n, lane: columns[0].lane, width: columns[0].words, uints: values, words: values}
	r.vectors[1] = vector{n: n, lane: laneUints, uints: counts}
	list := [2]*vector{&r.vectors[0], &r.vectors[1]}
	r.stores[kind].layout = l
	r.stores[kind].add(keys, n, columns, list[:len(columns)])
}

// each calls f for every row: its key in the newest layout and its value, in
// memory that the next call uses again.
func (r *multisetRows) each(f func(row []uint64, count uint64)) {
	to := r.layout
	row := make([]uint64, to.words+r.set.words())
	for kind, store := range r.stores {
		width := r.set.columns[kind][0].words
		for i := range store.blocks {
			b := &store.blocks[i]
			var values, counts []uint64
			b.eachColumn(r.set.columns[kind], func(i int, words, _ []uint64) {
				if i == 0 {
					values = words
				} else {
					counts = words
				}
			})
			keys := b.keys()
			for k := range b.n {
				to.repack(row[:to.words], b.layout, keys[k*b.layout.words:(k+1)*b.layout.words])
				r.set.whole(row[to.words:], values[k*width:(k+1)*width])
				count := uint64(1)
				if counts != nil {
					count = counts[k]
				}
				f(row, count)
			}
		}
	}
}

// whole writes the value of a row of either kind.
func (m *multiset) whole(dst, value []uint64) {
	copy(dst, value)
	if len(value) < len(dst) {
		dst[1] = nothingAbove
	}
}

// compact folds equal values of a group into one row, if there are enough of
// them; else it lets twice as many rows come before it looks again. So memory
// depends on how many different values the groups have.
func (r *multisetRows) compact(e *Engine) {
	if r.repeats(&e.hash) < minRepeats {
		r.compactAt = 2 * r.len()
		return
	}
	l, width := r.layout, r.set.words()
	table := newPackedTable(e.hash, l.words+width, e.arena)
	var counts []uint64
	r.each(func(row []uint64, count uint64) {
		id := table.id(row)
		if int(id) == len(counts) {
			counts = append(counts, 0)
		}
		counts[id] = saturated(counts[id], count)
	})
	for _, store := range r.stores {
		store.release()
	}
	r.clear(e)
	r.compactAt = max(e.multisetLimit(r.set), 2*len(counts))
	var keys, values []uint64
	for lo := 0; lo < len(counts); lo += chunkRows {
		hi := min(lo+chunkRows, len(counts))
		keys, values = keys[:0], values[:0]
		for id := lo; id < hi; id++ {
			row := table.keys[id*table.words : (id+1)*table.words]
			keys, values = append(keys, row[:l.words]...), append(values, row[l.words:]...)
		}
		r.add(e, keys, l, values, counts[lo:hi])
	}
	table.release()
}

// repeats estimates how many rows there are to a different one, from some of
// them, chosen by hash.
func (r *multisetRows) repeats(h *hashing) int {
	sparse := max(0, bits.Len(uint(r.len()))-12) // about 4,096 rows at most
	seen, rows := map[uint64]struct{}{}, 0
	r.each(func(row []uint64, _ uint64) {
		if hash := h.words(row); hash<<(64-sparse) == 0 {
			seen[hash] = struct{}{}
			rows++
		}
	})
	return rows / max(1, len(seen))
}

// release gives the table's memory outside Go's heap back.
func (t *packedTable) release() {
	if slots := bytesOf(t.slots); len(slots) >= 8*largeRecords {
		t.arena.Put(slots)
	}
	t.slots = nil
}
