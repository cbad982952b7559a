package groupby

// chunkValues is what aggregates read of a chunk: a vector for each value
// column (see valueColumns), and, made when first wanted, the same without
// nulls.
type chunkValues struct {
	of      []int // by aggregate: its value column, -1: the rows alone
	vectors []*vector
	dense   []dense
}

func newChunkValues(of []int, columns int) chunkValues {
	return chunkValues{of: of, vectors: make([]*vector, columns), dense: make([]dense, columns)}
}

// accumulate folds a chunk into the groups of its rows, one aggregate after the
// other.
func (c *chunkValues) accumulate(s *states, ids []uint32) {
	c.markFull(s, ids)
	for i := range c.dense {
		c.dense[i].made = false
	}
	for a, acc := range s.accumulators {
		if c.of[a] < 0 {
			acc.update(s, ids, nil)
			continue
		}
		v := c.vectors[c.of[a]]
		switch {
		case v.lane == laneNone:
		case v.valid == nil:
			acc.update(s, ids, v)
		default:
			d := c.dense[c.of[a]].of(v, ids)
			word, bit := flag(a)
			s.mark(d.ids, word, bit)
			acc.update(s, d.ids, &d.values)
		}
	}
}

// markFull sets the flags of the rows' groups and of the aggregates that have a
// value in every row: one pass, which also brings the records into the cache.
func (c *chunkValues) markFull(s *states, ids []uint32) {
	for word := range s.flagWords {
		var mask uint64
		if word == 0 {
			mask = touched
		}
		for a, column := range c.of {
			if at, bit := flag(a); at == word && column >= 0 {
				if v := c.vectors[column]; v.valid == nil && v.lane != laneNone {
					mask |= bit
				}
			}
		}
		if mask != 0 {
			s.mark(ids, word, mask)
		}
	}
}
