package groupby

// chunkValues is what aggregates read of a chunk: a vector for each value
// column (see valueColumns), and, made when first wanted, the same without
// nulls.
type chunkValues struct {
	of      [][]int // by aggregate: its value columns; none: the rows alone
	vectors []*vector
	dense   []dense
	pair    densePair
}

func newChunkValues(of [][]int, columns int) chunkValues {
	return chunkValues{of: of, vectors: make([]*vector, columns), dense: make([]dense, columns)}
}

// accumulate folds a chunk into the groups of its rows, one aggregate after the
// other.
func (c *chunkValues) accumulate(s *states, ids []uint32) {
	c.markFull(s, ids)
	s.fetched = s.fetch(ids)
	for i := range c.dense {
		c.dense[i].made = false
	}
	for a, acc := range s.accumulators {
		switch acc := acc.(type) {
		case single:
			c.accumulateOne(s, a, acc, ids)
		case paired:
			c.accumulatePair(s, a, acc, ids)
		}
	}
}

func (c *chunkValues) accumulateOne(s *states, a int, acc single, ids []uint32) {
	if len(c.of[a]) == 0 {
		acc.update(s, ids, nil)
		return
	}
	column := c.of[a][0]
	switch v := c.vectors[column]; {
	case v.lane == laneNone:
	case v.valid == nil:
		acc.update(s, ids, v)
	default:
		d := c.dense[column].of(v, ids)
		s.flags.set(d.ids, valued(a))
		acc.update(s, d.ids, &d.values)
	}
}

func (c *chunkValues) accumulatePair(s *states, a int, acc paired, ids []uint32) {
	x, y := c.vectors[c.of[a][0]], c.vectors[c.of[a][1]]
	full, none := fullness(acc.needs(), x, y)
	switch {
	case none:
	case full:
		acc.updatePair(s, ids, x, y)
	default:
		d := c.pair.of(acc.needs(), x, y, ids)
		if len(d.ids) == 0 {
			return
		}
		s.flags.set(d.ids, valued(a))
		acc.updatePair(s, d.ids, &d.x, &d.y)
	}
}

// fullness says of a pair whether every row has all that is needed, and whether
// no row has.
func fullness(needs [2]bool, x, y *vector) (full, none bool) {
	full = true
	for k, v := range [2]*vector{x, y} {
		if needs[k] {
			full = full && v.lane != laneNone && v.valid == nil
			none = none || v.lane == laneNone
		}
	}
	return full, none
}

// markFull sets the flags of the rows' groups and of the aggregates that have a
// value in every row, one pass a plane.
func (c *chunkValues) markFull(s *states, ids []uint32) {
	for plane := range s.flags.planes {
		m := mask{plane: plane}
		if plane == touched.plane {
			m.bits = touched.bits
		}
		for a := range c.of {
			if v := valued(a); v.plane == plane && c.full(s, a) {
				m.bits |= v.bits
			}
		}
		if m.bits != 0 {
			s.flags.set(ids, m)
		}
	}
}

// full tells whether an aggregate has a value in every row.
func (c *chunkValues) full(s *states, a int) bool {
	of := c.of[a]
	if len(of) == 0 {
		return false
	}
	if acc, ok := s.accumulators[a].(paired); ok {
		full, _ := fullness(acc.needs(), c.vectors[of[0]], c.vectors[of[1]])
		return full
	}
	v := c.vectors[of[0]]
	return v.valid == nil && v.lane != laneNone
}
