package syntax

import "strings"

type kind uint8

const (
	endOfText kind = iota
	word           // a bare word
	quoted         // a name in double quotes
	symbol         // , : ( ) and in conditions operators
	text           // a string in single quotes; only in conditions, as the next two
	number
	duration // a number with a unit: 15m, 1h30m
)

// token is a piece of the text. For words and quoted names, value is the name
// meant, for strings their content, for symbols and numbers what was written.
type token struct {
	kind    kind
	at, end int
	value   string
}

func (t token) is(s string) bool { return t.kind == symbol && t.value == s }

// keyword tells whether the token is the bare word k, in either case as in
// SQL. A column of that name can still be written, in quotes.
func (t token) keyword(k string) bool { return t.kind == word && strings.EqualFold(t.value, k) }

// star is the * of count(*): a word in lists, a symbol in conditions.
func (t token) star() bool { return t.value == "*" && (t.kind == word || t.kind == symbol) }

func (t token) name() bool { return t.kind == word || t.kind == quoted }

const (
	blanks  = " \t\n\r\v\f"
	symbols = ",:()"
)

// lexer cuts a text into tokens. In lists words are as long as can be; in
// conditions they are identifiers, so that operators need no blanks.
type lexer struct {
	src       string
	pos       int
	condition bool
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
		return l.quote('"', quoted)
	case l.condition:
		return l.conditionToken()
	case strings.IndexByte(symbols, c) >= 0:
		return l.take(symbol, 1), nil
	}
	for l.pos < len(l.src) && isWordByte(l.src[l.pos]) {
		l.pos++
	}
	return token{kind: word, at: at, end: l.pos, value: l.src[at:l.pos]}, nil
}

// take makes a token of the next n bytes.
func (l *lexer) take(k kind, n int) token {
	at := l.pos
	l.pos += n
	return token{kind: k, at: at, end: l.pos, value: l.src[at:l.pos]}
}

// isWordByte tells what a bare word in a list may be made of. It looks at
// bytes, not at characters: column names need not be valid UTF-8.
func isWordByte(c byte) bool {
	return c != '"' && strings.IndexByte(blanks, c) < 0 && strings.IndexByte(symbols, c) < 0
}

// quote reads from the opening quote to the closing one; two quotes in between
// stand for one.
func (l *lexer) quote(mark byte, k kind) (token, *Error) {
	at := l.pos
	var value strings.Builder
	rest := l.src[at+1:]
	for {
		i := strings.IndexByte(rest, mark)
		if i < 0 {
			err := ErrorAt(l.src, at, len(l.src), "this quote is never closed")
			err.Hint = "inside quotes, the quote character is written twice"
			return token{}, err
		}
		value.WriteString(rest[:i])
		rest = rest[i+1:]
		if rest == "" || rest[0] != mark {
			break
		}
		value.WriteByte(mark)
		rest = rest[1:]
	}
	l.pos = len(l.src) - len(rest)
	return token{kind: k, at: at, end: l.pos, value: value.String()}, nil
}
