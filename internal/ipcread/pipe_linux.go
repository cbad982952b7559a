package ipcread

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// openPipe opens what is no regular file, without waiting. A FIFO opened so
// before anybody writes to it is not at its end: poll(2) reports that only
// after a writer has come and gone (Linux, fs/pipe.c).
func (i *interrupt) openPipe(path string) (io.ReadCloser, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return i.reader(f), nil
}
