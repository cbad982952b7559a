package groupby

// A group's values leave in several rows of its key, one after the other: those
// of one multiset after those of another, each in order. The first row has the
// states of the other aggregates too.
//
//	key | sum | x.value | x.count | y.value | y.count
//	a   | 12  | 1       | 2       |         |
//	a   |     | 5       | 1       |         |
//	a   |     |         |         | p       | 1
//	b   | 3   | …
//
// So rows can be told apart and have an order (KeyOrder), in which runs of them
// can be cut into ranges also within a group, and a run that merges takes the
// rows of a key in any order, and in parts.

// valueSpread is where the rows of a block's groups go.
type valueSpread struct {
	starts []int   // by group, its first row; then the end
	counts [][]int // by multiset and group: how many of them have its values
}

// spreadMultisets counts the different values of a bucket's groups instead of
// folding them.
func (f *folder) spreadMultisets(bucket int, b *block) {
	s := &f.spread
	s.counts = sized(s.counts, len(f.multisets))
	s.starts = make([]int, b.n+1)
	for k := range f.multisets {
		counts := make([]int, b.n)
		f.multisets[k].open(bucket, f.p.interned[k].rank)
		f.multisets[k].each(b, func(id uint32, v groupValues) {
			v.each(func([]uint64, uint64) bool {
				counts[id]++
				return true
			})
			s.starts[id+1] += counts[id]
		})
		s.counts[k] = counts
	}
	for id := range b.n {
		s.starts[id+1] = s.starts[id] + max(1, s.starts[id+1])
	}
}

// rows is the number of rows of the block.
func (s *valueSpread) rows() int { return s.starts[len(s.starts)-1] }

// columns gives the columns of a state rows for all values.
func (s *valueSpread) columns(list []*column) []*column {
	if s.rows() == len(s.starts)-1 {
		return list
	}
	wide := make([]*column, len(list))
	for k, c := range list {
		w := newColumn(c.typ, s.rows(), c.alloc)
		for id := range len(s.starts) - 1 {
			w.copyFrom(s.starts[id], c, id, id+1)
			for row := s.starts[id] + 1; row < s.starts[id+1]; row++ {
				w.appendNull(row)
			}
		}
		wide[k] = w
	}
	return wide
}

// appendNull makes value i null, the next one of a column whose values have any
// length.
func (c *column) appendNull(i int) {
	if c.width == 0 {
		c.append(nil)
	}
	c.setNull(i)
}

// keys gives the block's keys rows for all values.
func (f *folder) spreadKeys(b *block) {
	s, words := &f.spread, f.p.layout.words
	keys := f.out.words(s.rows() * words)
	for id := range b.n {
		for row := s.starts[id]; row < s.starts[id+1]; row++ {
			copy(keys[row*words:(row+1)*words], b.keys[id*words:(id+1)*words])
		}
	}
	b.n, b.keys = s.rows(), keys
}

// exportColumns are the state columns of an aggregate, none where those of
// another are its own.
func (f *folder) exportColumns(aggregate int, b *block) ([]*column, int) {
	e := f.p.engine
	k := e.multisetOf[aggregate]
	switch {
	case k < 0 && len(f.multisets) == 0:
		return f.states.export(aggregate, f.all, f.out.bytes)
	case k < 0:
		list, bad := f.states.export(aggregate, f.all, f.out.bytes)
		return f.spread.columns(list), bad
	case e.multisets[k].first == aggregate:
		return f.exportMultiset(k, b), -1
	}
	return nil, -1
}

// exportMultiset makes the state columns of a multiset.
func (f *folder) exportMultiset(k int, b *block) (list []*column) {
	s, m := &f.spread, f.p.engine.multisets[k]
	for _, field := range m.stateFields() {
		list = append(list, newColumn(field.Type, s.rows(), f.out.bytes))
	}
	counts := list[len(list)-1]
	put, end := f.valueWriter(k, list)
	row := 0
	nulls := func(until int) {
		for ; row < until; row++ {
			put(row, nil)
			counts.setNull(row)
		}
	}
	f.multisets[k].each(b, func(id uint32, v groupValues) {
		first := s.starts[id]
		for _, others := range s.counts[:k] {
			first += others[id]
		}
		nulls(first)
		v.each(func(value []uint64, count uint64) bool {
			put(row, value)
			counts.putInt(row, count)
			row++
			return true
		})
	})
	nulls(s.rows())
	end()
	return list
}

// valueWriter returns the functions that store a multiset's values, nil for
// null, row after row, and end that.
func (f *folder) valueWriter(k int, list []*column) (put func(row int, words []uint64), end func()) {
	m := f.p.engine.multisets[k]
	if m.interned() {
		ranks, values := f.ranks[:0], f.p.interned[k].values
		put = func(_ int, words []uint64) {
			rank := uint32(values.len())
			if words != nil {
				rank = uint32(words[0])
			}
			ranks = append(ranks, rank)
		}
		return put, func() {
			values.appendTo(list[0], ranks)
			f.ranks = ranks
		}
	}
	code := m.code
	code.typ = list[0].typ
	store := code.wordDecoder(list[0])
	return func(row int, words []uint64) {
		if words == nil {
			for _, c := range list[:len(list)-1] {
				c.setNull(row)
			}
			return
		}
		store(row, words)
		if code.exact {
			list[1].putInt(row, uint64(intOfOrdered(words[1])))
		}
	}, func() {}
}
