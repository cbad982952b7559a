package render

import "io"

// flushAt is how much text is gathered before it is written. A single row may
// grow the buffer beyond it.
const flushAt = 64 << 10

// sink gathers bytes for a writer and keeps its first error. Writers of rows
// append to buf and call full after each row.
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

// flush writes the buffer out.
func (s *sink) flush() error {
	s.put(s.buf)
	s.buf = s.buf[:0]
	return s.err
}

// put writes p past the buffer. Nothing is written after an error.
func (s *sink) put(p []byte) {
	if s.err != nil || len(p) == 0 {
		return
	}
	n, err := s.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	s.err = err
}

// Write lets a library's writer use the same buffer. What fills it alone is not
// copied through it.
func (s *sink) Write(p []byte) (int, error) {
	if len(s.buf)+len(p) > flushAt {
		s.flush()
	}
	if len(p) < flushAt {
		s.buf = append(s.buf, p...)
	} else {
		s.put(p)
	}
	if s.err != nil {
		return 0, s.err
	}
	return len(p), nil
}
