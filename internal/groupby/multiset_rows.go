package groupby

import "math/bits"

// multisetRows is one worker's part of a multiset.
type multisetRows struct {
	set        *multiset
	rows       *rowStore
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
		list[i].rows = &rowStore{memory: bump{arena: e.arena}}
		if m.interned() {
			list[i].codes = make([]uint32, chunkRows)
		}
	}
	return list
}

// multisetLimit is how many rows a worker has before it looks whether they
// repeat.
func (e *Engine) multisetLimit(m *multiset) int {
	return min(e.tuning.compactRows, e.tuning.keptBytes/(8*(2+m.words())))
}

// add appends values with their keys, packed in layout l, and counts.
func (r *multisetRows) add(e *Engine, keys []uint64, l *layout, values, counts []uint64) {
	n := len(counts)
	if n == 0 {
		return
	}
	if r.rows.rows >= r.compactAt {
		r.compact(e)
	}
	r.rows.layout = l
	r.vectors[0] = vector{n: n, lane: r.set.rows[0].lane, width: r.set.rows[0].words, uints: values, words: values}
	r.vectors[1] = vector{n: n, lane: laneUints, uints: counts}
	r.rows.add(keys, n, r.set.rows, []*vector{&r.vectors[0], &r.vectors[1]})
}

// each calls f for every row: its key in the store's layout and its value, in
// memory that the next call uses again.
func (r *multisetRows) each(f func(row []uint64, count uint64)) {
	to, width := r.rows.layout, r.set.words()
	row := make([]uint64, to.words+width)
	for i := range r.rows.blocks {
		b := &r.rows.blocks[i]
		var values, counts []uint64
		b.eachColumn(r.set.rows, func(i int, words, _ []uint64) {
			if i == 0 {
				values = words
			} else {
				counts = words
			}
		})
		keys := b.keys()
		for k := range b.n {
			to.repack(row[:to.words], b.layout, keys[k*b.layout.words:(k+1)*b.layout.words])
			copy(row[to.words:], values[k*width:(k+1)*width])
			f(row, counts[k])
		}
	}
}

// compact folds equal values of a group into one row, if there are enough of
// them; else it lets twice as many rows come before it looks again. So memory
// depends on how many different values the groups have.
func (r *multisetRows) compact(e *Engine) {
	if r.repeats(&e.hash) < minRepeats {
		r.compactAt = 2 * r.rows.rows
		return
	}
	l, width := r.rows.layout, r.set.words()
	table := newPackedTable(e.hash, l.words+width, e.arena)
	var counts []uint64
	r.each(func(row []uint64, count uint64) {
		id := table.id(row)
		if int(id) == len(counts) {
			counts = append(counts, 0)
		}
		counts[id] = saturated(counts[id], count)
	})
	r.rows.release()
	r.rows = &rowStore{memory: bump{arena: e.arena}, layout: l}
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
	sparse := max(0, bits.Len(uint(r.rows.rows))-12) // about 4,096 rows at most
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
