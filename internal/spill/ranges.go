package spill

import (
	"bytes"
	"slices"
)

// ranges cuts keys of several runs into ranges, at the marks of the runs and where
// split says.
type ranges struct {
	starts []start // ascending
	at     int
	from   []byte // of the next range; nil: there was none yet
	to     []byte // of the last range; nil: no bound
	within bool   // groups may be cut
}

type start struct {
	key    []byte
	rows   int64
	within bool // it is within a group
}

// newRanges cuts a range of keys.
func newRanges(runs []*run, k keyRange, within bool) *ranges {
	c := ranges{from: k.from, to: k.to, within: within}
	for _, r := range runs {
		lo, hi := r.overlap(k)
		if lo == hi {
			continue
		}
		marks := r.marks[r.first[lo]:]
		if hi < len(r.first) {
			marks = r.marks[r.first[lo]:r.first[hi]]
		}
		for i, m := range marks {
			before := k.from != nil && i+1 < len(marks) && bytes.Compare(marks[i+1].key, k.from) <= 0
			if before || k.to != nil && bytes.Compare(m.key, k.to) >= 0 {
				continue
			}
			s := start{m.key, m.rows, m.within >= 0}
			if s.within && !within {
				s.key = s.key[:m.within] // the whole group lies behind it
			}
			if k.from != nil && bytes.Compare(s.key, k.from) < 0 {
				s.key = k.from
			}
			c.starts = append(c.starts, s)
		}
	}
	slices.SortFunc(c.starts, func(a, b start) int { return bytes.Compare(a.key, b.key) })
	return &c
}

// ended tells that the last range was taken.
func (c *ranges) ended() bool { return c.at == len(c.starts) }

// next is a range of about so many rows, at least up to the next place that it
// can be cut at, how many rows it has, and where it ends.
func (c *ranges) next(rows int64) (k keyRange, n int64, end int) {
	i := c.at
	for i < len(c.starts) {
		j := i + 1
		for j < len(c.starts) && bytes.Equal(c.starts[j].key, c.starts[i].key) {
			j++
		}
		more := int64(0)
		for _, s := range c.starts[i:j] {
			more += s.rows
		}
		if i > c.at && n+more > rows {
			break
		}
		n, i = n+more, j
	}
	k = keyRange{from: c.from, to: c.to}
	if i < len(c.starts) {
		k.to = c.starts[i].key
	}
	return k, n, i
}

// least is what no key of the next range is less than.
func (c *ranges) least() []byte { return c.starts[c.at].key }

// split makes a key, which is in the range from here to end that could not be cut,
// a place to cut it at. About half of the rows are taken to lie on each side.
func (c *ranges) split(key []byte, end int) {
	rows, within := int64(0), false
	for i := c.at; i < end; i++ {
		c.starts[i].rows = (c.starts[i].rows + 1) / 2
		rows, within = rows+c.starts[i].rows, within || c.starts[i].within
	}
	c.starts = slices.Insert(c.starts, end, start{key, max(1, rows), within})
}

// cutsWithin tells whether the range from here to end could be cut within groups.
func (c *ranges) cutsWithin(end int) bool {
	return !c.within && slices.ContainsFunc(c.starts[c.at:end], func(s start) bool { return s.within })
}

// take goes on behind a range that ends there.
func (c *ranges) take(end int) {
	c.at = end
	if end < len(c.starts) {
		c.from = c.starts[end].key
	}
}
