package ipcread

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// maxWrappers is how many compressions around one another are unwrapped: one,
// and one more for the file that was compressed twice by mistake.
const maxWrappers = 2

// wrapperWindow bounds the memory of a zstd frame's window, which its header
// claims. 128 MiB is what zstd's own program takes without being told.
const wrapperWindow = 128 << 20

// unwrapped reads through one compression around the whole input: all members
// or frames of it, one after the other. It turns the decompressors' errors
// into ours, so that io.EOF means a complete input and nothing else does.
type unwrapped struct {
	kind   format
	member io.Reader // the member being read
	next   func() (io.Reader, error)
	close  func()
}

// unwrap begins to read through the compression of that kind.
func unwrap(kind format, src *bufio.Reader) (*unwrapped, error) {
	u := &unwrapped{kind: kind, close: func() {}}
	switch kind {
	case formatGzip:
		u.next = gzipMembers(src)
	case formatZstd:
		d, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(wrapperWindow))
		if err != nil {
			return nil, err
		}
		u.close = d.Close
		u.next = once(d)
	case formatLZ4:
		u.next = lz4Frames(src)
	}
	member, err := u.next()
	if err != nil {
		u.close()
		return nil, u.fault(err)
	}
	u.member = member
	return u, nil
}

func (u *unwrapped) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		n, err := u.member.Read(p)
		if err != nil && err != io.EOF {
			return n, u.fault(err)
		}
		if n > 0 {
			return n, nil
		}
		if err == nil {
			continue
		}
		if u.member, err = u.next(); err != nil {
			u.member = finished{}
			if err != io.EOF {
				return 0, u.fault(err)
			}
			return 0, io.EOF
		}
	}
}

// finished has no more bytes.
type finished struct{}

func (finished) Read([]byte) (int, error) { return 0, io.EOF }

// fault says what a decompressor found.
func (u *unwrapped) fault(err error) error {
	var own *fault
	switch {
	case errors.As(err, &own):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return faultf(ErrTruncated, "truncated: the %s compression around it is cut short", u.kind)
	case errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return faultf(ErrLimit, "the %s compression around it needs more than %d bytes of memory", u.kind, wrapperWindow).
			withHint("decompress it first: zstd -dc --long=31 FILE | arrowagg -")
	}
	return faultf(ErrCorrupt, "the %s compression around it is damaged: %v", u.kind, err)
}

// once gives one reader, whose format knows several members itself.
func once(r io.Reader) func() (io.Reader, error) {
	given := false
	return func() (io.Reader, error) {
		if given {
			return nil, io.EOF
		}
		given = true
		return r, nil
	}
}

// gzipMembers gives the members of a gzip file.
func gzipMembers(src *bufio.Reader) func() (io.Reader, error) {
	var z *gzip.Reader
	return func() (io.Reader, error) {
		if z == nil {
			first, err := gzip.NewReader(src)
			if err != nil {
				return nil, err
			}
			z = first
			z.Multistream(false)
			return z, nil
		}
		if err := another(src, formatGzip); err != nil {
			return nil, err
		}
		if err := z.Reset(src); err != nil {
			return nil, cut(err)
		}
		z.Multistream(false)
		return z, nil
	}
}

// another looks whether one more member of that kind begins: io.EOF if the input
// has ended.
func another(src *bufio.Reader, kind format) error {
	head, err := src.Peek(wordSize)
	switch {
	case len(head) == 0 || len(head) < wordSize && err != io.EOF:
		return err
	case sniff(head) != kind:
		return faultf(ErrCorrupt, "bytes after the end of the %s compression around it", kind)
	}
	return nil
}

// cut is the error of an end of input where more must follow.
func cut(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// lz4Frames gives the frames of an lz4 file, each bounded by its own structure
// so that the library cannot take the end of the input for the end of a frame.
func lz4Frames(src *bufio.Reader) func() (io.Reader, error) {
	z := lz4.NewReader(nil)
	return func() (io.Reader, error) {
		if err := skipFrames(src); err != nil {
			return nil, err
		}
		if err := another(src, formatLZ4); err != nil {
			return nil, err
		}
		z.Reset(&lz4Frame{src: src})
		if err := z.Apply(lz4.ConcurrencyOption(1)); err != nil {
			return nil, err
		}
		return z, nil
	}
}

// skipFrames passes over frames of user bytes, which zstd and lz4 share: a
// magic number, a length, and so many bytes.
func skipFrames(src *bufio.Reader) error {
	for {
		head, err := src.Peek(2 * wordSize)
		if len(head) < wordSize || !isSkippableFrame(head) {
			if err == io.EOF {
				err = nil // the next reader finds out by itself
			}
			return err
		}
		if len(head) < 2*wordSize {
			return errCutWrapper
		}
		length := int64(binary.LittleEndian.Uint32(head[wordSize:]))
		if _, err := io.CopyN(io.Discard, src, 2*wordSize+length); err == io.EOF {
			return errCutWrapper
		} else if err != nil {
			return err
		}
	}
}

var errCutWrapper = faultf(ErrTruncated, "truncated: the compression around it is cut short")
