package groupby

// densePair is two columns of a chunk without the rows that lack a needed
// value, and the group ids of what is left. A column that is not needed keeps
// its nulls.
type densePair struct {
	rows []uint64
	ids  []uint32
	x, y vector
}

// of makes d what x, y and ids are in the rows that have all that is needed.
func (d *densePair) of(needs [2]bool, x, y *vector, ids []uint32) *densePair {
	d.rows = sized(d.rows, wordsFor(len(ids)))
	for i := range d.rows {
		d.rows[i] = ^uint64(0)
	}
	if tail := len(ids) & 63; tail != 0 {
		d.rows[len(d.rows)-1] = 1<<tail - 1
	}
	for k, v := range [2]*vector{x, y} {
		if !needs[k] || v.valid == nil {
			continue
		}
		for i := range d.rows {
			d.rows[i] &= v.valid[i]
		}
	}
	d.ids = compact(d.ids, ids, d.rows)
	for k, v := range [2]*vector{x, y} {
		to := [2]*vector{&d.x, &d.y}[k]
		to.pick(v, d.rows)
		if needs[k] {
			to.valid = nil
		}
	}
	return d
}
