package ipcread

import "io"

// found is what stands where a message may begin.
type found int

const (
	foundMessage found = iota
	foundEnd           // an end marker
	foundEOF           // the end of the input
)

// prefix reads what stands before the next message's metadata, and the padding
// before that. length is of the metadata.
//
// A zero word is an end marker only where the stream's schema came in the old
// framing. In a stream with continuation words it is what a crash leaves behind
// in a file that was laid out in advance, so it does not count as an end.
func (f *framer) prefix() (offset, length int64, what found, err error) {
	for {
		offset = f.src.offset()
		word, n, err := f.src.word()
		switch {
		case err == io.EOF:
			return offset, 0, foundEOF, nil
		case err == io.ErrUnexpectedEOF:
			if word == 0 && f.state == closed {
				return offset, 0, foundEOF, nil
			}
			if begun := uint32(1)<<(8*n) - 1; f.state == closed && word != begun {
				return offset, 0, 0, f.trailing(offset)
			}
			return offset, 0, 0, f.fail(offset, faultf(ErrTruncated,
				"truncated: the message's prefix has %d of 4 bytes", n))
		case err != nil:
			return offset, 0, 0, f.fail(offset, err)
		case word == continuation:
			length, what, err := f.lengthWord(offset)
			return offset, length, what, err
		case word != 0:
			length, err := f.oldLength(offset, word)
			return offset, length, foundMessage, err
		case f.state == closed:
			if err := f.src.skipZeros(); err != nil { // padding
				return offset, 0, 0, f.fail(offset, err)
			}
			continue
		case f.state == inStream && !f.legacy:
			return f.zeroTail(offset)
		case f.state == atStart:
			return offset, 0, 0, f.fail(offset, errOnlyEnd)
		}
		return offset, 0, foundEnd, nil
	}
}

var errOnlyEnd = faultf(ErrEmpty, "empty: an end marker and no schema")

// lengthWord reads the word after a continuation word.
func (f *framer) lengthWord(offset int64) (int64, found, error) {
	word, n, err := f.src.word()
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return 0, 0, f.fail(offset, faultf(ErrTruncated,
			"truncated: the message's prefix has %d of 8 bytes", wordSize+n))
	case err != nil:
		return 0, 0, f.fail(offset, err)
	case word == 0 && f.state == inStream:
		return 0, foundEnd, nil
	case word == 0 && f.state == closed:
		return 0, 0, f.fail(offset, faultf(ErrCorrupt, "a second end marker after the stream's end"))
	case word == 0:
		return 0, 0, f.fail(offset, errOnlyEnd)
	}
	f.old = false
	return int64(word), foundMessage, f.checkLength(offset, int64(int32(word)))
}

// oldLength takes word for a length without a continuation before it.
func (f *framer) oldLength(offset int64, word uint32) (int64, error) {
	length := int64(int32(word))
	if length < 0 || length > maxMetadata {
		if f.state == closed {
			return 0, f.trailing(offset)
		}
		return 0, f.fail(offset, faultf(ErrCorrupt, "no message begins here: its first bytes are %s", inHex(word)))
	}
	f.old = true
	return length, f.checkLength(offset, length)
}

// checkLength holds a metadata length against the limit and the input.
func (f *framer) checkLength(offset, length int64) error {
	left := f.src.left()
	switch {
	case length < 0:
		return f.fail(offset, faultf(ErrCorrupt, "a metadata length of %d", length))
	case length > maxMetadata:
		return f.fail(offset, faultf(ErrLimit, "a metadata length of %d, more than %d", length, maxMetadata))
	case left >= 0 && length > left:
		return f.short(offset, "metadata", length, left, io.ErrUnexpectedEOF)
	}
	return nil
}

// zeroTail reads on after a zero word where a message should begin. Nothing but
// zeros up to the end of the input is a stream without end marker.
func (f *framer) zeroTail(offset int64) (int64, int64, found, error) {
	for {
		if err := f.src.skipZeros(); err != nil {
			return offset, 0, 0, f.fail(offset, err)
		}
		word, _, err := f.src.word()
		switch {
		case word != 0:
			return offset, 0, 0, f.fail(offset, faultf(ErrCorrupt, "zeros where a message should begin"))
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			return offset, 0, foundEOF, nil
		case err != nil:
			return offset, 0, 0, f.fail(offset, err)
		}
	}
}

// trailing is the error of bytes after the end marker that are neither padding
// nor a stream.
func (f *framer) trailing(offset int64) error {
	text := "bytes"
	if left := f.src.left(); left >= 0 {
		text = count(f.src.offset()+left-offset, "byte")
	}
	return f.fail(offset, faultf(ErrCorrupt, "%s after the end of the stream that are no Arrow stream", text))
}

func inHex(word uint32) string {
	const digits = "0123456789abcdef"
	var b []byte
	for i := range wordSize {
		c := byte(word >> (8 * i))
		b = append(b, digits[c>>4], digits[c&15], ' ')
	}
	return string(b[:len(b)-1])
}
