package ipcread

import (
	"context"
	"io"
	"strings"
)

// content is an input for one walk: recognised by its first bytes, unwrapped,
// and ready to be framed.
type content struct {
	format string // "stream", "gzip file": as reports call it
	stream source // of the stream format, else nil
	file   extent // of the file format, else nil
	close  func()
}

// inPlace says that bodies are handed out where they lie.
func (c *content) inPlace() bool {
	if c.file != nil {
		return c.file.inPlace()
	}
	return c.stream.inPlace()
}

// readerBuffer is what a reader is asked for at once; a Linux pipe holds as
// much.
const readerBuffer = 64 << 10

// fromExtent recognises what an extent holds.
func fromExtent(ctx context.Context, ext extent, sp *spooler) (content, error) {
	head, err := ext.bytes(0, min(ext.size(), sniffed))
	if err != nil {
		return content{format: "unknown"}, err
	}
	switch sniff(head) {
	case formatStream:
		return content{format: "stream", stream: &extentSource{ext: ext}, close: func() {}}, nil
	case formatFile:
		return content{format: "file", file: ext, close: func() {}}, nil
	}
	whole := io.NewSectionReader(ext, 0, ext.size())
	return fromReader(ctx, newLookahead(whole), sp)
}

// fromReader recognises what a reader gives, through compression if need be. A
// file-format input is spooled, for its contents can only be found from its
// end.
func fromReader(ctx context.Context, r *lookahead, sp *spooler) (content, error) {
	c := content{close: func() {}}
	var wrappers []string
	for {
		if err := skipFrames(r.Reader); err != nil {
			return c.fail(wrappers, err)
		}
		head, err := r.Peek(sniffed)
		if err != nil && err != io.EOF {
			return c.fail(wrappers, err)
		}
		if len(head) == 0 {
			return c.fail(wrappers, emptyFault(wrappers))
		}
		switch kind := sniff(head); kind {
		case formatStream:
			c.stream = &readerSource{r: r}
			c.format = strings.Join(append(wrappers, "stream"), " ")
			return c, nil
		case formatFile:
			kept, err := sp.keep(ctx, r)
			if err != nil {
				return c.fail(append(wrappers, "file"), err)
			}
			c.close()
			c.file, c.close = kept, func() {}
			c.format = strings.Join(append(wrappers, "file"), " ")
			return c, nil
		case formatGzip, formatZstd, formatLZ4:
			if len(wrappers) == maxWrappers {
				return c.fail(wrappers, faultf(ErrForeign, "compressed more than %d times", maxWrappers))
			}
			wrappers = append(wrappers, kind.String())
			inner, err := unwrap(kind, r.Reader)
			if err != nil {
				return c.fail(wrappers, err)
			}
			outer := c.close
			c.close = func() { inner.close(); outer() }
			r = newLookahead(inner)
		default:
			head, err = r.Peek(sniffedWords)
			if err != nil && err != io.EOF {
				return c.fail(wrappers, err)
			}
			return c.fail(wrappers, foreignFault(head))
		}
	}
}

// fail ends the recognition. What is known of the format stays.
func (c *content) fail(wrappers []string, err error) (content, error) {
	c.close()
	format := strings.Join(wrappers, " ")
	if format == "" {
		format = "unknown"
	}
	return content{format: format, close: func() {}}, err
}

func emptyFault(wrappers []string) error {
	if len(wrappers) == 0 {
		return faultf(ErrEmpty, "empty: it has no bytes")
	}
	return faultf(ErrEmpty, "empty: there are no bytes inside the %s compression", wrappers[len(wrappers)-1])
}
