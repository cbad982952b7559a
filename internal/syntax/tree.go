package syntax

import "strings"

// Expr is what can stand where a value is named: a *Name, *Call or *Cast, and in
// conditions also a *Literal and the nodes of condition_tree.go.
type Expr interface {
	// Span is the byte range of the text that the node was read from.
	Span() (at, end int)
	// String prints the node so that it parses back into an equal one.
	String() string
}

// Name is a bare word or a quoted name.
type Name struct {
	Text    string
	Quoted  bool // it was written in quotes: never a number, unit or *
	at, end int
}

// Call is a function applied to arguments. Star stands for count(*).
type Call struct {
	Function  string // as written, in lower case
	Arguments []Expr
	Star      bool
	at, open  int // open is the offset behind the opening parenthesis
	end       int
}

// Item is one entry of a list: an expression and the name that `as` gives it.
type Item struct {
	Expr Expr
	As   *Name // nil without `as`
}

// Span of a name covers its quotes.
func (n *Name) Span() (at, end int) { return n.at, n.end }

// Span of a call reaches from its name to its closing parenthesis.
func (c *Call) Span() (at, end int) { return c.at, c.end }

// Head is the byte range of the function's name and opening parenthesis: what
// an error about the function itself points at.
func (c *Call) Head() (at, end int) { return c.at, c.open }

func (n *Name) String() string {
	if n.Quoted {
		return Quote(n.Text)
	}
	return n.Text
}

func (c *Call) String() string {
	var b strings.Builder
	b.WriteString(c.Function)
	b.WriteByte('(')
	if c.Star {
		b.WriteByte('*')
	}
	for i, a := range c.Arguments {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(operand(a))
	}
	b.WriteByte(')')
	return b.String()
}

func (i Item) String() string {
	if i.As == nil {
		return i.Expr.String()
	}
	return i.Expr.String() + " as " + i.As.String()
}

// Quote writes a name in double quotes.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Column writes a column's name as a user would have to type it: bare where
// that is read as the same name, else in quotes.
func Column(name string) string {
	if name == "" || name == "*" {
		return Quote(name)
	}
	for i := range len(name) {
		if !isWordByte(name[i]) {
			return Quote(name)
		}
	}
	return name
}
