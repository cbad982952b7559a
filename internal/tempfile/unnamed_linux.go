package tempfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// unnamed makes a file that never has a name. Not every file system can.
func unnamed(dir string) (*os.File, error) {
	return os.OpenFile(dir, unix.O_TMPFILE|os.O_RDWR, 0o600)
}
