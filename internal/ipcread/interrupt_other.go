//go:build !unix

package ipcread

import (
	"io"
	"os"
	"sync"
)

// interrupt ends blocked reads of pipes. Where reads cannot be ended they are
// left behind: the goroutine that waits for bytes goes with the process.
type interrupt struct {
	once sync.Once
	over chan struct{} // closed when nobody waits any more
}

func newInterrupt() (*interrupt, error) {
	return &interrupt{over: make(chan struct{})}, nil
}

func (i *interrupt) fire()  { i.once.Do(func() { close(i.over) }) }
func (i *interrupt) close() { i.fire() }

// reader reads f, and owns it.
func (i *interrupt) reader(f *os.File) io.ReadCloser {
	return &abandoned{interrupt: i, open: func() (*os.File, error) { return f, nil }}
}
