package syntax

// SortKey is one key of a result's order.
type SortKey struct {
	Expr       Expr // a *Name, or a *Call written as in the list of aggregates
	Descending bool
}

// ParseSort reads the keys of an order:
//
//	keys := key { "," key }
//	key  := expr [ "asc" | "desc" ]
func ParseSort(src string) ([]SortKey, error) {
	return parseList(src, "a column", (*parser).sortKey)
}

func (p *parser) sortKey() (SortKey, *Error) {
	e, err := p.expr()
	k := SortKey{Expr: e}
	switch {
	case err != nil:
	case p.tok.keyword("desc"):
		k.Descending = true
		err = p.advance()
	case p.tok.keyword("asc"):
		err = p.advance()
	}
	return k, err
}

func (k SortKey) String() string {
	if k.Descending {
		return k.Expr.String() + " desc"
	}
	return k.Expr.String()
}
