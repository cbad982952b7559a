package render

import "bytes"

// quotedAsText wraps the text of a column so that, in a format that people
// read, no value looks like a null: the empty string and what equals the text
// of nulls are put in double quotes.
func quotedAsText(plain appender, null []byte) appender {
	return func(dst []byte, row int) []byte {
		start := len(dst)
		dst = plain(dst, row)
		size := len(dst) - start
		if size > 0 && !bytes.Equal(dst[start:], null) {
			return dst
		}
		return append(append(append(dst[:start], '"'), null[:size]...), '"')
	}
}
