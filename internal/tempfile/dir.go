package tempfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Dir is a directory for temporary files.
type Dir struct {
	path string

	mu    sync.Mutex
	named map[*File]string // files that still have a name
}

// In is the directory of that path; "" is $TMPDIR or the system's.
func In(path string) *Dir {
	if path == "" {
		path = os.TempDir()
	}
	return &Dir{path: path, named: map[*File]string{}}
}

// Path is where the directory is.
func (d *Dir) Path() string { return d.path }

// Check says whether it is a directory.
func (d *Dir) Check() error {
	info, err := os.Stat(d.path)
	if err == nil && !info.IsDir() {
		err = errors.New("is not a directory")
	}
	return d.failure(err)
}

const (
	prefix = "arrowagg-"
	suffix = ".tmp"
)

// KeepsNames says that files have names until they are closed, so that a process
// that is killed would leave them if it did not call Remove.
const KeepsNames = !unlinkable

// Create makes an empty file for reading and writing.
func (d *Dir) Create() (*File, error) {
	if out, err := unnamed(d.path); err == nil {
		return &File{dir: d, out: out}, nil
	}
	return d.createNamed()
}

// createNamed is Create where files begin with a name.
func (d *Dir) createNamed() (*File, error) {
	out, err := os.CreateTemp(d.path, prefix+"*"+suffix)
	if err != nil {
		return nil, d.failure(err)
	}
	f := &File{dir: d, out: out}
	Hold(out)
	if unlinkable {
		err = os.Remove(out.Name())
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // somebody was faster
		}
	} else {
		d.mu.Lock()
		d.named[f] = out.Name()
		d.mu.Unlock()
	}
	if err != nil {
		out.Close()
		return nil, d.failure(err)
	}
	return f, nil
}

// Remove removes the files that have names, while they may still be written.
func (d *Dir) Remove() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for f, name := range d.named {
		f.out.Close() // some systems remove only what is closed
		os.Remove(name)
	}
	clear(d.named)
}

// Free is how many bytes the file system has room for, and false where it does
// not tell.
func (d *Dir) Free() (int64, bool) { return free(d.path) }

// InMemory tells whether the file system lies in memory.
func (d *Dir) InMemory() bool { return inMemory(d.path) }

// Stale lists files that a run left behind which is no more.
func (d *Dir) Stale() []string { return Abandoned(d.path, prefix, suffix) }

// Hold says that the file's maker lives, until it is closed.
func Hold(f *os.File) { lock(f) }

// Abandoned lists the regular files of a directory, by the beginning and the end
// of their names, that nobody holds. What is younger than a minute may be about
// to be held.
func Abandoned(dir, prefix, suffix string) (stale []string) {
	names, err := filepath.Glob(filepath.Join(escapeGlob(dir), escapeGlob(prefix)+"*"+suffix))
	if err != nil {
		return nil
	}
	for _, name := range names {
		info, err := os.Lstat(name)
		if err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > time.Minute && unlocked(name) {
			stale = append(stale, name)
		}
	}
	return stale
}

// escapeGlob makes a path a pattern that only it matches.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Error is that a directory for temporary files does not do: it is missing,
// read-only or full.
type Error struct {
	Dir   string
	Cause error
}

func (e *Error) Error() string { return fmt.Sprintf("temporary directory %s: %v", e.Dir, e.Cause) }
func (e *Error) Unwrap() error { return e.Cause }

// Limit says that the run, not an input, lacks something.
func (e *Error) Limit() bool { return true }

// HintText is the way out.
func (e *Error) HintText() string { return "name another directory with --temp-dir" }

// Full is the error of a directory that has no room for so many bytes more.
func (d *Dir) Full(free, need int64) error {
	return d.failure(fmt.Errorf("has room for %d MiB, and about %d MiB more are needed", free>>20, need>>20))
}

// failure gives an error the directory, in place of the path and the operation
// that the system's has.
func (d *Dir) failure(err error) error {
	if err == nil {
		return nil
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return &Error{Dir: d.path, Cause: err}
}
