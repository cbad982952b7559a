package render

import (
	"bytes"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// newCSV writes comma-separated values: RFC 4180 with LF line ends. A field is
// quoted exactly if it holds a comma, a quote, CR or LF, is empty, or equals
// the text of a null, and a null (by default nothing) never is, so that a
// reader which minds quotes can tell all of them apart. Fields need no more
// quotes than that: the same values always give the same bytes.
func newCSV(w io.Writer, schema *arrow.Schema, opt Options) (Writer, error) {
	var null []byte
	if opt.Null != nil {
		null = []byte(*opt.Null)
	}
	if bytes.ContainsAny(null, csvSpecial) {
		return nil, fmt.Errorf("%q cannot stand for nulls in csv: nulls are never quoted", null)
	}
	l := layout{end: []byte("\n"), null: null}
	l.quote = func(c class, plain appender) appender {
		if c != text && len(null) == 0 {
			return plain
		}
		return func(dst []byte, row int) []byte {
			start := len(dst)
			return quoteField(plain(dst, row), start, null)
		}
	}
	for i, f := range schema.Fields() {
		var lead []byte
		if i > 0 {
			lead = []byte(",")
		}
		l.lead = append(l.lead, lead)
		if !opt.NoHeader {
			l.open = append(l.open, lead...)
			start := len(l.open)
			l.open = quoteField(append(l.open, f.Name...), start, null)
		}
	}
	if !opt.NoHeader {
		l.open = append(l.open, '\n')
	}
	return newRows(w, schema, opt, l)
}

// csvSpecial are the characters that a field is quoted for.
const csvSpecial = ",\"\r\n"

// quoteField quotes the field that dst holds from start on, if it must be.
func quoteField(dst []byte, start int, null []byte) []byte {
	field := dst[start:]
	quotes, special := 0, false
	for _, b := range field {
		switch b {
		case '"':
			quotes++
		case ',', '\r', '\n':
			special = true
		}
	}
	if !special && quotes == 0 && len(field) > 0 && !bytes.Equal(field, null) {
		return dst
	}
	// Grow by the quotes and move the field to the right from its end, so that
	// no second buffer is needed.
	size := len(field)
	for range quotes + 2 {
		dst = append(dst, '"')
	}
	to := len(dst) - 2
	for from := start + size - 1; from >= start; from-- {
		b := dst[from]
		dst[to] = b
		to--
		if b == '"' {
			dst[to] = '"'
			to--
		}
	}
	dst[start] = '"'
	return dst
}
