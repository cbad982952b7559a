package groupby

import "slices"

// folder folds buckets, for one goroutine: sorts a bucket's rows and groups by
// key, gives equal keys one id, folds rows through the accumulators' ordinary
// loops and merges groups, and finishes the values.
type folder struct {
	p      *partition
	out    bump // the blocks' memory
	states *states
	values chunkValues
	lanes  []vector
	words  [][]uint64 // by value column: what the lanes are views of
	valid  [][]uint64

	taken     [2]wordRoom // the bucket's rows and groups
	order     rowOrder    // rows, then groups
	rows, ids []uint32    // the bucket's rows in key order, and their ids
	groups    [][]uint32  // by segment: states to be merged
	groupIDs  [][]uint32
	keys      []uint64 // by id: the key, or a row that has it
	all       []uint32

	multisets []multisetFolder
	spread    valueSpread
	ranks     []uint32
}

func newFolder(p *partition) *folder {
	e := p.engine
	f := &folder{p: p, out: bump{arena: e.arena}, states: e.prototype.like(), values: newChunkValues(e.valueOf, len(p.columns))}
	for i := range f.taken {
		f.taken[i].memory.arena = e.arena
	}
	f.lanes = make([]vector, len(p.columns))
	f.words, f.valid = make([][]uint64, len(p.columns)), make([][]uint64, len(p.columns))
	for i, c := range p.columns {
		f.words[i] = make([]uint64, chunkRows*c.words)
		f.valid[i] = make([]uint64, wordsFor(chunkRows))
		f.values.vectors[i] = &f.lanes[i]
	}
	f.groups, f.groupIDs = make([][]uint32, len(p.segments)), make([][]uint32, len(p.segments))
	for k, parts := range p.multisets {
		m := multisetFolder{set: e.multisets[k], parts: parts}
		for kind := range m.taken {
			m.taken[kind].memory.arena = e.arena
		}
		f.multisets = append(f.multisets, m)
	}
	return f
}

// release gives back what the folder works in; the blocks keep their memory.
func (f *folder) release() {
	for i := range f.taken {
		f.taken[i].release()
	}
	for k := range f.multisets {
		for kind := range f.multisets[k].taken {
			f.multisets[k].taken[kind].release()
		}
	}
}

// block is finished groups in key order: packed ranks and output columns.
type block struct {
	n       int
	keys    []uint64
	columns []*column // by aggregate
}

// fold folds a bucket and finishes its groups. The error names the first sum
// that does not fit.
func (f *folder) fold(bucket int) (*block, *OverflowError) {
	b := f.foldStates(bucket)
	switch {
	case len(f.multisets) == 0:
		return b, f.finish(b)
	case !f.p.engine.spec.Partial:
		f.foldMultisets(bucket, b)
		return b, f.finish(b)
	}
	f.spreadMultisets(bucket, b)
	if err := f.finish(b); err != nil {
		return b, err
	}
	f.spreadKeys(b)
	return b, nil
}

// foldStates folds a bucket: the block has the keys, f.states the states of its
// groups, until the next call.
func (f *folder) foldStates(bucket int) *block {
	p := f.p
	rowWords, groupWords := p.rowWords, p.layout.words+1
	rows, groups := p.rows.take(bucket, &f.taken[0]), p.groups.take(bucket, &f.taken[1])
	nRows := len(rows) / rowWords
	n := nRows + len(groups)/groupWords

	key := func(row uint32) []uint64 {
		if int(row) < nRows {
			return rows[int(row)*rowWords:][:p.layout.words]
		}
		return groups[(int(row)-nRows)*groupWords:][:p.layout.words]
	}
	f.sort(n, nRows, rows, groups, key)
	b := f.identify(n, nRows, groups, key)
	if len(p.engine.interners) == 0 {
		b.n = 1 // one row, also over nothing
	}
	f.states.reset()
	f.states.grow(b.n)
	f.foldRows(rows)
	for k := range f.groups {
		if len(f.groups[k]) == 0 {
			continue
		}
		f.states.merge(f.groupIDs[k], p.segments[k].states, f.groups[k])
	}
	return b
}

// sort puts the rows and groups of a bucket in order.
func (f *folder) sort(n, nRows int, rows, groups []uint64, key func(uint32) []uint64) {
	words := f.p.layout.words
	f.order.words = sized(f.order.words, n)
	first := f.order.words
	if words == 0 {
		clear(first)
	} else {
		for i := range first[:nRows] {
			first[i] = rows[i*f.p.rowWords]
		}
		for i := range first[nRows:] {
			first[nRows+i] = groups[i*(words+1)]
		}
	}
	f.order.sort(words, key)
}

// identify gives equal keys one id and lists rows and groups with their ids.
func (f *folder) identify(n, nRows int, groups []uint64, key func(uint32) []uint64) *block {
	words, order := f.p.layout.words, &f.order
	f.rows, f.ids, f.keys = sized(f.rows, nRows), sized(f.ids, nRows), sized(f.keys, n)
	for k := range f.groups {
		f.groups[k], f.groupIDs[k] = f.groups[k][:0], f.groupIDs[k][:0]
	}
	id, rows, last := -1, 0, uint64(0)
	for i, word := range order.words {
		row, number := order.row(word), word>>(order.rowBits&63)
		differs := number ^ last
		last = number
		switch {
		case i == 0:
			differs = 1
		case !order.exact && !slices.Equal(key(row), key(order.row(order.words[i-1]))):
			differs = 1
		}
		id += int((differs | -differs) >> 63) // no branch: one would be guessed wrong too often
		f.keys[id] = order.low + number
		if !order.exact {
			f.keys[id] = uint64(row)
		}
		if int(row) < nRows {
			f.rows[rows], f.ids[rows] = row, uint32(id)
			rows++
			continue
		}
		ref := groups[(int(row)-nRows)*(words+1)+words]
		k := ref >> 32
		f.groups[k], f.groupIDs[k] = append(f.groups[k], uint32(ref)), append(f.groupIDs[k], uint32(id))
	}
	b := &block{n: id + 1, keys: f.out.words((id + 1) * words)}
	if order.exact {
		copy(b.keys, f.keys)
		return b
	}
	for id, row := range f.keys[:b.n] {
		copy(b.keys[id*words:], key(uint32(row)))
	}
	return b
}

// foldRows folds the bucket's rows, in key order, in chunks.
func (f *folder) foldRows(rows []uint64) {
	p := f.p
	for lo := 0; lo < len(f.rows); lo += chunkRows {
		part := f.rows[lo:min(lo+chunkRows, len(f.rows))]
		for i, c := range p.columns {
			words := f.words[i][:len(part)*c.words]
			gather(words, rows, part, p.rowWords, p.at[i], c.words)
			f.lanes[i].view(c.lane, c.words, len(part), words)
			if p.masked {
				f.lanes[i].valid = f.validity(i, rows, part)
			}
		}
		f.values.accumulate(f.states, f.ids[lo:lo+len(part)])
	}
}

// gather copies one value column of the rows listed.
func gather(dst, rows []uint64, part []uint32, rowWords, at, words int) {
	switch words {
	case 0:
	case 1:
		for i, row := range part {
			dst[i] = rows[int(row)*rowWords+at]
		}
	default:
		for i, row := range part {
			copy(dst[i*words:(i+1)*words], rows[int(row)*rowWords+at:])
		}
	}
}

// validity makes the bits of a value column from the rows' last words.
func (f *folder) validity(column int, rows []uint64, part []uint32) []uint64 {
	valid := f.valid[column][:wordsFor(len(part))]
	clear(valid)
	last := f.p.rowWords - 1
	for i, row := range part {
		valid[i>>6] |= rows[int(row)*f.p.rowWords+last] >> column & 1 << (i & 63)
	}
	return valid
}

// finish makes the block's columns.
func (f *folder) finish(b *block) *OverflowError {
	f.all = sized(f.all, b.n)
	for i := range f.all {
		f.all[i] = uint32(i)
	}
	first, which := -1, 0
	for a := range f.states.aggregates {
		columns, bad := f.finishColumns(a, b)
		b.columns = append(b.columns, columns...)
		if bad >= 0 && (first < 0 || bad < first) {
			first, which = bad, a
		}
	}
	if first < 0 {
		return nil
	}
	a := f.states.aggregates[which]
	return &OverflowError{
		Function: a.Function.Name,
		Column:   a.Name,
		Group:    f.p.groupText(b.keys[first*f.p.layout.words:]),
		Type:     a.Type.String(),
	}
}

// finishColumns are an aggregate's columns in the result: its values, or its
// states.
func (f *folder) finishColumns(aggregate int, b *block) ([]*column, int) {
	if f.p.engine.spec.Partial {
		return f.exportColumns(aggregate, b)
	}
	c, bad := f.states.finish(aggregate, f.all, f.out.bytes)
	return []*column{c}, bad
}
