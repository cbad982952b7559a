package groupby

import "math/bits"

// compact folds the rows that the worker keeps into groups, if there are enough
// rows to a group for that to save memory; else it lets twice as many rows come
// before it looks again. So the memory of a long input depends on its groups
// and not on its rows, and every row is folded but a few times.
func (w *Worker) compact() {
	if w.rows.repeats(&w.engine.hash) < minRepeats {
		w.compactAt = 2 * w.rows.rows
		return
	}
	e := w.engine
	segments := append([]segment{{rows: w.rows}}, w.compacted...)
	p := newCodePartition(e, segments)
	w.rows.release()
	f, s, keys := newFolder(p), e.prototype.like(), []uint64(nil)
	var ids, all []uint32
	for b := range p.buckets {
		block := f.foldStates(b)
		ids, all = sized(ids, block.n), sized(all, block.n)
		for i := range ids {
			ids[i], all[i] = uint32(s.n+i), uint32(i)
		}
		s.grow(s.n + block.n)
		s.merge(ids, f.states, all)
		keys = append(keys, block.keys...)
	}
	p.release()
	f.release()
	f.out.release()
	for _, old := range w.compacted {
		old.states.release()
	}
	seg := segment{layout: p.layout, keys: keys, ids: make([]uint32, s.n), states: s}
	for i := range seg.ids {
		seg.ids[i] = uint32(i)
	}
	w.compacted = append(w.compacted[:0], seg)
	w.compactAt = max(e.compactRows(), 2*s.n)
}

// compactRows is how many rows a worker keeps before it looks at them: so many
// bytes, whatever a row takes.
func (e *Engine) compactRows() int {
	words := 1
	for _, c := range e.valueColumns {
		words += c.words
	}
	return min(e.tuning.compactRows, e.tuning.keptBytes/(8*words))
}

// minRepeats is the number of rows to a group from which on groups, which take
// more memory than rows, are worth making.
const minRepeats = 3

// repeats estimates how many rows there are to a group, from the rows of a few
// groups, chosen by hash.
func (r *rowStore) repeats(h *hashing) int {
	sparse := uint64(1)<<max(0, bits.Len(uint(r.rows))-12) - 1 // about 4,096 rows at most
	seen, rows := map[uint64]struct{}{}, 0
	note := func(hash uint64) {
		seen[hash] = struct{}{}
		rows++
	}
	mix, width := *h, r.layout.words
	var repacked []uint64
	for i := range r.blocks {
		b := &r.blocks[i]
		keys := b.keys()
		if b.layout != r.layout {
			repacked = sized(repacked, b.n*width)
			for k := range b.n {
				r.layout.repack(repacked[k*width:(k+1)*width], b.layout, keys[k*b.layout.words:])
			}
			keys = repacked
		}
		if width == 1 {
			for _, key := range keys {
				if hash := mix.word(key); hash&sparse == 0 {
					note(hash)
				}
			}
			continue
		}
		for ; len(keys) > 0; keys = keys[width:] {
			if hash := mix.words(keys[:width]); hash&sparse == 0 {
				note(hash)
			}
		}
	}
	return rows / max(1, len(seen))
}
