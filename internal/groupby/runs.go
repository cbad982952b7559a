package groupby

// runs are the values of a leading key column in a batch: groups stand in key
// order, so the first columns change rarely, and what a run of one value takes
// is made once and copied.
type runs struct {
	ranks []uint32
	ends  []int // by run: the row after its last
}

// minRun is the length of runs, on average, from which on they are worth it.
const minRun = 8

// runs finds the runs of a key column in a span. They end where a column before
// it changes too. It says no if they are short, as those of all columns behind
// it are then.
func (r *Result) runs(s span, column int) (runs, bool) {
	var found runs
	f := r.layout.fields[column]
	if f.word > 0 {
		return found, false
	}
	at, last := 0, uint64(0)
	r.pieces(s, func(b *block, lo, hi int) bool {
		for lo < hi {
			prefix := b.keys[lo*r.layout.words] >> f.shift
			end := r.runEnd(b.keys, f.shift, lo, hi)
			at, lo = at+end-lo, end
			if k := len(found.ends); k > 0 && prefix == last {
				found.ends[k-1] = at
				continue
			}
			last = prefix
			found.ranks = append(found.ranks, uint32(prefix&(1<<f.width-1)))
			found.ends = append(found.ends, at)
		}
		return minRun*len(found.ends) <= s.n
	})
	return found, minRun*len(found.ends) <= s.n
}

// runEnd is the first of the groups from lo to hi whose key differs from that of
// lo above the lowest shift bits: by ever longer steps, then by halves.
func (r *Result) runEnd(keys []uint64, shift, lo, hi int) int {
	prefix := keys[lo*r.layout.words] >> shift
	step := 1
	for lo+step < hi && keys[(lo+step)*r.layout.words]>>shift == prefix {
		lo += step
		step *= 2
	}
	for hi = min(hi, lo+step); hi-lo > 1; {
		if half := (lo + hi) / 2; keys[half*r.layout.words]>>shift == prefix {
			lo = half
		} else {
			hi = half
		}
	}
	return hi
}

// spread makes c's values those of d, value k as often as it takes to reach
// ends[k].
func (c *column) spread(d *column, ends []int) {
	if c.width == 0 {
		c.spreadBytes(d, ends)
	} else {
		at := 0
		for k, end := range ends {
			repeat(c.fixed[at*c.width:end*c.width], d.fixed[k*c.width:(k+1)*c.width])
			at = end
		}
	}
	if d.nulls == 0 {
		return
	}
	at := 0
	for k, end := range ends {
		for ; at < end; at++ {
			if d.isNull(k) {
				c.setNull(at)
			}
		}
	}
}

func (c *column) spreadBytes(d *column, ends []int) {
	total, at := 0, 0
	for k, end := range ends {
		total += (end - at) * len(d.at(k))
		at = end
	}
	c.bytes, c.ends = c.alloc(total), c.ends[:c.n]
	row, at := 0, 0
	for k, end := range ends {
		value := d.at(k)
		repeat(c.bytes[at:at+(end-row)*len(value)], value)
		for ; row < end; row++ {
			at += len(value)
			c.ends[row] = int64(at)
		}
	}
}

// repeat fills dst with copies of value, each of which doubles what is there.
func repeat(dst, value []byte) {
	for n := copy(dst, value); n > 0 && n < len(dst); {
		n += copy(dst[n:], dst[:n])
	}
}
