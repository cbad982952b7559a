package expr

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
)

// Filter selects rows by a condition. It owns scratch memory and is for one
// goroutine.
type Filter struct {
	condition *Condition
	evaluator *evaluator
	answer    truth
	rows      []int32
}

// NewFilter returns a filter for one goroutine.
func (c *Condition) NewFilter() *Filter {
	return &Filter{condition: c, evaluator: newEvaluator(len(c.used), c.testers, c.outputs)}
}

// Select returns the rows of a batch for which the condition is true, neither
// false nor null: all of them, or those listed, ascending. columns are those
// that Condition.Uses lists, each with rows values; nil is a column that the
// input lacks. The list is valid until the next call. An error about a value is
// a *ValueError.
//
// Batches of more than 2^31-1 rows are taken only where they hold no data, so
// that all rows are alike.
func (f *Filter) Select(columns []arrow.ArrayData, rows int64) (selected []int32, all bool, err error) {
	alike := f.evaluator.begin(columns, rows)
	if rows > math.MaxInt32 && !alike {
		return nil, false, fmt.Errorf("a batch of %d rows is too large to filter", rows)
	}
	if err := f.condition.root.answer(f.evaluator, &f.answer); err != nil {
		return nil, false, err
	}
	passed := f.answer.yes.count()
	if passed == f.evaluator.n {
		return nil, true, nil
	}
	f.rows = f.rows[:0]
	if alike {
		return f.rows, false, nil
	}
	f.rows = f.answer.yes.rows(f.rows)
	return f.rows, false, nil
}
