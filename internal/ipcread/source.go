package ipcread

import (
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
	// must be copied at all. Else memory is taken, and only as bytes arrive. What
	// is copied need only be the wanted parts.
	take(n int64, room []byte, wanted parts) ([]byte, error)
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

func (s *extentSource) take(n int64, room []byte, wanted parts) ([]byte, error) {
	short := endOf(s.left(), n)
	b, err := takeFrom(s.ext, s.pos, min(n, s.left()), room, wanted)
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
// enough, and then the wanted parts of them alone.
func takeFrom(ext extent, off, n int64, room []byte, wanted parts) ([]byte, error) {
	if ext.inPlace() {
		return ext.bytes(off, n)
	}
	if n > int64(cap(room)) {
		room = make([]byte, n)
	}
	room = room[:n]
	if wanted == nil {
		wanted = parts{{0, n}}
	}
	for _, p := range wanted {
		from, to := min(p.from, n), min(p.to, n)
		if _, err := ext.ReadAt(room[from:to], off+from); err != nil && err != io.EOF {
			return nil, err
		}
	}
	return room, nil
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
