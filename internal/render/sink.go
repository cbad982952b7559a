package render

import "io"

// flushAt is how much text is gathered before it is written. A single row may
// grow the buffer beyond it.
const flushAt = 64 << 10

// sink gathers bytes for a writer and keeps its first error. Rows are appended
// to buf by their writer, which calls flushed after each.
type sink struct {
	w   io.Writer
	buf []byte
	err error
}

func newSink(w io.Writer) sink { return sink{w: w, buf: make([]byte, 0, flushAt+4<<10)} }

// full writes the buffer out once it holds enough to be worth a system call.
func (s *sink) full() error {
	if len(s.buf) < flushAt {
		return s.err
	}
	return s.flush()
}

// flush writes the buffer out. Nothing is written after an error.
func (s *sink) flush() error {
	if s.err == nil && len(s.buf) > 0 {
		var n int
		n, s.err = s.w.Write(s.buf)
		if s.err == nil && n < len(s.buf) {
			s.err = io.ErrShortWrite
		}
	}
	s.buf = s.buf[:0]
	return s.err
}

// Write lets a library's writer use the same buffer. What is larger than the
// buffer is not copied through it.
func (s *sink) Write(p []byte) (int, error) {
	if len(s.buf)+len(p) > flushAt {
		if err := s.flush(); err != nil {
			return 0, err
		}
	}
	if len(p) < flushAt {
		s.buf = append(s.buf, p...)
		return len(p), s.err
	}
	if s.err != nil {
		return 0, s.err
	}
	var n int
	n, s.err = s.w.Write(p)
	return n, s.err
}
