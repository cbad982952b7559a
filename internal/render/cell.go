package render

import "bytes"

// cell turns one value after another into text for people, reusing its memory.
// Formats that people read tell nulls from text by quoting the text: the empty
// string and whatever looks like a null.
type cell struct {
	shown []byte // the text; valid until the next set
	plain []byte
	other []byte
}

// set shows the value of a row that is not null. null is the text of nulls, as
// shown.
func (c *cell) set(text appender, row int, null []byte) {
	c.plain = text(c.plain[:0], row)
	if !printableASCII(c.plain) {
		c.other = appendVisible(c.other[:0], c.plain)
		c.plain, c.other = c.other, c.plain
	}
	if len(c.plain) == 0 || bytes.Equal(c.plain, null) {
		c.other = append(append(append(c.other[:0], '"'), c.plain...), '"')
		c.plain, c.other = c.other, c.plain
	}
	c.shown = c.plain
}
