package ipcread

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// lookahead is a reader that is buffered where little is read of it at once,
// and read or skipped itself where it is much.
type lookahead struct {
	*bufio.Reader
	raw io.Reader
}

func newLookahead(raw io.Reader) *lookahead {
	return &lookahead{bufio.NewReaderSize(raw, readerBuffer), raw}
}

// skipper is a reader that can leave out bytes without their being copied.
type skipper interface {
	// skip leaves out at most n bytes and says how many. It waits for one as Read
	// does. Nothing is lost with errors.ErrUnsupported: the reader can be read.
	skip(n int64) (int64, error)
}

// skipIn skips in a reader that r is made of, if that can be.
func skipIn(r io.Reader, n int64) (int64, error) {
	if s, ok := r.(skipper); ok {
		return s.skip(n)
	}
	return 0, errors.ErrUnsupported
}

// much is how many bytes are worth a read of their own.
const much = 16 << 10

// readFull fills b. Unlike io.ReadFull it says with io.EOF that less came.
func (l *lookahead) readFull(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var k int
		if l.Buffered() == 0 && len(b)-n >= much {
			k, err = l.raw.Read(b[n:])
		} else {
			k, err = l.Read(b[n:])
		}
		n += k
	}
	if n == len(b) {
		return n, nil
	}
	return n, err
}

// skip leaves out n bytes and says how many there were.
func (l *lookahead) skip(n int64) (done int64, err error) {
	for done < n && err == nil {
		var k int64
		err = errors.ErrUnsupported
		if l.Buffered() == 0 && n-done >= much {
			k, err = skipIn(l.raw, n-done)
		}
		if err == errors.ErrUnsupported {
			var some int
			some, err = l.Discard(int(min(n-done, int64(max(l.Buffered(), readerBuffer)))))
			k = int64(some)
		}
		done += k
	}
	return done, err
}

// readerSource walks what a reader gives: a pipe, or an unwrapped input.
type readerSource struct {
	r    *lookahead
	pos  int64
	head [wordSize]byte // of the last word
}

func (s *readerSource) offset() int64 { return s.pos }
func (s *readerSource) left() int64   { return -1 }
func (s *readerSource) inPlace() bool { return false }

func (s *readerSource) word() (uint32, int, error) {
	s.head = [wordSize]byte{}
	n, err := io.ReadFull(s.r, s.head[:])
	s.pos += int64(n)
	return binary.LittleEndian.Uint32(s.head[:]), n, err
}

func (s *readerSource) skipZeros() error {
	for {
		if _, err := s.r.Peek(wordSize); err != nil {
			return nil // word meets it too
		}
		b, err := s.r.Peek(s.r.Buffered())
		if err != nil {
			return err
		}
		n := zeroWords(b)
		s.r.Discard(n)
		s.pos += int64(n)
		if n < len(b)&^(wordSize-1) {
			return nil
		}
	}
}

// trusted is how much memory a claimed length gets before any byte of it came.
const trusted = 1 << 20

func (s *readerSource) take(n int64, room []byte, wanted parts) ([]byte, error) {
	b := room[:min(n, int64(cap(room)))]
	if int64(len(b)) < n {
		b = make([]byte, min(n, trusted))
	}
	have := int64(0)
	for {
		k, err := s.fill(b, have, wanted)
		have += k
		s.pos += k
		if err != nil {
			return b[:have], endError(have, err)
		}
		if have == n {
			return b, nil
		}
		// A quarter of it came, so the rest is believed four times as far.
		grown := make([]byte, min(n, 4*have))
		copy(grown, b)
		b = grown
	}
}

// fill fills b from byte from on, with the parts of it that are wanted, and says
// how many bytes that was of the input.
func (s *readerSource) fill(b []byte, from int64, wanted parts) (n int64, err error) {
	at, end := from, int64(len(b))
	for at < end && err == nil {
		next := part{at, end}
		if wanted != nil {
			var more bool
			if next, more = wanted.at(at); !more {
				next = part{end, end}
			}
		}
		var k int64
		if at < next.from {
			k, err = s.r.skip(min(next.from, end) - at)
		} else {
			var some int
			some, err = s.r.readFull(b[at:min(next.to, end)])
			k = int64(some)
		}
		at += k
	}
	return at - from, err
}

func (s *readerSource) skip(n int64) error {
	done, err := s.r.skip(n)
	s.pos += done
	if err != nil {
		return endError(done, err)
	}
	return nil
}

// endError makes the end of input, seen after have bytes, tell whether any
// byte came.
func endError(have int64, err error) error {
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	if have == 0 {
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}
