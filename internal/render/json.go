package render

import (
	"io"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
)

// newJSON writes an array with one object a line:
//
//	[
//	{"host":"a","bytes_sum":1},
//	{"host":null,"bytes_sum":22}
//	]
func newJSON(w io.Writer, schema *arrow.Schema, opt Options) (Writer, error) {
	l := jsonObjects(schema)
	l.open, l.between, l.close, l.none = []byte("[\n"), []byte(",\n"), []byte("\n]\n"), []byte("[]\n")
	return newRows(w, schema, opt, l)
}

// newNDJSON writes one object a line and nothing else (also known as JSON
// Lines).
func newNDJSON(w io.Writer, schema *arrow.Schema, opt Options) (Writer, error) {
	l := jsonObjects(schema)
	l.end = []byte("}\n")
	return newRows(w, schema, opt, l)
}

// jsonObjects writes a row as an object, its keys in the order of the columns.
//
// Integers and decimals are bare digits, however many: JSON does not bound
// numbers (RFC 8259 section 6), and readers that care keep them. NaN and the
// infinities, which JSON lacks, are strings. So are dates, times and binary.
func jsonObjects(schema *arrow.Schema) layout {
	l := layout{end: []byte("}"), null: []byte("null"), quote: jsonCell}
	for i, f := range schema.Fields() {
		lead := []byte("{")
		if i > 0 {
			lead = []byte(",")
		}
		lead = append(lead, '"')
		lead = appendJSON(lead, []byte(f.Name))
		l.lead = append(l.lead, append(lead, '"', ':'))
	}
	return l
}

func jsonCell(c class, plain appender) appender {
	switch c {
	case logical:
		return plain
	case number:
		return func(dst []byte, row int) []byte {
			start := len(dst)
			dst = plain(dst, row)
			if last := dst[len(dst)-1]; last >= '0' && last <= '9' {
				return dst
			}
			switch dst[start] { // all others end in a digit
			case 'N':
				return append(dst[:start], `"NaN"`...)
			case '-':
				return append(dst[:start], `"-inf"`...)
			}
			return append(dst[:start], `"inf"`...)
		}
	case text:
		plain = escaped(plain, jsonSpecial, appendJSON)
	}
	return func(dst []byte, row int) []byte {
		return append(plain(append(dst, '"'), row), '"')
	}
}

// jsonSpecial are the characters that a JSON string must escape, and all bytes
// beyond ASCII, which have to be valid UTF-8.
var jsonSpecial = specialBytes("\"\\").controls().beyondASCII()

// appendJSON appends text as the inside of a JSON string. UTF-8 stays as it is;
// bytes that are none become U+FFFD, so that the output is JSON whatever the
// columns are called.
func appendJSON(dst, text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			dst = utf8.AppendRune(dst, utf8.RuneError)
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ' || r == 0x7f:
			dst = appendEscape(dst, 'u', uint32(r), 4)
		default:
			dst = append(dst, text[:size]...)
		}
		text = text[size:]
	}
	return dst
}
