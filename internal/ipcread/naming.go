package ipcread

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// nameOf is what an input is called everywhere: in errors, in reports and in
// the column that --source makes, which is UTF-8. File names are bytes. Those
// that are not UTF-8 are written \xff, and names that differ are called
// differently: where a name itself has backslashes in front of what would read
// as such a byte, they are doubled.
//
//	w<0xff>   ─► w\xff        bytes that are not UTF-8
//	w\xff     ─► w\\xff       a name that has these four characters
//	dir\w1    ─► dir\w1       any other name as it is
func nameOf(path string) string {
	var b strings.Builder
	backslashes := 0 // right in front of i
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		invalid := r == utf8.RuneError && size == 1
		if invalid || looksEscaped(path[i:]) {
			b.WriteString(path[i-backslashes : i])
		}
		switch {
		case invalid:
			const digits = "0123456789abcdef"
			b.Write([]byte{'\\', 'x', digits[path[i]>>4], digits[path[i]&15]})
		default:
			b.WriteString(path[i : i+size])
		}
		if backslashes++; r != '\\' {
			backslashes = 0
		}
		i += size
	}
	return b.String()
}

// looksEscaped tells whether text begins as a byte that is not ASCII is
// written, but for the backslash.
func looksEscaped(text string) bool {
	return len(text) >= 3 && text[0] == 'x' &&
		strings.IndexByte("89abcdef", text[1]) >= 0 && strings.IndexByte("0123456789abcdef", text[2]) >= 0
}

// escape makes a name safe for one line of a terminal.
func escape(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}
