package ipcread

import (
	"errors"
	"io"
	"sync"

	"arrowagg/internal/tempfile"
)

// aheadMemory is what one pipe may keep in memory while nobody consumes.
const aheadMemory = 8 << 20

// ahead reads a pipe ahead while the first input listed has not begun.
//
// One program may write all of FIFO b before it opens FIFO a. If a is listed
// first, nothing can be consumed before a's schema is known, and a will not
// begin before b is read. So until consumption begins, b is read into memory
// and then into a temporary file. From then on reads go straight to the pipe,
// once what was kept is used up.
type ahead struct {
	src  io.ReadCloser
	sp   *spooler
	gate <-chan struct{} // closed when consumption begins

	mu      sync.Mutex
	changed sync.Cond
	reading bool // by fill; nobody else may
	closed  bool
	kept    []byte
	err     error // why fill ended, if not for the gate
	file    *tempfile.File
	from    int64 // of the file: what is still to be read
	to      int64
}

func newAhead(src io.ReadCloser, sp *spooler, gate <-chan struct{}) *ahead {
	a := &ahead{src: src, sp: sp, gate: gate, reading: true}
	a.changed.L = &a.mu
	return a
}

// fill reads until consumption begins, the pipe ends, or nobody wants it.
func (a *ahead) fill() {
	b := make([]byte, readerBuffer)
	for more := true; more; {
		n, err := a.src.Read(b)
		more = a.took(b[:n], err)
	}
}

func (a *ahead) took(b []byte, err error) (more bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(b) > 0 && !a.closed {
		if failed := a.keep(b); failed != nil {
			err = failed
		}
	}
	a.err = err
	select {
	case <-a.gate:
		a.reading = false
	default:
		a.reading = err == nil && !a.closed
	}
	if a.closed {
		a.release()
	}
	a.changed.Broadcast()
	return a.reading
}

// keep puts b behind what is kept: in memory while it has room and nothing
// stands in the file.
func (a *ahead) keep(b []byte) error {
	if a.from == a.to && len(a.kept)+len(b) <= aheadMemory {
		a.kept = append(a.kept, b...)
		return nil
	}
	if a.file == nil {
		f, err := a.sp.dir.Create()
		if err != nil {
			return tempDirFault(a.sp.dir, err)
		}
		a.file = f
	}
	n, err := a.file.WriteAt(b, a.to)
	a.to += int64(n)
	if err != nil {
		return tempDirFault(a.sp.dir, err)
	}
	return nil
}

func (a *ahead) Read(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		switch {
		case len(a.kept) > 0:
			n := copy(p, a.kept)
			a.kept = a.kept[n:]
			return n, nil
		case a.from < a.to:
			n, err := a.file.ReadAt(p[:min(int64(len(p)), a.to-a.from)], a.from)
			a.from += int64(n)
			if a.from == a.to {
				a.from, a.to = 0, 0
			}
			return n, err
		case a.reading:
			a.changed.Wait()
		case a.err != nil:
			return 0, a.err
		default:
			a.mu.Unlock()
			n, err := a.src.Read(p)
			a.mu.Lock()
			return n, err
		}
	}
}

// skip is for when all that was kept is used up.
func (a *ahead) skip(n int64) (int64, error) {
	a.mu.Lock()
	straight := len(a.kept) == 0 && a.from == a.to && !a.reading && a.err == nil
	a.mu.Unlock()
	if !straight {
		return 0, errors.ErrUnsupported
	}
	return skipIn(a.src, n)
}

// Close ends the reading. A read that fill is blocked in is not waited for:
// the pipe is closed when it returns.
func (a *ahead) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	if !a.reading {
		a.release()
	}
	return nil
}

func (a *ahead) release() {
	a.src.Close()
	if a.file != nil {
		a.file.Close()
	}
}
