package render

// cell turns one value after another into text for a terminal, reusing its
// memory.
type cell struct {
	plain, visible []byte
}

// show returns the text of a value, valid until the next call.
func (c *cell) show(text appender, row int) []byte {
	c.plain = text(c.plain[:0], row)
	if printableASCII(c.plain) {
		return c.plain
	}
	c.visible = appendVisible(c.visible[:0], c.plain)
	return c.visible
}
