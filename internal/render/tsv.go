package render

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// newTSV writes tab-separated values as PostgreSQL's COPY and ClickHouse read
// them: one line a row whatever the values hold, tab, LF, CR and backslash
// escaped as \t \n \r \\, no quotes, a null as \N. Since a backslash in a text
// is doubled, no text looks like \N; another text for nulls has no such
// protection.
func newTSV(w io.Writer, schema *arrow.Schema, opt Options) (Writer, error) {
	l := layout{end: []byte("\n"), null: []byte(`\N`), quote: tsvCell}
	if opt.Null != nil {
		l.null = []byte(*opt.Null)
		if specialBytes("\t\n\r").in(l.null) {
			return nil, fmt.Errorf("%q cannot stand for nulls in tsv: it would break the line", l.null)
		}
	}
	for i, f := range schema.Fields() {
		var lead []byte
		if i > 0 {
			lead = []byte("\t")
		}
		l.lead = append(l.lead, lead)
		if !opt.NoHeader {
			l.open = appendTSV(append(l.open, lead...), []byte(f.Name))
		}
	}
	if !opt.NoHeader {
		l.open = append(l.open, '\n')
	}
	return newRows(w, schema, opt, l)
}

var tsvSpecial = specialBytes("\t\n\r\\")

func tsvCell(c class, plain appender) appender {
	if c != text {
		return plain
	}
	return escaped(plain, tsvSpecial, appendTSV)
}

func appendTSV(dst, text []byte) []byte {
	for _, b := range text {
		switch b {
		case '\t':
			dst = append(dst, '\\', 't')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\\':
			dst = append(dst, '\\', '\\')
		default:
			dst = append(dst, b)
		}
	}
	return dst
}
