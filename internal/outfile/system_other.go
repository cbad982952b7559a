//go:build !unix

package outfile

import (
	"errors"
	"io/fs"
	"os"
)

var errNoDescriptors = errors.New("this system has no names for open files")

// duplicate: only unix names open files by paths.
func duplicate(int, string) (*os.File, error) { return nil, errNoDescriptors }

// keepOwner: a new file belongs to who makes it.
func keepOwner(*os.File, fs.FileInfo) {}

// syncDirectory: directories cannot be synced; renaming is durable by itself.
func syncDirectory(string) error { return nil }
