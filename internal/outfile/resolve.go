package outfile

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mostLinks is how many symbolic links in a row are followed, as on Linux.
const mostLinks = 40

var errLinks = errors.New("too many symbolic links")

// resolve follows path while it is a symbolic link. It ends at a name of a
// descriptor, at something that is no link, or at a name that does not exist
// yet.
func resolve(path string) (string, error) {
	for range mostLinks {
		if _, ok := descriptor(path); ok {
			return path, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link; what else it may be is asked later
		}
		if !filepath.IsAbs(to) {
			// Not Join, which would take a/link/.. for a.
			directory, _ := filepath.Split(path)
			to = directory + to
		}
		path = to
	}
	return "", errLinks
}

// IsStandardOutput tells whether path is a name of descriptor 1, which whoever
// has it open already had better write to: a reader that leaves is then met as
// it is there.
func IsStandardOutput(path string) bool {
	dest, err := resolve(path)
	n, ok := descriptor(dest)
	return err == nil && ok && n == 1
}

// descriptor returns the number of the open file that path is a name of.
func descriptor(path string) (int, bool) {
	path = filepath.Clean(path)
	switch path {
	case "/dev/stdin":
		return 0, true
	case "/dev/stdout":
		return 1, true
	case "/dev/stderr":
		return 2, true
	}
	for _, directory := range []string{"/dev/fd/", "/proc/self/fd/"} {
		if digits, ok := strings.CutPrefix(path, directory); ok {
			n, err := strconv.Atoi(digits)
			return n, err == nil && n >= 0
		}
	}
	return 0, false
}
