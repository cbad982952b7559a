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
	once  sync.Once
	fired chan struct{}
}

func newInterrupt() (*interrupt, error) {
	return &interrupt{fired: make(chan struct{})}, nil
}

func (i *interrupt) fire()  { i.once.Do(func() { close(i.fired) }) }
func (i *interrupt) close() { i.fire() }

func (i *interrupt) done() <-chan struct{} { return i.fired }

// reader reads f, and owns it.
func (i *interrupt) reader(f *os.File) io.ReadCloser {
	return &abandoned{interrupt: i, open: func() (*os.File, error) { return f, nil }}
}
