package arrange

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// sorter collects rows and sorts them; with a limit, it keeps little more than
// the first of them.
type sorter struct {
	order
	limit int64

	rows    []entry // with the first word of the first key
	missing []entry // null in the first key

	full bool  // rows were cut to the limit once,
	last entry // and this was the last of them
}

// sorted is a sorter that has all rows.
type sorted struct{ *sorter }

// sortAll reads a source to its end and sorts its rows.
func sortAll(ctx context.Context, from Source, keys []Key, limit int64, room Room) (Source, error) {
	s, o := &sorter{order: order{keys: keys}, limit: limit}, &outside{room: room}
	fail := func(err error) (Source, error) {
		s.release()
		return nil, errors.Join(err, o.Close())
	}
	for {
		batch, err := from.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fail(err)
		}
		s.add(batch)
		if room.Keep != nil && s.collected() >= room.Rows {
			if err := o.keep(ctx, s); err != nil {
				return fail(err)
			}
		}
	}
	if len(o.kept) == 0 {
		s.sort()
		return sorted{s}, nil
	}
	if s.collected() > 0 {
		if err := o.keep(ctx, s); err != nil {
			return fail(err)
		}
	}
	if err := o.merge(ctx, s); err != nil {
		return fail(err)
	}
	return o, nil
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
	before := s.collected()
	number := s.hold(batch)
	s.collect(number, n)
	switch taken := s.collected() - before; {
	case taken == 0:
		s.drop(number)
	case s.limit >= 0 && int64(s.collected()) >= max(2*s.limit, s.limit+2*cutRows):
		s.cut()
	case s.full && taken < n/2:
		s.shrink(number)
	}
}

func (s *sorter) collected() int { return len(s.rows) + len(s.missing) }

// collect takes the rows of a batch that may be among the first.
func (s *sorter) collect(number, n int) {
	lastIsNull := s.full && s.column(s.last.ref, 0).isNull(s.last.ref.row())
	first := &s.columns[number][s.keys[0].Column]
	for row := range n {
		e := entry{ref: newRef(number, row)}
		if first.isNull(row) {
			if !s.full || lastIsNull && s.before(e.ref, s.last.ref) {
				s.missing = append(s.missing, e)
			}
			continue
		}
		e.word = s.word(e.ref, 0, 0)
		if !s.full || lastIsNull || e.word < s.last.word || e.word == s.last.word && s.before(e.ref, s.last.ref) {
			s.rows = append(s.rows, e)
		}
	}
}

// drop lets go of the batch that was taken over last.
func (s *sorter) drop(number int) {
	s.batches[number].Release()
	s.batches, s.columns = s.batches[:number], s.columns[:number]
}

// shrink replaces the batch that was taken over last by one of those of its
// rows that were collected.
func (s *sorter) shrink(number int) {
	var refs []ref
	renumber := func(rows []entry) {
		for i := len(rows) - 1; i >= 0 && rows[i].ref.batch() == number; i-- {
			refs = append(refs, rows[i].ref)
			rows[i].ref = newRef(number, len(refs)-1)
		}
	}
	renumber(s.rows)
	renumber(s.missing)
	part := s.batch(refs)
	s.drop(number)
	s.hold(part)
}

// sort lists the rows in order, no more than the limit.
func (s *sorter) sort() {
	s.sortWords(s.rows, 0, 0)
	s.sortBy(s.missing, 1)
	s.refs = make([]ref, 0, s.collected())
	for _, rows := range [][]entry{s.rows, s.missing} {
		for _, e := range rows {
			s.refs = append(s.refs, e.ref)
		}
	}
	if s.limit >= 0 && int64(len(s.refs)) > s.limit {
		s.refs = s.refs[:s.limit]
	}
}

// cut keeps no more rows than the limit.
func (s *sorter) cut() {
	s.sort()
	kept := gatherer{schema: s.schema}
	for len(s.refs) > 0 {
		n := s.fits(s.refs)
		kept.hold(s.batch(s.refs[:n]))
		s.refs = s.refs[n:]
	}
	s.release()
	s.gatherer, s.rows, s.missing, s.full = kept, s.rows[:0], s.missing[:0], false
	for number, b := range s.batches {
		s.collect(number, int(b.NumRows()))
	}
	s.full = true
	if s.last = s.rows[max(0, len(s.rows)-1):][0]; len(s.missing) > 0 {
		s.last = s.missing[len(s.missing)-1]
	}
}
