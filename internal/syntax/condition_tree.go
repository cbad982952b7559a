package syntax

import "strings"

// LiteralKind tells what a literal was written as.
type LiteralKind uint8

// The kinds of literals. What a text means (a string, a timestamp, a date)
// depends on what it is compared with.
const (
	Text     LiteralKind = iota // 'in single quotes'
	Number                      // 12, -1.5e3
	Duration                    // 15m, 1h30m
	True
	False
)

// Literal is a value as written: the content of a text, else all of it.
type Literal struct {
	Kind    LiteralKind
	Text    string
	at, end int
}

// Not negates a condition.
type Not struct {
	X  Expr
	at int
}

// Logic joins two or more conditions by and, or by or.
type Logic struct {
	Or    bool
	Terms []Expr
}

// Op is a comparison. The operators are chosen so that their inverse and their
// mirror image are operators too.
type Op string

// The comparison operators.
const (
	Equal          Op = "="
	NotEqual       Op = "<>"
	Less           Op = "<"
	LessOrEqual    Op = "<="
	Greater        Op = ">"
	GreaterOrEqual Op = ">="
)

// Compare compares two values.
type Compare struct {
	Op          Op
	Left, Right Expr
}

// In tests whether a value is one of several.
type In struct {
	X       Expr
	List    []Expr
	Negated bool
	end     int
}

// Between tests whether a value is neither below Low nor above High.
type Between struct {
	X, Low, High Expr
	Negated      bool
}

// Like matches a string with a pattern of % (any text) and _ (any character).
type Like struct {
	X       Expr
	Pattern *Literal
	Negated bool
}

// IsNull tests for null; it is the only test that null passes or fails.
type IsNull struct {
	X       Expr
	Negated bool
	end     int
}

// Cast converts a value: cast(ts as timestamp[s]). Type is as written.
type Cast struct {
	X               Expr
	Type            string
	at, end         int
	typeAt, typeEnd int
}

// Span covers the literal and its quotes.
func (l *Literal) Span() (at, end int) { return l.at, l.end }

// Span reaches from `not` to the end of what it negates.
func (n *Not) Span() (at, end int) { return n.at, endOf(n.X) }

// Span reaches over all terms.
func (l *Logic) Span() (at, end int) { return startOf(l.Terms[0]), endOf(l.Terms[len(l.Terms)-1]) }

// Span reaches over both sides.
func (c *Compare) Span() (at, end int) { return startOf(c.Left), endOf(c.Right) }

// Span includes the closing parenthesis.
func (i *In) Span() (at, end int) { return startOf(i.X), i.end }

// Span reaches from the value to the upper bound.
func (b *Between) Span() (at, end int) { return startOf(b.X), endOf(b.High) }

// Span reaches from the value to the pattern.
func (l *Like) Span() (at, end int) { return startOf(l.X), l.Pattern.end }

// Span includes the word null.
func (i *IsNull) Span() (at, end int) { return startOf(i.X), i.end }

// Span reaches from `cast` to its closing parenthesis.
func (c *Cast) Span() (at, end int) { return c.at, c.end }

// TypeSpan is where the type is written.
func (c *Cast) TypeSpan() (at, end int) { return c.typeAt, c.typeEnd }

func startOf(e Expr) int {
	at, _ := e.Span()
	return at
}

func endOf(e Expr) int {
	_, end := e.Span()
	return end
}

func (l *Literal) String() string {
	if l.Kind == Text {
		return "'" + strings.ReplaceAll(l.Text, "'", "''") + "'"
	}
	return l.Text
}

func (n *Not) String() string { return "not " + operand(n.X) }

func (l *Logic) String() string {
	word := " and "
	if l.Or {
		word = " or "
	}
	terms := make([]string, len(l.Terms))
	for i, t := range l.Terms {
		terms[i] = operand(t)
	}
	return strings.Join(terms, word)
}

func (c *Compare) String() string {
	return operand(c.Left) + " " + string(c.Op) + " " + operand(c.Right)
}

func (i *In) String() string {
	list := make([]string, len(i.List))
	for j, e := range i.List {
		list[j] = operand(e)
	}
	return operand(i.X) + negation(i.Negated) + " in (" + strings.Join(list, ", ") + ")"
}

func (b *Between) String() string {
	return operand(b.X) + negation(b.Negated) + " between " + operand(b.Low) + " and " + operand(b.High)
}

func (l *Like) String() string {
	return operand(l.X) + negation(l.Negated) + " like " + l.Pattern.String()
}

func (i *IsNull) String() string { return operand(i.X) + " is" + negation(i.Negated) + " null" }

func (c *Cast) String() string { return "cast(" + operand(c.X) + " as " + c.Type + ")" }

func negation(negated bool) string {
	if negated {
		return " not"
	}
	return ""
}

// operand prints a part of a condition, in parentheses where it has parts of
// its own.
func operand(e Expr) string {
	switch e.(type) {
	case *Name, *Literal, *Call, *Cast:
		return e.String()
	}
	return "(" + e.String() + ")"
}
