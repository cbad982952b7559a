package expr

import (
	"bytes"
	"cmp"
	"math"
	"math/big"

	"arrowagg/internal/syntax"
)

// passes tells for each sign of a comparison (below, equal, above) whether an
// operator holds.
var passes = map[syntax.Op][3]bool{
	syntax.Equal:          {false, true, false},
	syntax.NotEqual:       {true, false, true},
	syntax.Less:           {true, false, false},
	syntax.LessOrEqual:    {true, true, false},
	syntax.Greater:        {false, false, true},
	syntax.GreaterOrEqual: {false, true, true},
}

// mirrored is the operator that holds with the sides exchanged.
var mirrored = map[syntax.Op]syntax.Op{
	syntax.Equal:          syntax.Equal,
	syntax.NotEqual:       syntax.NotEqual,
	syntax.Less:           syntax.Greater,
	syntax.LessOrEqual:    syntax.GreaterOrEqual,
	syntax.Greater:        syntax.Less,
	syntax.GreaterOrEqual: syntax.LessOrEqual,
}

// comparison compares two values of one class, row by row and exactly: no
// value is rounded to the other's type.
type comparison struct {
	passes      [3]bool
	left, right value
}

func (c *comparison) answer(e *evaluator, t *truth) error {
	left, err := c.left.compute(e)
	if err != nil {
		return err
	}
	right, err := c.right.compute(e)
	if err != nil {
		return err
	}
	if left.form == formNone || right.form == formNone {
		t.none(e.n)
		return nil
	}
	t.resize(e.n)
	clear(t.yes)
	compare := comparer(left, right)
	for i := range e.n {
		if left.has(i) && right.has(i) {
			mark(t.yes, i, c.passes[compare(i)+1])
		}
	}
	t.decide(left.valid, e.n)
	if right.valid != nil {
		for w := range t.yes {
			t.yes[w] &= right.valid[w]
			t.no[w] &= right.valid[w]
		}
	}
	return nil
}

func (v *vector) has(i int) bool { return v.valid == nil || v.valid.has(i) }

// comparer returns a function that compares row i of two vectors. The common
// pairs are compared as they are, all others as rational numbers.
func comparer(a, b *vector) func(i int) int {
	sameUnit := unitsPer(a.typ).Cmp(unitsPer(b.typ)) == 0
	switch {
	case a.form == formBytes:
		return func(i int) int { return bytes.Compare(a.bytes[i], b.bytes[i]) }
	case a.form == formFloat && b.form == formFloat:
		return func(i int) int { return cmp.Compare(int64(floatKey(a.words[i])), int64(floatKey(b.words[i]))) }
	case a.form == formSigned && b.form == formSigned && sameUnit:
		return func(i int) int { return cmp.Compare(int64(a.words[i]), int64(b.words[i])) }
	case a.form == formUnsigned && b.form == formUnsigned:
		return func(i int) int { return cmp.Compare(a.words[i], b.words[i]) }
	case a.form == formWide && b.form == formWide && sameUnit:
		return func(i int) int { return a.wide[i].Cmp(b.wide[i]) }
	}
	return func(i int) int {
		x, above := a.rational(i)
		y, aboveToo := b.rational(i)
		if above != 0 || aboveToo != 0 {
			return cmp.Compare(above, aboveToo)
		}
		return x.Cmp(y)
	}
}

// rational is the number in row i. Floats that are none lie beyond: -inf at
// -1, inf at 1 and NaN at 2.
func (v *vector) rational(i int) (x *big.Rat, beyond int) {
	switch v.form {
	case formFloat:
		f := math.Float64frombits(v.words[i])
		switch {
		case math.IsNaN(f):
			return nil, 2
		case math.IsInf(f, 0):
			return nil, int(math.Copysign(1, f))
		}
		return new(big.Rat).SetFloat64(f), 0
	case formSigned:
		x = new(big.Rat).SetInt64(int64(v.words[i]))
	case formUnsigned:
		x = new(big.Rat).SetInt(new(big.Int).SetUint64(v.words[i]))
	case formWide:
		n, _ := new(big.Int).SetString(v.wide[i].String(), 10)
		x = new(big.Rat).SetInt(n)
	}
	return x.Quo(x, unitsPer(v.typ)), 0
}

// equivalence compares two answers as truth values, false below true.
type equivalence struct {
	passes      [3]bool
	left, right test
}

func (q *equivalence) answer(e *evaluator, t *truth) error {
	if err := q.left.answer(e, t); err != nil {
		return err
	}
	u := e.borrow()
	defer e.giveBack()
	if err := q.right.answer(e, u); err != nil {
		return err
	}
	for w := range t.yes {
		known := (t.yes[w] | t.no[w]) & (u.yes[w] | u.no[w])
		var yes uint64
		if q.passes[0] {
			yes |= t.no[w] & u.yes[w]
		}
		if q.passes[1] {
			yes |= t.yes[w]&u.yes[w] | t.no[w]&u.no[w]
		}
		if q.passes[2] {
			yes |= t.yes[w] & u.no[w]
		}
		t.yes[w], t.no[w] = yes, known&^yes
	}
	return nil
}
