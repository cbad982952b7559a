//go:build !unix

package ipcread

import (
	"errors"
	"os"
)

var errUnmappable = errors.New("files are not mapped on this system")

// mapFile refuses: the caller reads the file instead.
func mapFile(*os.File, int64) (ext extent, unmap func(), err error) {
	return nil, nil, errUnmappable
}

func giveBack([]byte) {}

// tempFile makes a file that is removed when it is dropped.
func tempFile(dir string) (f *os.File, drop func(), err error) {
	f, err = os.CreateTemp(dir, "arrowagg-*.spool")
	if err != nil {
		return nil, nil, err
	}
	return f, func() {
		f.Close()
		os.Remove(f.Name())
	}, nil
}
