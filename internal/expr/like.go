package expr

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// pattern is a like pattern cut at its % signs: the parts have to follow one
// another in the text, the first at its beginning and the last at its end.
type pattern struct {
	parts []part
}

// part is text between % signs, where _ stands for any one character.
type part struct {
	text []byte
	any  bool // it has _ in it
}

func newPattern(s string) *pattern {
	p := &pattern{}
	for text := range strings.SplitSeq(s, "%") {
		p.parts = append(p.parts, part{[]byte(text), strings.Contains(text, "_")})
	}
	return p
}

// has tells whether a text matches. Taking the first place where each part in
// the middle fits is enough: it leaves the most for the parts after it.
func (p *pattern) has(b []byte) bool {
	first, last := p.parts[0], p.parts[len(p.parts)-1]
	if len(p.parts) == 1 {
		n, ok := first.prefix(b)
		return ok && n == len(b)
	}
	n, ok := first.prefix(b)
	if !ok {
		return false
	}
	b = b[n:]
	for _, q := range p.parts[1 : len(p.parts)-1] {
		if b, ok = q.after(b); !ok {
			return false
		}
	}
	return last.suffix(b)
}

// prefix tells whether the text begins with the part, and with how many bytes.
func (q part) prefix(b []byte) (int, bool) {
	if !q.any {
		return len(q.text), bytes.HasPrefix(b, q.text)
	}
	n := 0
	for _, c := range q.text {
		if n == len(b) {
			return 0, false
		}
		if c == '_' {
			_, size := utf8.DecodeRune(b[n:])
			n += size
			continue
		}
		if b[n] != c {
			return 0, false
		}
		n++
	}
	return n, true
}

// after returns what follows the first place where the part fits.
func (q part) after(b []byte) ([]byte, bool) {
	if !q.any {
		i := bytes.Index(b, q.text)
		if i < 0 {
			return nil, false
		}
		return b[i+len(q.text):], true
	}
	for from := 0; from <= len(b); from++ {
		if from < len(b) && !utf8.RuneStart(b[from]) {
			continue
		}
		if n, ok := q.prefix(b[from:]); ok {
			return b[from+n:], true
		}
	}
	return nil, false
}

// suffix tells whether the text ends with the part.
func (q part) suffix(b []byte) bool {
	if !q.any {
		return bytes.HasSuffix(b, q.text)
	}
	// As many characters as the part has, counted from the end.
	from := len(b)
	for range utf8.RuneCount(q.text) {
		if from == 0 {
			return false
		}
		_, size := utf8.DecodeLastRune(b[:from])
		from -= size
	}
	n, ok := q.prefix(b[from:])
	return ok && from+n == len(b)
}
