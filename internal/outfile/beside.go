package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"arrowagg/internal/tempfile"
)

// modeBits are the bits of a mode that a replaced file passes on.
const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// createBeside makes the temporary file in the directory of dest, where a
// rename cannot cross file systems. old is the file to replace, nil for none.
func (f *File) createBeside(dest string, old fs.FileInfo) error {
	if err := f.createTemporary(dest, old); err != nil {
		return failure(f.path, err)
	}
	if old == nil {
		return nil
	}
	keepOwner(f.out, old)
	if err := f.out.Chmod(old.Mode() & modeBits); err != nil {
		err = f.whyNot(err)
		f.Abort()
		return err
	}
	return nil
}

// createTemporary makes the file and its name known in one step, as seen by
// Abort.
func (f *File) createTemporary(dest string, old fs.FileInfo) error {
	// The system takes the umask (or the directory's default access list) off
	// the mode. A file that will get another's mode starts private.
	mode := fs.FileMode(0o666)
	if old != nil {
		mode = 0o600
	}
	directory, base := filepath.Split(dest)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done != writing {
		return ErrAborted
	}
	for {
		temp := filepath.Join(directory, temporaryName(base))
		out, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return inDirectory(directory, err)
		}
		tempfile.Hold(out)
		f.out, f.temp, f.dest = out, temp, dest
		return nil
	}
}

// temporaryName is hidden, tells whose it is and fits into the 255 bytes of a
// name.
func temporaryName(base string) string {
	return fmt.Sprintf("%s%08x%s", temporaryPrefix(base), rand.Uint32(), temporarySuffix)
}

const temporarySuffix = ".tmp"

func temporaryPrefix(base string) string {
	const most = 200
	if len(base) > most {
		base = strings.ToValidUTF8(base[:most], "")
	}
	return "." + base + "."
}

// Stale lists the temporary files that killed runs left beside the target of a
// path.
func Stale(path string) []string {
	dest, err := resolve(path)
	if err != nil {
		return nil
	}
	directory, base := filepath.Split(dest)
	if directory == "" {
		directory = "."
	}
	return tempfile.Abandoned(directory, temporaryPrefix(base), temporarySuffix)
}

// inDirectory says that it was the directory that refused.
func inDirectory(directory string, err error) error {
	if directory == "" {
		directory = "."
	}
	var withPath *fs.PathError
	if errors.As(err, &withPath) {
		err = withPath.Err
	}
	return fmt.Errorf("cannot create a file in %s: %w", filepath.Clean(directory), err)
}
