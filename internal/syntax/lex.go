package syntax

import "strings"

type kind uint8

const (
	endOfText kind = iota
	word           // a bare word
	quoted         // a name in double quotes
	symbol         // one of , : ( )
)

// token is a piece of the text. For words and quoted names, value is the name
// meant; for symbols the symbol.
type token struct {
	kind    kind
	at, end int
	value   string
}

func (t token) is(s string) bool { return t.kind == symbol && t.value == s }

// keyword tells whether the token is the bare word k, in either case as in
// SQL. A column of that name can still be written, in quotes.
func (t token) keyword(k string) bool { return t.kind == word && strings.EqualFold(t.value, k) }

func (t token) name() bool { return t.kind == word || t.kind == quoted }

const (
	blanks  = " \t\n\r\v\f"
	symbols = ",:()"
)

// lexer cuts a text into tokens.
type lexer struct {
	src string
	pos int
}

func (l *lexer) next() (token, *Error) {
	for l.pos < len(l.src) && strings.IndexByte(blanks, l.src[l.pos]) >= 0 {
		l.pos++
	}
	at := l.pos
	if at == len(l.src) {
		return token{kind: endOfText, at: at, end: at}, nil
	}
	switch c := l.src[at]; {
	case c == '"':
		return l.quotedName()
	case strings.IndexByte(symbols, c) >= 0:
		l.pos++
		return token{kind: symbol, at: at, end: l.pos, value: l.src[at:l.pos]}, nil
	}
	for l.pos < len(l.src) && isWordByte(l.src[l.pos]) {
		l.pos++
	}
	return token{kind: word, at: at, end: l.pos, value: l.src[at:l.pos]}, nil
}

// isWordByte tells what a bare word may be made of. It looks at bytes, not at
// characters: column names need not be valid UTF-8.
func isWordByte(c byte) bool {
	return c != '"' && strings.IndexByte(blanks, c) < 0 && strings.IndexByte(symbols, c) < 0
}

// quotedName reads from the opening quote to the closing one; two quotes in
// between stand for one.
func (l *lexer) quotedName() (token, *Error) {
	at := l.pos
	var name strings.Builder
	rest := l.src[at+1:]
	for {
		i := strings.IndexByte(rest, '"')
		if i < 0 {
			err := ErrorAt(l.src, at, len(l.src), "this quote is never closed")
			err.Hint = `inside double quotes, a double quote is written twice`
			return token{}, err
		}
		name.WriteString(rest[:i])
		rest = rest[i+1:]
		if !strings.HasPrefix(rest, `"`) {
			break
		}
		name.WriteByte('"')
		rest = rest[1:]
	}
	l.pos = len(l.src) - len(rest)
	return token{kind: quoted, at: at, end: l.pos, value: name.String()}, nil
}
