package expr

import (
	"github.com/apache/arrow-go/v18/arrow"
)

// test is a node of a bound condition: it answers for every row of the batch
// that the evaluator has.
type test interface {
	answer(e *evaluator, t *truth) error
}

// value is a node that gives a value for every row.
type value interface {
	compute(e *evaluator) (*vector, error)
	// dataType is the type that the value has once the inputs are reconciled.
	// The vectors of a batch may have another of the same class.
	dataType() arrow.DataType
}

// logic joins answers.
type logic struct {
	or    bool
	terms []test
}

func (l *logic) answer(e *evaluator, t *truth) error {
	if err := l.terms[0].answer(e, t); err != nil {
		return err
	}
	u := e.borrow()
	defer e.giveBack()
	for _, term := range l.terms[1:] {
		if err := term.answer(e, u); err != nil {
			return err
		}
		if l.or {
			t.or(u)
		} else {
			t.and(u)
		}
	}
	return nil
}

// negation answers the contrary.
type negation struct{ x test }

func (n *negation) answer(e *evaluator, t *truth) error {
	err := n.x.answer(e, t)
	t.not()
	return err
}

// certain is true or false.
type certain bool

func (c certain) answer(e *evaluator, t *truth) error {
	t.all(bool(c), e.n)
	return nil
}

// isTrue takes a boolean value for a condition.
type isTrue struct{ x value }

func (i *isTrue) answer(e *evaluator, t *truth) error {
	v, err := i.x.compute(e)
	if err != nil {
		return err
	}
	if v.form != formTruth {
		t.none(e.n)
		return nil
	}
	t.resize(e.n)
	copy(t.yes, v.truth)
	t.decide(v.valid, e.n)
	return nil
}

// isNull is the one test that nulls pass.
type isNull struct{ x value }

func (i *isNull) answer(e *evaluator, t *truth) error {
	v, err := i.x.compute(e)
	if err != nil {
		return err
	}
	t.all(v.form == formNone, e.n)
	if v.valid != nil && v.form != formNone {
		copy(t.yes, t.no)
		for w := range t.yes {
			t.yes[w] &^= v.valid[w]
			t.no[w] = v.valid[w]
		}
	}
	return nil
}

// tester marks the rows of a vector whose value passes. What it marks for rows
// without a value does not matter.
type tester interface {
	test(v *vector, yes bitmap)
}

func (p *pattern) test(v *vector, yes bitmap) {
	clear(yes)
	for i, b := range v.bytes {
		mark(yes, i, p.has(b))
	}
}

// unary tests the values of one column or function.
type unary struct {
	x value
	// testers by evaluator: number is the place of this node's in there.
	number int
	// make returns a tester for values of a type, which may be another in the
	// next batch.
	make func(dt arrow.DataType) tester
}

func (u *unary) answer(e *evaluator, t *truth) error {
	if c, ok := u.x.(*column); ok {
		if done, err := u.answerEncoded(e, c, t); done || err != nil {
			return err
		}
	}
	v, err := u.x.compute(e)
	if err != nil {
		return err
	}
	if v.form == formNone {
		t.none(e.n)
		return nil
	}
	t.resize(e.n)
	e.tester(u, v.typ).test(v, t.yes)
	t.decide(v.valid, e.n)
	return nil
}

// answerEncoded tests the entries of a dictionary, or the runs, instead of the
// rows where there are fewer of them.
func (u *unary) answerEncoded(e *evaluator, c *column, t *truth) (done bool, err error) {
	l, values, valid, err := e.entries(c)
	if l == nil || err != nil {
		return false, err
	}
	if values.form == formNone {
		t.none(e.n)
		return true, nil
	}
	passed := e.borrow()
	defer e.giveBack()
	passed.resize(values.n)
	e.tester(u, values.typ).test(values, passed.yes)
	t.resize(e.n)
	t.yes = l.spreadBits(t.yes, passed.yes)
	if values.valid != nil {
		valid = l.spreadValid(values.valid, valid)
	}
	t.decide(valid, e.n)
	return true, nil
}
