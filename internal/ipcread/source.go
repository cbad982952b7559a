package ipcread

import (
	"bufio"
	"encoding/binary"
	"io"
)

// source hands out an input's bytes in order. At the end of the input its
// methods return io.EOF where nothing was left and io.ErrUnexpectedEOF where
// less was left than asked for; every other error is the reader's own.
type source interface {
	// offset is how many bytes were handed out.
	offset() int64
	// left is how many more there are, -1 where nobody can know.
	left() int64
	// word is the next four bytes, little-endian. Where n < 4 of them are left,
	// those are in the low bytes.
	word() (w uint32, n int, err error)
	// skipZeros leaves out whole words of zeros, perhaps not all there are.
	skipZeros() error
	// take returns the next n bytes. Memory grows only as bytes really arrive.
	take(n int64) ([]byte, error)
	// skip leaves out the next n bytes.
	skip(n int64) error
	// inPlace says that take costs no memory.
	inPlace() bool
}

// extentSource walks an extent.
type extentSource struct {
	ext extent
	pos int64
}

func (s *extentSource) offset() int64 { return s.pos }
func (s *extentSource) left() int64   { return s.ext.size() - s.pos }
func (s *extentSource) inPlace() bool { return s.ext.inPlace() }

func (s *extentSource) word() (uint32, int, error) {
	var b [4]byte
	n := int(min(s.left(), 4))
	if n == 0 {
		return 0, 0, io.EOF
	}
	if _, err := s.ext.ReadAt(b[:n], s.pos); err != nil && err != io.EOF {
		return 0, 0, err
	}
	s.pos += int64(n)
	if n < 4 {
		return binary.LittleEndian.Uint32(b[:]), n, io.ErrUnexpectedEOF
	}
	return binary.LittleEndian.Uint32(b[:]), 4, nil
}

func (s *extentSource) skipZeros() error {
	for {
		b, err := s.ext.bytes(s.pos, min(s.left(), readerBuffer))
		if err != nil {
			return err
		}
		n := zeroWords(b)
		s.pos += int64(n)
		if n < readerBuffer {
			return nil
		}
	}
}

// zeroWords is how many bytes the zero words in front of b have.
func zeroWords(b []byte) int {
	n := 0
	for len(b)-n >= 8 && binary.LittleEndian.Uint64(b[n:]) == 0 {
		n += 8
	}
	if len(b)-n >= wordSize && binary.LittleEndian.Uint32(b[n:]) == 0 {
		n += wordSize
	}
	return n
}

func (s *extentSource) take(n int64) ([]byte, error) {
	short := endOf(s.left(), n)
	b, err := s.ext.bytes(s.pos, min(n, s.left()))
	if err != nil {
		return nil, err
	}
	s.pos += int64(len(b))
	return b, short
}

func (s *extentSource) skip(n int64) error {
	short := endOf(s.left(), n)
	s.pos += min(n, s.left())
	return short
}

// endOf is the error of asking for n bytes where have are left.
func endOf(have, n int64) error {
	switch {
	case n <= have:
		return nil
	case have == 0:
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}

// readerSource walks what a reader gives: a pipe, or an unwrapped input.
type readerSource struct {
	r   *bufio.Reader
	pos int64
}

func (s *readerSource) offset() int64 { return s.pos }
func (s *readerSource) left() int64   { return -1 }
func (s *readerSource) inPlace() bool { return false }

func (s *readerSource) word() (uint32, int, error) {
	var b [4]byte
	n, err := io.ReadFull(s.r, b[:])
	s.pos += int64(n)
	return binary.LittleEndian.Uint32(b[:]), n, err
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

func (s *readerSource) take(n int64) ([]byte, error) {
	b := make([]byte, min(n, trusted))
	have := 0
	for {
		k, err := io.ReadFull(s.r, b[have:])
		have += k
		s.pos += int64(k)
		if err != nil {
			return b[:have], endError(have, err)
		}
		if int64(have) == n {
			return b, nil
		}
		// A quarter of it came, so the rest is believed four times as far.
		grown := make([]byte, min(n, 4*int64(have)))
		copy(grown, b)
		b = grown
	}
}

func (s *readerSource) skip(n int64) error {
	var done int64
	for done < n {
		k, err := s.r.Discard(int(min(n-done, 1<<30)))
		done += int64(k)
		s.pos += int64(k)
		if err != nil {
			return endError(int(min(done, 1)), err)
		}
	}
	return nil
}

// endError makes the end of input, seen after have bytes, tell whether any
// byte came.
func endError(have int, err error) error {
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	if have == 0 {
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}
