package render

import "unicode/utf8"

// special marks the bytes for which a format has to look closer at a text.
type special [256]bool

// specialBytes marks the bytes of s.
func specialBytes(s string) *special {
	var m special
	for i := range len(s) {
		m[s[i]] = true
	}
	return &m
}

// controls marks the ASCII control characters too.
func (m *special) controls() *special {
	for b := range ' ' {
		m[b] = true
	}
	m[0x7f] = true
	return m
}

// beyondASCII marks the bytes of all other characters too.
func (m *special) beyondASCII() *special {
	for b := utf8.RuneSelf; b <= 0xff; b++ {
		m[b] = true
	}
	return m
}

func (m *special) in(text []byte) bool {
	for _, b := range text {
		if m[b] {
			return true
		}
	}
	return false
}

// escaped wraps plain so that texts with special bytes are rewritten by
// escape. All others, nearly all there are, stay where plain put them.
func escaped(plain appender, m *special, escape func(dst, text []byte) []byte) appender {
	var scratch []byte
	return func(dst []byte, row int) []byte {
		start := len(dst)
		dst = plain(dst, row)
		if !m.in(dst[start:]) {
			return dst
		}
		scratch = append(scratch[:0], dst[start:]...)
		return escape(dst[:start], scratch)
	}
}
