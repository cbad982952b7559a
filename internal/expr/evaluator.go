package expr

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"
)

// evaluator computes the nodes of one bound expression over one batch after
// the other. It owns all scratch memory and is for one goroutine.
type evaluator struct {
	columns []arrow.ArrayData // of this batch, one per used column
	n       int

	selected []int32 // rows whose values are asked for, nil for all

	loaders []loader
	loaded  []bool
	testers []typedTester
	truths  []*truth
	lent    int
	outputs [][]uint64 // of the functions, by their number
}

type typedTester struct {
	typ    arrow.DataType
	tester tester
}

func newEvaluator(columns, testers, outputs int) *evaluator {
	return &evaluator{
		loaders: make([]loader, columns),
		loaded:  make([]bool, columns),
		testers: make([]typedTester, testers),
		outputs: make([][]uint64, outputs),
	}
}

// begin takes the next batch. Rows without any data, of which there may be any
// number, are all alike: then one row stands for all, and alike is true.
func (e *evaluator) begin(columns []arrow.ArrayData, rows int64) (alike bool) {
	alike = true
	for _, a := range columns {
		if a != nil && a.DataType().ID() != arrow.NULL {
			alike = false
		}
	}
	e.columns, e.n, e.selected = columns, int(min(rows, math.MaxInt32)), nil
	if alike {
		e.columns, e.n = make([]arrow.ArrayData, len(columns)), int(min(rows, 1))
	}
	clear(e.loaded)
	return alike
}

// rows calls yield with the rows whose values are asked for.
func (e *evaluator) rows(yield func(int) bool) {
	if e.selected == nil {
		for i := range e.n {
			if !yield(i) {
				return
			}
		}
		return
	}
	for _, i := range e.selected {
		if !yield(int(i)) {
			return
		}
	}
}

// borrow lends scratch for an answer until giveBack, in the manner of a stack.
func (e *evaluator) borrow() *truth {
	if e.lent == len(e.truths) {
		e.truths = append(e.truths, &truth{})
	}
	e.lent++
	return e.truths[e.lent-1]
}

func (e *evaluator) giveBack() { e.lent-- }

// tester returns a node's tester for values of a type.
func (e *evaluator) tester(u *unary, dt arrow.DataType) tester {
	kept := &e.testers[u.number]
	if kept.tester == nil || !arrow.TypeEqual(kept.typ, dt) {
		*kept = typedTester{dt, u.make(dt)}
	}
	return kept.tester
}

// column is a column of the inputs.
type column struct {
	number int // among the used ones
	typ    arrow.DataType
}

func (c *column) dataType() arrow.DataType { return c.typ }

func (c *column) compute(e *evaluator) (*vector, error) {
	l := &e.loaders[c.number]
	if !e.loaded[c.number] {
		if _, err := l.load(e.columns[c.number], e.n, c.boolean()); err != nil {
			return nil, err
		}
		e.loaded[c.number] = true
	}
	return &l.vector, nil
}

func (c *column) boolean() bool { return c.typ.ID() == arrow.BOOL }

// entries returns the distinct values of an encoded column, the rows that have
// them (in the loader) and the rows that have any; no loader if the column is
// not encoded, is loaded already, or has more entries than rows.
func (e *evaluator) entries(c *column) (l *loader, values *vector, valid bitmap, err error) {
	a := e.columns[c.number]
	if a == nil || e.loaded[c.number] {
		return nil, nil, nil, nil
	}
	dt := storage(a.DataType())
	switch dt.ID() {
	case arrow.DICTIONARY:
		if a.Dictionary().Len() > e.n {
			return nil, nil, nil, nil
		}
	case arrow.RUN_END_ENCODED:
		if a.Children()[1].Len() > e.n {
			return nil, nil, nil, nil
		}
	default:
		return nil, nil, nil, nil
	}
	l = &e.loaders[c.number]
	l.vector = vector{typ: dt, n: e.n}
	values, valid, err = l.loadEntries(a, e.n, c.boolean())
	return l, values, valid, err
}
