package arrange

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// sorter collects rows and sorts them.
type sorter struct {
	gatherer
	keys        []Key
	comparisons []comparison // by key
	limit       int64
	last        ref // with a limit, once there are so many rows: the last of them
	full        bool
	entries     []entry
}

// entry is a row and the word of the column that is being sorted by.
type entry struct {
	word uint64
	ref  ref
}

// sorted is a sorter that has all rows.
type sorted struct{ *sorter }

// sortAll reads a source to its end and sorts its rows.
func sortAll(ctx context.Context, from Source, keys []Key, limit int64) (Source, error) {
	s := &sorter{keys: keys, limit: limit}
	for {
		batch, err := from.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			s.release()
			return nil, err
		}
		s.add(batch)
	}
	s.sort()
	return sorted{s}, nil
}

func (s sorted) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.take()
}

func (s sorted) Close() error {
	s.release()
	return nil
}

// add takes over a batch.
func (s *sorter) add(batch arrow.RecordBatch) {
	if s.schema == nil {
		s.schema = batch.Schema()
		for _, k := range s.keys {
			s.comparisons = append(s.comparisons, comparisonOf(s.schema.Field(k.Column).Type))
		}
	}
	n := int(batch.NumRows())
	number := s.hold(batch)
	from := len(s.refs)
	for row := range n {
		if r := newRef(number, row); !s.full || s.before(r, s.last) {
			s.refs = append(s.refs, r)
		}
	}
	switch {
	case len(s.refs) == from:
		s.drop(number)
	case s.limit >= 0 && int64(len(s.refs)) >= max(2*s.limit, s.limit+2*cutRows):
		s.cut()
	case s.full && len(s.refs)-from < n/2:
		s.shrink(number, from)
	}
}

// drop lets go of the batch that was taken over last.
func (s *sorter) drop(number int) {
	s.batches[number].Release()
	s.batches, s.columns = s.batches[:number], s.columns[:number]
}

// shrink replaces the batch that was taken over last by one of those of its
// rows that were collected.
func (s *sorter) shrink(number, from int) {
	part := s.batch(s.refs[from:])
	n := len(s.refs) - from
	s.drop(number)
	s.refs = s.refs[:from]
	s.hold(part)
	for row := range n {
		s.refs = append(s.refs, newRef(number, row))
	}
}

// cut sorts what there is and keeps no more rows than the limit.
func (s *sorter) cut() {
	s.sort()
	kept := gatherer{schema: s.schema}
	for len(s.refs) > 0 {
		n := s.fits(s.refs)
		number := kept.hold(s.batch(s.refs[:n]))
		for row := range n {
			kept.refs = append(kept.refs, newRef(number, row))
		}
		s.refs = s.refs[n:]
	}
	s.release()
	s.gatherer = kept
	if s.full = true; len(kept.refs) > 0 {
		s.last = kept.refs[len(kept.refs)-1]
	}
}

// sort brings the rows in order and cuts them to the limit.
func (s *sorter) sort() {
	s.entries = s.entries[:0]
	for _, r := range s.refs {
		s.entries = append(s.entries, entry{ref: r})
	}
	s.sortBy(s.entries, 0)
	if s.limit >= 0 && int64(len(s.refs)) > s.limit {
		s.refs = s.refs[:s.limit]
	}
	for i := range s.refs {
		s.refs[i] = s.entries[i].ref
	}
}

// sortBy sorts rows that are equal in all keys before k and lie in the order in
// which they came.
func (s *sorter) sortBy(rows []entry, k int) {
	if k == len(s.keys) || len(rows) < 2 {
		return
	}
	key, c := s.keys[k], s.comparisons[k]
	nulls := s.load(rows, key, c)
	values := rows[:len(rows)-nulls]
	slices.SortFunc(values, func(a, b entry) int {
		if a.word != b.word {
			return cmp.Compare(a.word, b.word)
		}
		if !c.exact {
			if d := s.compareValues(key, c, a.ref, b.ref); d != 0 {
				return d
			}
		}
		return cmp.Compare(a.ref, b.ref)
	})
	for lo := 0; lo < len(values); {
		hi := lo + 1
		for hi < len(values) && values[hi].word == values[lo].word &&
			(c.exact || s.compareValues(key, c, values[lo].ref, values[hi].ref) == 0) {
			hi++
		}
		s.sortBy(values[lo:hi], k+1)
		lo = hi
	}
	s.sortBy(rows[len(values):], k+1)
}

// load gives rows the words of a key, moves those that are null behind the
// others and returns their number.
func (s *sorter) load(rows []entry, key Key, c comparison) (nulls int) {
	var last []entry
	n := 0
	for _, e := range rows {
		col := &s.columns[e.ref.batch()][key.Column]
		if col.isNull(e.ref.row()) {
			last = append(last, e)
			continue
		}
		e.word = word(col, e.ref.row(), key, c)
		rows[n] = e
		n++
	}
	copy(rows[n:], last)
	return len(last)
}

func word(col *column, row int, key Key, c comparison) uint64 {
	w := c.word(col, row)
	if key.Descending {
		return ^w
	}
	return w
}

// compareValues compares values whose words are equal.
func (s *sorter) compareValues(key Key, c comparison, a, b ref) int {
	x := s.columns[a.batch()][key.Column].value(a.row())
	y := s.columns[b.batch()][key.Column].value(b.row())
	if key.Descending {
		x, y = y, x
	}
	return c.compare(x, y)
}

// before tells whether row a comes before row b, the later of two equal rows
// being a.
func (s *sorter) before(a, b ref) bool {
	for k, key := range s.keys {
		c := s.comparisons[k]
		x, y := &s.columns[a.batch()][key.Column], &s.columns[b.batch()][key.Column]
		switch noX, noY := x.isNull(a.row()), y.isNull(b.row()); {
		case noX && noY:
			continue
		case noX || noY:
			return noY
		}
		if v, w := word(x, a.row(), key, c), word(y, b.row(), key, c); v != w {
			return v < w
		}
		if c.exact {
			continue
		}
		if d := s.compareValues(key, c, a, b); d != 0 {
			return d < 0
		}
	}
	return false
}
