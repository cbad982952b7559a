package expr

import (
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/syntax"
)

// Scope is what names in an expression mean.
type Scope struct {
	Columns []Column
	// Suggest returns the hint for a name that is none of the columns; it may
	// be nil.
	Suggest func(name string) string
	// Unknown says what is wrong with a call of no function of a row, and the
	// way out; it may be nil.
	Unknown func(c *syntax.Call) (text, hint string)
	// Zone, if not empty, is the time zone whose dates date_trunc and
	// time_bucket cut, instead of the column's own.
	Zone string
}

// Column is a column that expressions can name. Type is the one that all
// inputs agreed on, never a dictionary, run-end or extension type; a batch may
// bring the column in any type that agrees, or not at all.
type Column struct {
	Name string
	Type arrow.DataType
	// Written, if not empty, is an expression that the column also goes by, as
	// syntax.Canonical prints it: a result's column is named sum(bytes) too.
	Written string
}

// Condition is a condition bound to columns. It does not change and may be
// used concurrently.
type Condition struct {
	bound
	root test
}

// bound is what a bound expression needs to be evaluated.
type bound struct {
	used             []int // columns of the scope
	testers, outputs int
	cutsDates        bool
}

// CutsDates tells whether the expression has days or longer begin somewhere,
// which is what Scope.Zone is about.
func (b *bound) CutsDates() bool { return b.cutsDates }

// Uses lists the columns of the scope that the expression reads, in the order
// in which it is given them.
func (b *bound) Uses() []int { return b.used }

// CanFail tells whether evaluating the expression can be an error about a
// value: one that a function cannot take, whatever the inputs hold.
func (b *bound) CanFail() bool { return b.outputs > 0 }

// BindCondition gives a condition its types. The errors, all there are, are
// *syntax.Error within an errors.Join and point into src.
func BindCondition(src string, e syntax.Expr, scope Scope) (*Condition, error) {
	b := &binder{src: src, scope: scope}
	c := &Condition{root: b.test(e)}
	c.bound = b.bound
	return c, errors.Join(b.errs...)
}

// binder turns a tree as written into nodes with types. Where it finds a fault
// it notes it and goes on with a node that is never evaluated.
type binder struct {
	bound
	src   string
	scope Scope
	errs  []error
}

func (b *binder) fail(e syntax.Expr, hint, format string, args ...any) {
	at, end := e.Span()
	err := syntax.ErrorAt(b.src, at, end, fmt.Sprintf(format, args...))
	err.Hint = hint
	b.errs = append(b.errs, err)
}

// test binds what stands where a condition is asked for.
func (b *binder) test(e syntax.Expr) test {
	switch e := e.(type) {
	case *syntax.Logic:
		l := &logic{or: e.Or}
		for _, term := range e.Terms {
			l.terms = append(l.terms, b.test(term))
		}
		return l
	case *syntax.Not:
		return &negation{b.test(e.X)}
	case *syntax.Compare:
		return b.compare(e, e.Op, e.Left, e.Right)
	case *syntax.In:
		return b.negated(e.Negated, b.in(e))
	case *syntax.Between:
		return b.negated(e.Negated, b.between(e))
	case *syntax.Like:
		return b.negated(e.Negated, b.like(e))
	case *syntax.IsNull:
		x, _ := b.value(e.X)
		return b.negated(e.Negated, &isNull{x})
	case *syntax.Literal:
		if e.Kind == syntax.True || e.Kind == syntax.False {
			return certain(e.Kind == syntax.True)
		}
		b.fail(e, "", "expected a condition, not a constant")
		return certain(false)
	}
	x, c := b.value(e)
	if x != nil && c != classTruth && c != classNone {
		b.fail(e, "compare it with something", "expected a condition, not %s", c)
	}
	return &isTrue{x}
}

func (b *binder) negated(negated bool, t test) test {
	if negated {
		return &negation{t}
	}
	return t
}

// isCondition tells whether an expression is a truth value by its form.
func isCondition(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Logic, *syntax.Not, *syntax.Compare, *syntax.In, *syntax.Between, *syntax.Like, *syntax.IsNull:
		return true
	case *syntax.Literal:
		return e.Kind == syntax.True || e.Kind == syntax.False
	}
	return false
}

func literal(e syntax.Expr) (*syntax.Literal, bool) {
	l, ok := e.(*syntax.Literal)
	return l, ok && l.Kind != syntax.True && l.Kind != syntax.False
}

// compare binds left op right, as part of whole.
func (b *binder) compare(whole syntax.Expr, op syntax.Op, left, right syntax.Expr) test {
	if isCondition(left) || isCondition(right) {
		return &equivalence{passes[op], b.test(left), b.test(right)}
	}
	l, leftConstant := literal(left)
	r, rightConstant := literal(right)
	switch {
	case leftConstant && rightConstant:
		b.fail(whole, "", "this compares two constants")
		return certain(false)
	case leftConstant:
		x, c := b.value(right)
		return b.member(x, c, mirrored[op], l)
	case rightConstant:
		x, c := b.value(left)
		return b.member(x, c, op, r)
	}
	x, c := b.value(left)
	y, d := b.value(right)
	if x == nil || y == nil {
		return certain(false)
	}
	if c == classTruth && d == classTruth {
		return &equivalence{passes[op], &isTrue{x}, &isTrue{y}}
	}
	if c != d && c != classNone && d != classNone {
		b.fail(whole, "", "%s does not compare with %s", c, d)
	}
	return &comparison{passes[op], x, y}
}

// member binds x op constant as membership in intervals.
func (b *binder) member(x value, c class, op syntax.Op, l *syntax.Literal) test {
	k, ok := b.constant(x, c, l)
	if !ok {
		return certain(false)
	}
	closed, open := &edge{k, false}, &edge{k, true}
	var in interval
	switch op {
	case syntax.Equal, syntax.NotEqual:
		in = interval{closed, closed}
	case syntax.Less:
		in = interval{nil, open}
	case syntax.LessOrEqual:
		in = interval{nil, closed}
	case syntax.Greater:
		in = interval{open, nil}
	case syntax.GreaterOrEqual:
		in = interval{closed, nil}
	}
	return b.negated(op == syntax.NotEqual, b.members(x, in))
}

func (b *binder) members(x value, intervals ...interval) test {
	return b.unary(x, func(dt arrow.DataType) tester { return newMembers(intervals, dt) })
}

func (b *binder) unary(x value, make func(arrow.DataType) tester) test {
	b.testers++
	return &unary{x: x, number: b.testers - 1, make: make}
}

// constant reads a literal for what it is compared with.
func (b *binder) constant(x value, c class, l *syntax.Literal) (constant, bool) {
	if x == nil {
		return constant{}, false
	}
	k, err := constant{}, error(nil)
	switch {
	case c == classNone:
		return k, true // nothing but nulls: no answer, whatever the constant is
	case c == classTruth:
		err = errors.New("a truth value compares with true and false, not with " + l.String())
	default:
		k, err = read(l, c)
	}
	if f, _ := formOf(x.dataType()); err == nil && k.special != nil && f != formFloat {
		err = errors.New("no value of type " + x.dataType().String() + " is " + l.Text)
	}
	if err != nil {
		b.fail(l, "expected "+exampleOf[c], "%s", err)
		return k, false
	}
	return k, true
}

func (b *binder) in(e *syntax.In) test {
	if _, constant := literal(e.X); constant {
		b.fail(e.X, "", "expected a column, not a constant")
		return certain(false)
	}
	var intervals []interval
	var x value
	var c class
	bind := func() bool {
		if x == nil {
			x, c = b.value(e.X)
		}
		return x != nil
	}
	any := &logic{or: true}
	for _, item := range e.List {
		l, constant := literal(item)
		if !constant {
			any.terms = append(any.terms, b.compare(e, syntax.Equal, e.X, item))
			continue
		}
		if !bind() {
			return certain(false)
		}
		if k, ok := b.constant(x, c, l); ok {
			intervals = append(intervals, interval{&edge{k, false}, &edge{k, false}})
		}
	}
	if len(intervals) > 0 {
		any.terms = append(any.terms, b.members(x, intervals...))
	}
	if len(any.terms) == 0 {
		return certain(false)
	}
	return any
}

func (b *binder) between(e *syntax.Between) test {
	low, lowConstant := literal(e.Low)
	high, highConstant := literal(e.High)
	if _, constant := literal(e.X); lowConstant && highConstant && !constant && !isCondition(e.X) {
		x, c := b.value(e.X)
		from, ok := b.constant(x, c, low)
		to, okToo := b.constant(x, c, high)
		if !ok || !okToo {
			return certain(false)
		}
		return b.members(x, interval{&edge{from, false}, &edge{to, false}})
	}
	return &logic{terms: []test{
		b.compare(e, syntax.GreaterOrEqual, e.X, e.Low),
		b.compare(e, syntax.LessOrEqual, e.X, e.High),
	}}
}

func (b *binder) like(e *syntax.Like) test {
	x, c := b.value(e.X)
	if x != nil && c != classText && c != classNone {
		b.fail(e.X, "", "like takes text, not %s", c)
	}
	p := newPattern(e.Pattern.Text)
	return b.unary(x, func(arrow.DataType) tester { return p })
}

// value binds what stands where a value is asked for. It returns nil, with the
// fault noted, for what is none.
func (b *binder) value(e syntax.Expr) (value, class) {
	v := b.written(e)
	switch e := e.(type) {
	case *syntax.Name:
		v = b.column(e)
	case *syntax.Call:
		if v == nil {
			v = b.call(e)
		}
	case *syntax.Cast:
		if v == nil {
			v = b.cast(e)
		}
	case *syntax.Literal:
		b.fail(e, "", "expected a column, not a constant")
	default:
		b.fail(e, "", "expected a value, not a condition")
	}
	if v == nil {
		return nil, classNone
	}
	c, ok := classOf(v.dataType())
	if !ok {
		b.fail(e, "", "values of type %s do not compare", v.dataType())
		return nil, classNone
	}
	return v, c
}

func (b *binder) column(n *syntax.Name) value {
	for i, c := range b.scope.Columns {
		if c.Name == n.Text {
			return b.use(i)
		}
	}
	hint := ""
	if b.scope.Suggest != nil {
		hint = b.scope.Suggest(n.Text)
	}
	b.fail(n, hint, "unknown column %s", syntax.Column(n.Text))
	return nil
}

// written is the column that an expression as a whole stands for, nil if there
// is none.
func (b *binder) written(e syntax.Expr) value {
	for i, c := range b.scope.Columns {
		if c.Written != "" && c.Written == syntax.Canonical(e) {
			return b.use(i)
		}
	}
	return nil
}

// use is a column of the scope.
func (b *binder) use(i int) value {
	number := slices.Index(b.used, i)
	if number < 0 {
		number = len(b.used)
		b.used = append(b.used, i)
	}
	return &column{number, b.scope.Columns[i].Type}
}

func (b *binder) call(c *syntax.Call) value {
	if f, ok := Lookup(c.Function); ok {
		return b.bucketCall(c, f.parse)
	}
	text, hint := fmt.Sprintf("unknown function %q", c.Function), FunctionsHint
	if b.scope.Unknown != nil {
		text, hint = b.scope.Unknown(c)
	}
	b.fail(c, hint, "%s", text)
	return nil
}
