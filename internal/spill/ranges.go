package spill

import (
	"bytes"
	"slices"
)

// ranges cuts the keys of several runs into ranges, at the beginnings of their
// batches.
type ranges struct {
	starts []start // ascending
	at     int
	from   []byte // of the next range; nil: there was none yet
}

type start struct {
	key  []byte
	rows int64
}

func newRanges(runs []*run) *ranges {
	var c ranges
	for _, r := range runs {
		for _, key := range r.starts {
			c.starts = append(c.starts, start{key, r.rows / int64(len(r.starts))})
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
	k = keyRange{from: c.from}
	if i < len(c.starts) {
		k.to = c.starts[i].key
	}
	return k, n, i
}

// take goes on behind a range that ends there.
func (c *ranges) take(end int) {
	c.at = end
	if end < len(c.starts) {
		c.from = c.starts[end].key
	}
}
