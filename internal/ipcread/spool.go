package ipcread

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"arrowagg/internal/tempfile"
)

// spoolMemory is what all inputs of a run together may keep in memory before
// temporary files are used.
const spoolMemory = 64 << 20

// spooler keeps the whole of inputs that come from a pipe or through
// compression and cannot be understood before their end.
type spooler struct {
	dir  *tempfile.Dir
	room atomic.Int64 // of spoolMemory

	mu    sync.Mutex
	drops []func() // what gives back the kept
}

func newSpooler(dir *tempfile.Dir) *spooler {
	if dir == nil {
		dir = tempfile.In("")
	}
	s := &spooler{dir: dir}
	s.room.Store(spoolMemory)
	return s
}

// keep reads r to its end.
func (s *spooler) keep(ctx context.Context, r io.Reader) (extent, error) {
	var b []byte
	for {
		if len(b) == cap(b) {
			more := int64(max(cap(b), readerBuffer))
			if s.room.Add(-more) < 0 {
				s.room.Add(more)
				return s.overflow(ctx, b, r)
			}
			grown := make([]byte, len(b), int64(len(b))+more)
			copy(grown, b)
			b = grown
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case err == io.EOF:
			return resident(b), nil
		case err != nil:
			return nil, err
		case ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
}

// overflow puts what was read and all that is left into a temporary file,
// which has no name any more when the first byte is written.
func (s *spooler) overflow(ctx context.Context, b []byte, r io.Reader) (extent, error) {
	defer s.room.Add(int64(cap(b)))
	f, err := s.dir.Create()
	if err != nil {
		return nil, tempDirFault(s.dir, err)
	}
	sink := &spoolWriter{ctx: ctx, f: f}
	if _, err = sink.Write(b); err == nil {
		_, err = io.CopyBuffer(sink, onlyReader{r}, make([]byte, 1<<20))
	}
	if err != nil {
		f.Close()
		var failed *tempfile.Error
		if errors.As(err, &failed) {
			return nil, tempDirFault(s.dir, failed)
		}
		return nil, err
	}
	ext, unmap, err := mapFile(f.File(), f.Size())
	if err != nil {
		ext, unmap = &readAt{file: f.File(), len: f.Size()}, func() {}
	}
	s.mu.Lock()
	s.drops = append(s.drops, func() { unmap(); f.Close() })
	s.mu.Unlock()
	return ext, nil
}

// close gives everything back.
func (s *spooler) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, drop := range s.drops {
		drop()
	}
	s.drops = nil
}

// spoolWriter writes until nobody waits for it any more.
type spoolWriter struct {
	ctx context.Context
	f   *tempfile.File
}

func (w *spoolWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.f.Write(p)
}

// onlyReader hides methods that io.CopyBuffer would prefer.
type onlyReader struct{ io.Reader }

func tempDirFault(dir *tempfile.Dir, err error) error {
	var failed *tempfile.Error
	if errors.As(err, &failed) {
		err = failed.Cause
	}
	return faultf(ErrTempDir, "the input must be kept in the temporary directory %s: %v", dir.Path(), err).
		withHint("name another directory with --temp-dir, or save the input to a file")
}
