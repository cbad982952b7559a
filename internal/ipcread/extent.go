package ipcread

import (
	"io"
	"os"
)

// extent is an input's bytes that can be read anywhere and any number of times.
type extent interface {
	io.ReaderAt
	size() int64
	// bytes returns n bytes from off on, which lie inside: where they are if the
	// extent is in memory, else read into fresh memory.
	bytes(off, n int64) ([]byte, error)
	// inPlace says that bytes costs no memory.
	inPlace() bool
}

// resident is an extent in the address space: a mapped file, or what a pipe held.
type resident []byte

func (m resident) size() int64   { return int64(len(m)) }
func (m resident) inPlace() bool { return true }

func (m resident) bytes(off, n int64) ([]byte, error) {
	return m[off : off+n : off+n], nil
}

func (m resident) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(len(m)) {
		return 0, io.EOF
	}
	n := copy(p, m[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// readAt is an extent that is read call by call: a regular file that cannot be
// mapped. open gives the file for one walk, so that hundreds of such inputs
// need one descriptor at a time.
type readAt struct {
	file  *os.File
	first int64 // where the input begins in the file
	len   int64
}

func (r *readAt) size() int64   { return r.len }
func (r *readAt) inPlace() bool { return false }

func (r *readAt) ReadAt(p []byte, off int64) (int, error) {
	if off >= r.len {
		return 0, io.EOF
	}
	short := false
	if left := r.len - off; int64(len(p)) > left {
		p, short = p[:left], true
	}
	n, err := r.file.ReadAt(p, r.first+off)
	if err == io.EOF || err == nil && n < len(p) {
		return n, errShrunk
	}
	if err == nil && short {
		err = io.EOF
	}
	return n, err
}

func (r *readAt) bytes(off, n int64) ([]byte, error) {
	b := make([]byte, n)
	if _, err := r.ReadAt(b, off); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// errShrunk: a regular file ended before the size it had when it was opened.
var errShrunk = faultf(ErrChanged, "the file was cut short while it was read")
