package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/syntax"
)

// sqlScope writes bound expressions as SQL. What a name or a whole expression
// stands for is for column to say: a column of the inputs under WHERE, an
// aggregate or a key under HAVING.
type sqlScope struct {
	plan   *Plan
	column func(e syntax.Expr) (operand sqlOperand, ok bool)
	notes  *[]string // which engine cannot run it, and why
}

// sqlOperand is a value as SQL.
type sqlOperand struct {
	text     string
	dataType arrow.DataType // settled
}

func (s *sqlScope) note(text string) {
	if !slices.Contains(*s.notes, text) {
		*s.notes = append(*s.notes, text)
	}
}

// inputSQL is the scope of the inputs' columns.
func (p *Plan) inputSQL(notes *[]string) *sqlScope {
	return &sqlScope{plan: p, notes: notes, column: func(e syntax.Expr) (sqlOperand, bool) {
		name, ok := e.(*syntax.Name)
		if !ok {
			return sqlOperand{}, false
		}
		col := p.catalog.byName[name.Text]
		return sqlOperand{p.columnSQL(col), p.types[col]}, true
	}}
}

// outputSQL is the scope of the columns of the result, as the expressions that
// give them: an output's name may be that of an input's column, too, and what
// it means then differs between engines.
func (p *Plan) outputSQL(notes *[]string) *sqlScope {
	columns := p.outputScope()
	return &sqlScope{plan: p, notes: notes, column: func(e syntax.Expr) (sqlOperand, bool) {
		i := outputOf(e, columns)
		if i < 0 {
			return sqlOperand{}, false
		}
		ref := p.spec.Order[i]
		if ref.Aggregate {
			return sqlOperand{p.aggregateSQL(&p.aggregates[ref.Index]), columns[i].Type}, true
		}
		return sqlOperand{p.keySQL(&p.keys[ref.Index], notes), columns[i].Type}, true
	}}
}

// condition writes a condition. Its parts are in parentheses wherever they
// have parts of their own, as in its own text.
func (s *sqlScope) condition(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.Logic:
		word := " AND "
		if e.Or {
			word = " OR "
		}
		terms := make([]string, len(e.Terms))
		for i, t := range e.Terms {
			terms[i] = s.nested(t)
		}
		return strings.Join(terms, word)
	case *syntax.Not:
		return "NOT " + s.nested(e.X)
	case *syntax.Compare:
		left, right := s.sides(e.Left, e.Right)
		return left + " " + string(e.Op) + " " + right
	case *syntax.In:
		return s.in(e)
	case *syntax.Between:
		low, high := &syntax.Compare{Op: syntax.GreaterOrEqual, Left: e.X, Right: e.Low},
			&syntax.Compare{Op: syntax.LessOrEqual, Left: e.X, Right: e.High}
		both := s.condition(low) + " AND " + s.condition(high)
		if e.Negated {
			return "NOT (" + both + ")"
		}
		return both
	case *syntax.Like:
		if strings.Contains(e.Pattern.Text, `\`) {
			s.note(`DuckDB only: a pattern holds \, which escapes in DataFusion`)
		}
		return s.compared(e.X).text + negated(e.Negated) + " LIKE " + sqlString(e.Pattern.Text)
	case *syntax.IsNull:
		return s.value(e.X).text + " IS" + negated(e.Negated) + " NULL"
	case *syntax.Literal:
		return strings.ToUpper(e.Text) // true and false
	}
	return s.value(e).text
}

// nested is a condition as a part of another.
func (s *sqlScope) nested(e syntax.Expr) string {
	switch e.(type) {
	case *syntax.Name, *syntax.Literal, *syntax.Call, *syntax.Cast:
		return s.condition(e)
	}
	return "(" + s.condition(e) + ")"
}

func negated(is bool) string {
	if is {
		return " NOT"
	}
	return ""
}

func isConstant(e syntax.Expr) bool {
	_, ok := e.(*syntax.Literal)
	return ok
}

// sides writes two values that are compared. What a constant means depends on
// the other side.
func (s *sqlScope) sides(left, right syntax.Expr) (l, r string) {
	switch {
	case isCondition(left) || isCondition(right):
		return s.nested(left), s.nested(right)
	case isConstant(left):
		y := s.compared(right)
		return s.constant(left.(*syntax.Literal), y.dataType), y.text
	case isConstant(right):
		x := s.compared(left)
		return x.text, s.constant(right.(*syntax.Literal), x.dataType)
	}
	return s.compared(left).text, s.compared(right).text
}

// isCondition tells whether an expression is a truth value by its form.
func isCondition(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Name, *syntax.Call, *syntax.Cast:
		return false
	case *syntax.Literal:
		return e.Kind == syntax.True || e.Kind == syntax.False
	}
	return true
}

func (s *sqlScope) in(e *syntax.In) string {
	list := make([]string, len(e.List))
	x := s.nestedSide(e.X)
	for i, item := range e.List {
		if l, ok := item.(*syntax.Literal); ok && !isCondition(item) {
			list[i] = s.constant(l, x.dataType)
		} else {
			list[i] = s.nestedSide(item).text
		}
	}
	return x.text + negated(e.Negated) + " IN (" + strings.Join(list, ", ") + ")"
}

func (s *sqlScope) nestedSide(e syntax.Expr) sqlOperand {
	if isCondition(e) {
		return sqlOperand{s.nested(e), arrow.FixedWidthTypes.Boolean}
	}
	return s.compared(e)
}

// compared is a value that is compared with others. DataFusion tells the two
// float zeros apart, so they are made one.
func (s *sqlScope) compared(e syntax.Expr) sqlOperand {
	x := s.value(e)
	x.text = oneZero(x.text, x.dataType)
	if strings.Contains(x.text, " + ") || strings.Contains(x.text, " / ") {
		x.text = "(" + x.text + ")"
	}
	return x
}

// oneZero makes -0.0 and 0.0 the same value. (Adding zero is left alone by
// both engines' optimizers, since it does just this.)
func oneZero(text string, dt arrow.DataType) string {
	zero := ""
	switch dt.ID() {
	case arrow.FLOAT16, arrow.FLOAT32:
		zero = " + CAST(0 AS REAL)"
	case arrow.FLOAT64:
		zero = " + CAST(0 AS DOUBLE)"
	}
	if strings.HasSuffix(text, zero) {
		return text
	}
	return text + zero
}

// orderSQL is ORDER BY's list: what -s asks for, then the keys.
func (p *Plan) orderSQL() string {
	var list []string
	listed := map[string]bool{}
	add := func(name, direction string) {
		if !listed[name] {
			listed[name] = true
			list = append(list, syntax.Quote(name)+" "+direction+" NULLS LAST")
		}
	}
	for _, k := range p.sort {
		direction := "ASC"
		if k.Descending {
			direction = "DESC"
		}
		add(p.spec.Output.Field(k.Column).Name, direction)
	}
	for _, k := range p.keys {
		add(k.name, "ASC")
	}
	if len(list) == 0 {
		return ""
	}
	return "\nORDER BY " + strings.Join(list, ", ")
}

// limitSQL is the LIMIT clause, or nothing.
func (p *Plan) limitSQL() string {
	if p.query.limit == nil {
		return ""
	}
	return fmt.Sprintf("\nLIMIT %d", *p.query.limit)
}
