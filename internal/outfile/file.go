package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// File is an output that replaces its target when it is complete.
type File struct {
	path string   // as given, for errors
	out  *os.File // the temporary file, or the target itself
	temp string   // its name; empty: the target is written straight
	dest string   // what Commit renames it to
	err  error    // the first failed write

	mu   sync.Mutex // guards done against Abort from another goroutine
	done state
}

type state int

const (
	writing state = iota
	committed
	aborted
)

var (
	// ErrAborted is the error of a Commit after Abort.
	ErrAborted = errors.New("writing was aborted")

	errDirectory = errors.New("is a directory")
	errNoName    = errors.New("output has no name")
)

// New returns an output for path. Nothing happens before Create, so that Abort
// can be promised to whoever might need it before there is anything to remove.
func New(path string) *File { return &File{path: path} }

// Create prepares to write. It fails if the file cannot be created or replaced
// later: the directory is missing or not writable, or path is a directory or a
// file that may not be written. After Abort it makes nothing.
func (f *File) Create() error {
	path := f.path
	if path == "" {
		return errNoName
	}
	dest, err := resolve(path)
	if err != nil {
		return failure(path, err)
	}
	if n, ok := descriptor(dest); ok {
		out, err := duplicate(n, path)
		if err != nil {
			return failure(path, err)
		}
		return f.straight(out)
	}
	old, err := os.Stat(dest)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f.createBeside(dest, nil)
	case err != nil:
		return failure(path, err)
	case old.IsDir():
		return failure(path, errDirectory)
	}
	// Opening without truncating asks for permission and changes nothing.
	out, err := os.OpenFile(dest, os.O_WRONLY, 0)
	if err != nil {
		return failure(path, err)
	}
	if !old.Mode().IsRegular() {
		return f.straight(out)
	}
	if err := out.Close(); err != nil {
		return failure(path, err)
	}
	return f.createBeside(dest, old)
}

// straight writes the target itself, unless Abort came first.
func (f *File) straight(out *os.File) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done != writing {
		out.Close()
		return failure(f.path, ErrAborted)
	}
	f.out = out
	return nil
}

// Write appends to the output. After a failed write every further one, and
// Commit, returns the same error.
func (f *File) Write(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.out.Write(p)
	if err != nil {
		f.err = f.whyNot(err)
	}
	return n, f.err
}

// Commit makes what was written the content of the target. If it fails, the
// target is what it was and the temporary file is gone; only when the very last
// step failed, syncing the directory, is the new content in place, and a crash
// of the machine may take it back.
func (f *File) Commit() error {
	err := f.err
	if err == nil {
		err = f.commit()
	}
	if err != nil {
		f.Abort()
	}
	return err
}

func (f *File) commit() error {
	if f.temp == "" {
		return f.finish(func() error { return nil })
	}
	// The content must be on the disk before the name is, and this takes the
	// longest: Abort need not wait for it.
	if err := f.out.Sync(); err != nil {
		return f.whyNot(err)
	}
	if err := f.finish(func() error { return os.Rename(f.temp, f.dest) }); err != nil {
		return err
	}
	if err := syncDirectory(f.dest); err != nil {
		return failure(f.path, err)
	}
	return nil
}

// finish closes the file and makes the last step, unless Abort came first.
func (f *File) finish(last func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done != writing {
		return failure(f.path, ErrAborted)
	}
	if err := f.out.Close(); err != nil {
		return failure(f.path, err)
	}
	if err := last(); err != nil {
		return failure(f.path, err)
	}
	f.done = committed
	return nil
}

// whyNot explains an error of the file, which may be that Abort closed it.
func (f *File) whyNot(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done == aborted {
		err = ErrAborted
	}
	return failure(f.path, err)
}

// Abort gives up: the target is what it was, the temporary file is removed, and
// a Commit still to come fails. After Commit, or a second time, it does
// nothing. Any goroutine may call it, also while another is writing.
func (f *File) Abort() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done != writing {
		return
	}
	f.done = aborted
	// Closing does not wait for a write in progress, which then fails. Some
	// systems remove only what is closed.
	if f.out != nil {
		f.out.Close()
	}
	if f.temp != "" {
		os.Remove(f.temp)
	}
}

// failure adds the path to the cause of an error, once and as it was given:
// the error of the system names the temporary file or the end of a link.
func failure(path string, err error) error {
	var withPath *fs.PathError
	var withLink *os.LinkError
	switch {
	case errors.As(err, &withPath):
		err = withPath.Err
	case errors.As(err, &withLink):
		err = withLink.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
