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
	// take returns the next n bytes: in room if that is large enough and they
	// must be copied at all. Else memory is taken, and only as bytes arrive.
	take(n int64, room []byte) ([]byte, error)
	// skip leaves out the next n bytes.
	skip(n int64) error
	// inPlace says that take costs no memory.
	inPlace() bool
}

// extentSource walks an extent.
type extentSource struct {
	ext  extent
	pos  int64
	head [wordSize]byte // of the last word
}

func (s *extentSource) offset() int64 { return s.pos }
func (s *extentSource) left() int64   { return s.ext.size() - s.pos }
func (s *extentSource) inPlace() bool { return s.ext.inPlace() }

func (s *extentSource) word() (uint32, int, error) {
	n := int(min(s.left(), wordSize))
	if n == 0 {
		return 0, 0, io.EOF
	}
	s.head = [wordSize]byte{}
	if _, err := s.ext.ReadAt(s.head[:n], s.pos); err != nil && err != io.EOF {
		return 0, 0, err
	}
	s.pos += int64(n)
	word := binary.LittleEndian.Uint32(s.head[:])
	if n < wordSize {
		return word, n, io.ErrUnexpectedEOF
	}
	return word, n, nil
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

func (s *extentSource) take(n int64, room []byte) ([]byte, error) {
	short := endOf(s.left(), n)
	b, err := takeFrom(s.ext, s.pos, min(n, s.left()), room)
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

// takeFrom is an extent's bytes, in room if they must be copied and it is large
// enough.
func takeFrom(ext extent, off, n int64, room []byte) ([]byte, error) {
	if ext.inPlace() || n > int64(cap(room)) {
		return ext.bytes(off, n)
	}
	if _, err := ext.ReadAt(room[:n], off); err != nil && err != io.EOF {
		return nil, err
	}
	return room[:n], nil
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
	r    *bufio.Reader
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

func (s *readerSource) take(n int64, room []byte) ([]byte, error) {
	b := room[:min(n, int64(cap(room)))]
	if int64(len(b)) < n {
		b = make([]byte, min(n, trusted))
	}
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
