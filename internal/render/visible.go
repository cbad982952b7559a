package render

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// appendVisible appends text with everything written out that a terminal would
// obey or not show: control and escape characters, line and paragraph
// separators, the controls of writing direction and all other characters that
// are invisible by definition, and bytes that are no UTF-8. They become \n,
// \x1b, \u202e and the like; backslashes stay single, since this is for eyes.
//
// Joiners and variation selectors are how several scripts and most emoji are
// spelled. They stay where they do that: after a character beyond ASCII, a
// joiner also before one.
func appendVisible(dst, text []byte) []byte {
	before := rune(0)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		next, _ := utf8.DecodeRune(text[size:])
		switch {
		case r == utf8.RuneError && size <= 1:
			dst = appendEscape(dst, 'x', uint32(text[0]), 2)
		case shown(r), joins(before, r, next):
			dst = append(dst, text[:size]...)
		default:
			dst = appendCode(dst, r)
		}
		before, text = r, text[size:]
	}
	return dst
}

// shown says whether a character can be seen, or takes room as a blank does.
func shown(r rune) bool {
	if r < 0x7f {
		return r >= ' '
	}
	return r > 0x9f && !unicode.In(r, unicode.Zl, unicode.Zp, unicode.Cf,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// joins says whether r belongs to the spelling of its neighbours.
func joins(before, r, next rune) bool {
	const (
		nonJoiner, joiner = 0x200c, 0x200d
		textStyle, emoji  = 0xfe0e, 0xfe0f
	)
	switch r {
	case nonJoiner, joiner:
		return before > unicode.MaxASCII && next > unicode.MaxASCII && next != utf8.RuneError
	case textStyle, emoji:
		return before > unicode.MaxASCII && shown(before)
	}
	return false
}

// appendCode appends the escape of a character.
func appendCode(dst []byte, r rune) []byte {
	switch {
	case r == '\n':
		return append(dst, `\n`...)
	case r == '\r':
		return append(dst, `\r`...)
	case r == '\t':
		return append(dst, `\t`...)
	case r <= 0x7f:
		return appendEscape(dst, 'x', uint32(r), 2)
	case r <= 0xffff:
		return appendEscape(dst, 'u', uint32(r), 4)
	}
	return appendEscape(dst, 'U', uint32(r), 8)
}

// appendEscape appends a backslash, the letter and that many hexadecimal
// digits.
func appendEscape(dst []byte, letter byte, code uint32, digits int) []byte {
	const hexadecimal = "0123456789abcdef"
	dst = append(dst, '\\', letter)
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, hexadecimal[code>>shift&15])
	}
	return dst
}

// displayWidth is the number of terminal cells that text without control
// characters takes: by Unicode grapheme clusters, East Asian wide characters
// and emoji two, combining marks none, ambiguous ones one, whatever the locale.
func displayWidth(text []byte) int {
	if printableASCII(text) {
		return len(text)
	}
	return displaywidth.Options{}.Bytes(text)
}

func printableASCII(text []byte) bool {
	for _, b := range text {
		if b < ' ' || b > '~' {
			return false
		}
	}
	return true
}
