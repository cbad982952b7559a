package syntax

import (
	"fmt"
	"strings"
)

// parser reads one text with one token of look-ahead.
type parser struct {
	lexer
	tok   token
	depth int
}

func newParser(src string) (*parser, *Error) {
	p := &parser{lexer: lexer{src: src}}
	return p, p.advance()
}

func (p *parser) advance() *Error {
	tok, err := p.next()
	p.tok = tok
	return err
}

func (p *parser) fail(format string, args ...any) *Error {
	return ErrorAt(p.src, p.tok.at, p.tok.end, fmt.Sprintf(format, args...))
}

// ParseItems reads a comma-separated list of expressions, each with an
// optional `as NAME`:
//
//	items := item { "," item }
//	item  := expr [ "as" name ]
//	expr  := name | word "(" [ "*" | expr { "," expr } ] ")" | "cast" "(" expr "as" type ")"
func ParseItems(src string) ([]Item, error) {
	return parseList(src, "a column or a function", (*parser).item)
}

// ParseNames reads a comma-separated list of names.
func ParseNames(src string) ([]*Name, error) {
	return parseList(src, "a column", (*parser).nameOnly)
}

func parseList[T any](src, what string, element func(*parser) (T, *Error)) ([]T, error) {
	p, err := newParser(src)
	if err != nil {
		return nil, err
	}
	if p.tok.kind == endOfText {
		return nil, &Error{Empty: true, Text: "is empty; expected " + what}
	}
	var list []T
	for {
		e, err := element(p)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
		if p.tok.kind == endOfText {
			return list, nil
		}
		if !p.tok.is(",") {
			return nil, p.unexpected("a comma")
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
	}
}

func (p *parser) item() (Item, *Error) {
	e, err := p.expr()
	if err != nil || !p.tok.keyword("as") {
		return Item{Expr: e}, err
	}
	if err := p.advance(); err != nil {
		return Item{}, err
	}
	as, err := p.name("a name after as")
	return Item{Expr: e, As: as}, err
}

func (p *parser) nameOnly() (*Name, *Error) {
	n, err := p.name("a column")
	if err == nil && p.tok.is("(") {
		return nil, p.fail("expected a column, not a function")
	}
	return n, err
}

func (p *parser) name(what string) (*Name, *Error) {
	if !p.tok.name() {
		return nil, p.unexpected(what)
	}
	n := &Name{Text: p.tok.value, Quoted: p.tok.kind == quoted, at: p.tok.at, end: p.tok.end}
	return n, p.advance()
}

func (p *parser) expr() (Expr, *Error) {
	n, err := p.name("a column or a function")
	if err != nil {
		return nil, err
	}
	if n.Quoted || !p.tok.is("(") {
		return n, nil
	}
	defer p.leave()
	if err := p.enter(); err != nil {
		return nil, err
	}
	return p.call(n)
}

// argument reads one argument of a call.
func (p *parser) argument() (Expr, *Error) {
	if p.condition {
		return p.value()
	}
	return p.expr()
}

// call reads what follows a function's name.
func (p *parser) call(name *Name) (Expr, *Error) {
	c := &Call{Function: strings.ToLower(name.Text), at: name.at, open: p.tok.end}
	if err := p.advance(); err != nil {
		return nil, err
	}
	for !p.tok.is(")") {
		if p.tok.star() && len(c.Arguments) == 0 {
			c.Star = true
			if err := p.advance(); err != nil {
				return nil, err
			}
			break
		}
		a, err := p.argument()
		if err != nil {
			return nil, err
		}
		c.Arguments = append(c.Arguments, a)
		if c.Function == "cast" && p.tok.keyword("as") {
			return p.cast(c)
		}
		if !p.tok.is(",") {
			break
		}
		if err := p.advance(); err != nil {
			return nil, err
		}
		if p.tok.is(")") {
			return nil, p.unexpected("a column after the comma")
		}
	}
	if !p.tok.is(")") {
		return nil, p.unexpected("a comma or )")
	}
	c.end = p.tok.end
	return c, p.advance()
}

// cast reads what follows cast(X: the type, which is not cut into tokens since
// the names of types have commas and brackets.
func (p *parser) cast(c *Call) (Expr, *Error) {
	if len(c.Arguments) != 1 {
		return nil, p.fail("cast takes one value")
	}
	rest := p.src[p.tok.end:]
	depth, length := 0, -1
	for i := 0; i < len(rest) && length < 0; i++ {
		switch rest[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				length = i
			}
		}
	}
	if length < 0 {
		return nil, ErrorAt(p.src, len(p.src), len(p.src), "expected a type and )")
	}
	written := rest[:length]
	name := strings.Trim(written, blanks)
	at := p.tok.end + strings.Index(written, name)
	if name == "" {
		return nil, ErrorAt(p.src, p.tok.end+length, p.tok.end+length+1, "expected a type")
	}
	e := &Cast{X: c.Arguments[0], Type: name, at: c.at, typeAt: at, typeEnd: at + len(name)}
	p.pos = p.tok.end + length + 1
	e.end = p.pos
	return e, p.advance()
}

// unexpected is the error for a token that cannot stand here. Names with
// special characters are the usual cause.
func (p *parser) unexpected(want string) *Error {
	err := p.fail("expected %s", want)
	switch {
	case p.tok.kind == endOfText:
	case p.condition:
		err.Hint = namesHint
	default:
		err.Hint = `a name that holds , : ( ) " or a blank is written in double quotes`
	}
	return err
}
