package syntax

import "strings"

// maxDepth bounds how deeply a condition may be nested: far beyond what a
// person writes, far below what a stack holds.
const maxDepth = 100

// namesHint is the usual way out where a character is not expected.
const namesHint = `a column whose name is no plain word is written in double quotes, text in single quotes`

// ParseCondition reads a condition, the language of --where and --having:
//
//	condition := conjunct { "or" conjunct }
//	conjunct  := negation { "and" negation }
//	negation  := "not" negation | test
//	test      := value [ op value
//	                   | ["not"] "in" "(" value { "," value } ")"
//	                   | ["not"] "between" value "and" value
//	                   | ["not"] "like" text
//	                   | "is" ["not"] "null" ]
//	value     := name | literal | call | "cast" "(" value "as" type ")" | "(" condition ")"
//	literal   := text | ["-"] number | ["-"] duration | "true" | "false"
//	op        := "=" | "==" | "<>" | "!=" | "<" | "<=" | ">" | ">="
//
// Words are SQL's and may be written in either case.
func ParseCondition(src string) (Expr, error) {
	p := &parser{lexer: lexer{src: src, condition: true}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.kind == endOfText {
		return nil, &Error{Empty: true, Text: "is empty; expected a condition"}
	}
	e, err := p.conditionExpr()
	if err != nil {
		return nil, err
	}
	if p.tok.kind != endOfText {
		return nil, p.unexpected("and, or, or the end")
	}
	return e, nil
}

func (p *parser) conditionExpr() (Expr, *Error) { return p.logic("or", p.conjunct) }

func (p *parser) conjunct() (Expr, *Error) { return p.logic("and", p.negation) }

// logic reads terms joined by one word.
func (p *parser) logic(joint string, term func() (Expr, *Error)) (Expr, *Error) {
	first, err := term()
	if err != nil || !p.tok.keyword(joint) {
		return first, err
	}
	l := &Logic{Or: joint == "or", Terms: []Expr{first}}
	for p.tok.keyword(joint) {
		if err := p.advance(); err != nil {
			return nil, err
		}
		t, err := term()
		if err != nil {
			return nil, err
		}
		l.Terms = append(l.Terms, t)
	}
	return l, nil
}

func (p *parser) negation() (Expr, *Error) {
	if !p.tok.keyword("not") {
		return p.test()
	}
	defer p.leave()
	n := &Not{at: p.tok.at}
	if err := p.enter(); err != nil {
		return nil, err
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	x, err := p.negation()
	n.X = x
	return n, err
}

// enter and leave count the nesting.
func (p *parser) enter() *Error {
	p.depth++
	if p.depth > maxDepth {
		return p.fail("this is nested too deeply")
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

// test reads a value and what is asked of it.
func (p *parser) test() (Expr, *Error) {
	x, err := p.value()
	if err != nil {
		return nil, err
	}
	if op, ok := p.comparison(); ok {
		if err := p.advance(); err != nil {
			return nil, err
		}
		right, err := p.value()
		return &Compare{Op: op, Left: x, Right: right}, err
	}
	if p.tok.keyword("is") {
		return p.isNull(x)
	}
	negated := p.tok.keyword("not")
	if negated {
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	switch {
	case p.tok.keyword("in"):
		return p.in(x, negated)
	case p.tok.keyword("between"):
		return p.between(x, negated)
	case p.tok.keyword("like"):
		return p.like(x, negated)
	case negated:
		return nil, p.unexpected("in, between or like after not")
	}
	return x, nil
}

func (p *parser) comparison() (Op, bool) {
	if p.tok.kind != symbol {
		return "", false
	}
	switch p.tok.value {
	case "!=":
		return NotEqual, true
	case "==": // as in most other languages
		return Equal, true
	case "=", "<>", "<", "<=", ">", ">=":
		return Op(p.tok.value), true
	}
	return "", false
}

func (p *parser) isNull(x Expr) (Expr, *Error) {
	i := &IsNull{X: x}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if i.Negated = p.tok.keyword("not"); i.Negated {
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
	i.end = p.tok.end
	return i, p.expectWord("null", "null after is")
}

func (p *parser) in(x Expr, negated bool) (Expr, *Error) {
	i := &In{X: x, Negated: negated}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if !p.tok.is("(") {
		return nil, p.unexpected("( after in")
	}
	for {
		if err := p.advance(); err != nil {
			return nil, err
		}
		e, err := p.value()
		if err != nil {
			return nil, err
		}
		i.List = append(i.List, e)
		if !p.tok.is(",") {
			break
		}
	}
	if !p.tok.is(")") {
		return nil, p.unexpected("a comma or )")
	}
	i.end = p.tok.end
	return i, p.advance()
}

func (p *parser) between(x Expr, negated bool) (Expr, *Error) {
	b := &Between{X: x, Negated: negated}
	err := p.advance()
	if err != nil {
		return nil, err
	}
	if b.Low, err = p.value(); err != nil {
		return nil, err
	}
	if err = p.expectWord("and", "and between the bounds"); err != nil {
		return nil, err
	}
	b.High, err = p.value()
	return b, err
}

func (p *parser) like(x Expr, negated bool) (Expr, *Error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.kind != text {
		return nil, p.unexpected("a pattern in single quotes after like")
	}
	l := &Like{X: x, Pattern: p.literal(Text), Negated: negated}
	return l, p.advance()
}

func (p *parser) expectWord(word, what string) *Error {
	if !p.tok.keyword(word) {
		return p.unexpected(what)
	}
	return p.advance()
}

func (p *parser) literal(k LiteralKind) *Literal {
	return &Literal{Kind: k, Text: p.tok.value, at: p.tok.at, end: p.tok.end}
}

// reserved are the words that cannot be bare names in a condition.
var reserved = []string{"and", "or", "not", "in", "between", "like", "is", "null", "true", "false", "as"}

func isReserved(w string) bool {
	for _, r := range reserved {
		if strings.EqualFold(w, r) {
			return true
		}
	}
	return false
}

func (p *parser) value() (Expr, *Error) {
	switch {
	case p.tok.is("("):
		return p.parenthesis()
	case p.tok.is("-"):
		return p.negative()
	case p.tok.kind == text:
		l := p.literal(Text)
		return l, p.advance()
	case p.tok.kind == number:
		l := p.literal(Number)
		return l, p.advance()
	case p.tok.kind == duration:
		l := p.literal(Duration)
		return l, p.advance()
	case p.tok.keyword("true"), p.tok.keyword("false"):
		l := p.literal(True)
		l.Text = strings.ToLower(l.Text)
		if l.Text == "false" {
			l.Kind = False
		}
		return l, p.advance()
	case p.tok.keyword("null"):
		err := p.fail("nothing compares with null")
		err.Hint = "write is null, or is not null"
		return nil, err
	case p.tok.kind == word && isReserved(p.tok.value):
		return nil, p.unexpected("a column or a value")
	}
	return p.expr()
}

func (p *parser) parenthesis() (Expr, *Error) {
	defer p.leave()
	if err := p.enter(); err != nil {
		return nil, err
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	e, err := p.conditionExpr()
	if err != nil {
		return nil, err
	}
	if !p.tok.is(")") {
		return nil, p.unexpected(")")
	}
	return e, p.advance()
}

// negative reads a number or duration behind a minus.
func (p *parser) negative() (Expr, *Error) {
	at := p.tok.at
	if err := p.advance(); err != nil {
		return nil, err
	}
	k := Number
	switch p.tok.kind {
	case number:
	case duration:
		k = Duration
	default:
		return nil, p.unexpected("a number after the minus")
	}
	l := p.literal(k)
	l.at, l.Text = at, "-"+l.Text
	return l, p.advance()
}
