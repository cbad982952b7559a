package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is a place in a text and what is wrong there.
type Error struct {
	At     int    // byte offset of the token
	Near   string // the token as written, "" at the end of the text
	Empty  bool   // there is no token at all
	Unique bool   // Near occurs only once, so that it alone tells the place
	Text   string // what is wrong, lower case
	Hint   string // the way out, may be empty
	char   int
}

// Error names the token, and its position where the token's text alone could
// mean several places.
func (e *Error) Error() string {
	switch {
	case e.Empty:
		return e.Text
	case e.Near == "":
		return "at the end: " + e.Text
	case e.Unique:
		return fmt.Sprintf("at %q: %s", e.Near, e.Text)
	default:
		return fmt.Sprintf("at %q (character %d): %s", e.Near, e.char, e.Text)
	}
}

// nearLimit is how many bytes of a token an error shows.
const nearLimit = 40

// ErrorAt makes an error about src[at:end]. Both ends are moved to the ends of
// the text where they lie beyond.
func ErrorAt(src string, at, end int, text string) *Error {
	at = min(at, len(src))
	end = max(at, min(end, len(src)))
	near := src[at:end]
	if len(near) > nearLimit {
		cut := nearLimit
		for cut > 0 && !utf8.RuneStart(near[cut]) {
			cut--
		}
		near = near[:cut]
	}
	return &Error{
		At:     at,
		Near:   near,
		Unique: strings.Count(src, near) == 1,
		Text:   text,
		char:   utf8.RuneCountInString(src[:at]) + 1,
	}
}
