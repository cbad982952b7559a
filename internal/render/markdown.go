package render

import (
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
)

// newMarkdown writes a pipe table as GitHub and most others render it, numbers
// to the right, without filling cells up to a common width:
//
//	| host | bytes_sum |
//	| --- | ---: |
//	| a | 1 |
//
// What would be markup is escaped, so that a cell reads as its value. Nulls and
// the texts that look like them are shown as in the table.
func newMarkdown(w io.Writer, schema *arrow.Schema, opt Options) (Writer, error) {
	null := []byte("NULL")
	if opt.Null != nil {
		null = []byte(*opt.Null)
	}
	list, err := classes(schema)
	if err != nil {
		return nil, err
	}
	l := layout{end: []byte(" |\n"), null: appendMarkdown(nil, null)}
	l.quote = func(c class, plain appender) appender {
		plain = quotedAsText(plain, null)
		if c == number || c == logical {
			return plain
		}
		return escaped(plain, markdownSpecial, appendMarkdown)
	}
	var rule []byte
	for i, f := range schema.Fields() {
		lead := " | "
		if i == 0 {
			lead = "| "
		}
		l.lead = append(l.lead, []byte(lead))
		l.open = appendMarkdown(append(l.open, lead...), []byte(f.Name))
		rule = append(append(rule, lead...), "---"...)
		if list[i] == number {
			rule = append(rule, ':')
		}
	}
	l.open = append(append(append(l.open, l.end...), rule...), l.end...)
	return newRows(w, schema, opt, l)
}

// markup are the characters that a backslash keeps from being markup.
const markup = "\\`*<[]~$&|"

var (
	markdownMarkup  = specialBytes(markup)
	markdownSpecial = specialBytes(markup + "_ ").controls().beyondASCII()
)

// appendMarkdown appends text so that it is rendered as it is. A line end
// becomes <br>, other characters that cannot be seen, as in the table, and
// blanks at the ends, which would be lost, character references; but for those
// from U+0080 to U+009F, whose references HTML takes for others. Underscores
// inside a word mean nothing (CommonMark 6.2) and stay, so that column names can
// be read and copied.
func appendMarkdown(dst, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		b := text[i]
		atEnd := i == 0 || i == len(text)-1
		switch {
		case b == '\n':
			dst = append(dst, "<br>"...)
		case b < ' ' && b != '\t', b == 0x7f, atEnd && (b == ' ' || b == '\t'):
			dst = appendReference(dst, rune(b))
		case b >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(text[i:])
			before, _ := utf8.DecodeLastRune(text[:i])
			next, _ := utf8.DecodeRune(text[i+size:])
			if shown(r) || r <= 0x9f || joins(before, r, next) {
				dst = append(dst, text[i:i+size]...)
			} else {
				dst = appendReference(dst, r)
			}
			i += size - 1
		case markdownMarkup[b]:
			dst = append(dst, '\\', b)
		case b == '_':
			end := i + 1
			for end < len(text) && text[end] == '_' {
				end++
			}
			inside := i > 0 && alphanumeric(text[i-1]) && end < len(text) && alphanumeric(text[end])
			for ; i < end; i++ {
				if !inside {
					dst = append(dst, '\\')
				}
				dst = append(dst, '_')
			}
			i--
		default:
			dst = append(dst, b)
		}
	}
	return dst
}

func appendReference(dst []byte, r rune) []byte {
	return append(strconv.AppendUint(append(dst, '&', '#'), uint64(r), 10), ';')
}

func alphanumeric(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
