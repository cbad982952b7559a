package planner

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/expr"
	"arrowagg/internal/groupby"
	"arrowagg/internal/syntax"
)

// filter is a bound condition and what it reads.
type filter struct {
	condition *expr.Condition
	columns   []*column // of the inputs, in the order of condition.Uses
}

// inputScope is all columns of the inputs, as expressions see them. Those whose
// types do not go together are nulls here: using one is told of when the types
// of all used columns are settled.
func (b *binder) inputScope() expr.Scope {
	s := expr.Scope{Zone: b.query.zone, Suggest: b.suggestColumn, Unknown: unknownInRows}
	for _, col := range b.catalog.columns {
		dt, ok := col.common.resolve(false)
		if !ok {
			dt = arrow.Null
		}
		s.Columns = append(s.Columns, expr.Column{Name: col.name, Type: dt})
	}
	return s
}

func (b *binder) suggestColumn(name string) string {
	if name == b.query.source {
		return "the source is a key: --having sees it, not -w or a function"
	}
	return didYouMean(name, "columns", b.columnNames())
}

func unknownInRows(c *syntax.Call) (text, hint string) {
	if _, ok := groupby.Lookup(c.Function); ok {
		return c.Function + " is an aggregate", "-w filters input rows; for groups use --having"
	}
	return unknownFunction(c)
}

func unknownInGroups(c *syntax.Call) (text, hint string) {
	if _, ok := groupby.Lookup(c.Function); ok {
		return "no column of the result", "add " + syntax.Canonical(c) + " to -a"
	}
	return unknownFunction(c)
}

func unknownFunction(c *syntax.Call) (text, hint string) {
	hint = expr.FunctionsHint
	if near := Nearest(c.Function, expr.FunctionNames()); near != "" {
		hint = "did you mean " + near + "?"
	}
	return fmt.Sprintf("unknown function %q", c.Function), hint
}

// used are the inputs' columns that an expression uses.
func (b *binder) used(uses []int) []*column {
	columns := make([]*column, len(uses))
	for i, u := range uses {
		columns[i] = b.catalog.columns[u]
	}
	return columns
}

// flagErrors notes errors of the grammar, or of binding, under their flag.
func (b *binder) flagErrors(flag string, err error) {
	if err == nil {
		return
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			b.flagErrors(flag, e)
		}
		return
	}
	b.errs = append(b.errs, flagError(flag, err))
}

// bindWhere binds -w, and notes which columns it reads.
func (b *binder) bindWhere() {
	w := b.query.where
	if w == nil {
		return
	}
	c, err := expr.BindCondition(w.src, w.expr, b.inputScope())
	b.flagErrors("-w", err)
	b.plan.where = &filter{c, b.used(c.Uses())}
}

// computeKey binds a key that is made of columns. Its name is that of the
// first of them, so that the same command line groups the result again.
func (b *binder) computeKey(item keyItem) {
	c, err := expr.BindComputed(item.src, item.Expr, b.inputScope())
	if err != nil {
		b.flagErrors("-g", err)
		return
	}
	k := key{computed: c, columns: b.used(c.Uses()), rule: "-g", expr: item.Expr, dataType: c.Type()}
	k.written = syntax.Canonical(item.Expr)
	k.name = k.columns[0].name
	if item.As != nil {
		k.name = item.As.Text
	}
	for _, col := range k.columns {
		b.keyed[col] = true
	}
	b.plan.keys = append(b.plan.keys, k)
}

// checkZone refuses a zone that no expression asks for: hours and shorter widths
// are cut as instants, whatever the clock shows.
func (b *binder) checkZone() {
	p := b.plan
	used := b.query.zone == "" || p.where != nil && p.where.condition.CutsDates() || p.having != nil && p.having.CutsDates()
	for _, k := range p.keys {
		used = used || k.computed != nil && k.computed.CutsDates()
	}
	if !used {
		b.usage("--tz has no effect: nothing is cut by days, weeks, months or years",
			"it belongs to date_trunc(day, ts), time_bucket(1d, ts) or cast(ts as date32)")
	}
}

// checkComputed refuses keys of nothing but nulls.
func (b *binder) checkComputed() {
	for _, k := range b.plan.keys {
		if k.computed != nil && !keyable(k.dataType) {
			b.usage(fmt.Sprintf("-g: %s cannot be a key: its type is %s", k.written, typeName(k.dataType)), "")
		}
	}
}

// outputScope is the columns of the result, as --having and -s see them: by
// name, or as they were written.
func (p *Plan) outputScope() []expr.Column {
	var columns []expr.Column
	for _, ref := range p.order() {
		if ref.Aggregate {
			a := &p.aggregates[ref.Index]
			columns = append(columns, expr.Column{Name: a.name, Type: a.dataType, Written: a.canonical()})
			continue
		}
		k := &p.keys[ref.Index]
		c := expr.Column{Name: k.name, Type: k.dataType}
		if k.computed != nil {
			c.Written = k.written
		}
		columns = append(columns, c)
	}
	return columns
}

// canonical is the aggregate as syntax.Canonical prints it.
func (a *aggregate) canonical() string {
	if a.call != nil {
		return syntax.Canonical(a.call)
	}
	return a.written
}

// bindArrangement binds --having and -s, to the columns of the result.
func (b *binder) bindArrangement() {
	columns := b.plan.outputScope()
	if b.query.having != nil {
		b.bindHaving(columns)
	}
	for _, item := range b.query.sort {
		b.bindSort(item, columns)
	}
}

func (b *binder) bindHaving(columns []expr.Column) {
	h := b.query.having
	scope := expr.Scope{
		Columns: columns, Zone: b.query.zone,
		Suggest: func(name string) string {
			return didYouMean(syntax.Column(name), "output columns", outputNames(columns))
		},
		Unknown: unknownInGroups,
	}
	c, err := expr.BindCondition(h.src, h.expr, scope)
	b.flagErrors("--having", err)
	b.plan.having = c
}

func (b *binder) bindSort(item sortItem, columns []expr.Column) {
	at, end := item.Expr.Span()
	fail := func(text, hint string) {
		err := syntax.ErrorAt(item.src, at, end, text)
		err.Hint = hint
		b.errs = append(b.errs, flagError("-s", err))
	}
	field := outputOf(item.Expr, columns)
	switch name, plain := item.Expr.(*syntax.Name); {
	case field < 0 && plain:
		fail("unknown column "+syntax.Column(name.Text), didYouMean(syntax.Column(name.Text), "output columns", outputNames(columns)))
		return
	case field < 0:
		hint := "the result is sorted by its columns: " + strings.Join(outputNames(columns), ", ")
		fail("no column of the result", hint)
		return
	}
	for _, before := range b.plan.sort {
		if before.Column == field {
			fail("this column is named twice", "")
			return
		}
	}
	b.plan.sort = append(b.plan.sort, sortKey(field, item.Descending))
}

// outputOf is the column of the result that an expression stands for, or -1.
func outputOf(e syntax.Expr, columns []expr.Column) int {
	if name, ok := e.(*syntax.Name); ok {
		for i, c := range columns {
			if c.Name == name.Text {
				return i
			}
		}
		return -1
	}
	for i, c := range columns {
		if c.Written != "" && c.Written == syntax.Canonical(e) {
			return i
		}
	}
	return -1
}

func outputNames(columns []expr.Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = syntax.Column(c.Name)
	}
	return names
}
