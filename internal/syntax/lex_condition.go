package syntax

import "strings"

// operators are the symbols of conditions, longer ones before their beginnings.
var operators = []string{"<=", ">=", "<>", "!=", "==", "=", "<", ">", "(", ")", ",", "-", "*"}

// conditionToken reads a token of a condition that is no quoted name.
func (l *lexer) conditionToken() (token, *Error) {
	c := l.src[l.pos]
	switch {
	case c == '\'':
		return l.quote('\'', text)
	case isDigit(c):
		return l.number(), nil
	case isIdentifierByte(c):
		return l.take(word, span(l.src[l.pos:], isIdentifierByte)), nil
	}
	for _, op := range operators {
		if strings.HasPrefix(l.src[l.pos:], op) {
			return l.take(symbol, len(op)), nil
		}
	}
	err := ErrorAt(l.src, l.pos, l.pos+1, "unexpected character")
	err.Hint = namesHint
	return token{}, err
}

// number reads 12, 1.5, 2e-3, and with letters behind it a duration.
func (l *lexer) number() token {
	rest := l.src[l.pos:]
	n := span(rest, isDigit)
	if n+1 < len(rest) && rest[n] == '.' && isDigit(rest[n+1]) {
		n += 1 + span(rest[n+1:], isDigit)
	}
	if n < len(rest) && (rest[n] == 'e' || rest[n] == 'E') {
		sign := n + 1
		if sign < len(rest) && (rest[sign] == '+' || rest[sign] == '-') {
			sign++
		}
		if digits := span(rest[sign:], isDigit); digits > 0 {
			n = sign + digits
		}
	}
	if unit := span(rest[n:], isIdentifierByte); unit > 0 {
		return l.take(duration, n+unit)
	}
	return l.take(number, n)
}

// span is the length of the longest beginning of s that is made of such bytes.
func span(s string, is func(byte) bool) int {
	n := 0
	for n < len(s) && is(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isIdentifierByte tells what a bare name in a condition may be made of.
// Points are included, since p99.max is a column and not a column's column.
func isIdentifierByte(c byte) bool {
	return isDigit(c) || c == '_' || c == '.' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
