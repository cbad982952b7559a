//go:build !linux

package ipcread

import (
	"io"
	"os"
)

// abandoned is a reader whose blocked open or read is left behind when the
// interrupt fires; the goroutine that waits goes with the process. It reads
// into memory of its own, for a read left behind may still come to write there.
type abandoned struct {
	interrupt *interrupt
	open      func() (*os.File, error)

	asked chan int // made with the first read
	got   chan chunk
	rest  []byte
}

// chunk is what one read gave.
type chunk struct {
	bytes []byte
	err   error
}

func (a *abandoned) Read(b []byte) (int, error) {
	if len(a.rest) > 0 {
		n := copy(b, a.rest)
		a.rest = a.rest[n:]
		return n, nil
	}
	if a.asked == nil {
		a.asked, a.got = make(chan int, 1), make(chan chunk, 1)
		go a.serve()
	}
	a.asked <- len(b)
	select {
	case c := <-a.got:
		n := copy(b, c.bytes)
		a.rest = c.bytes[n:]
		return n, c.err
	case <-a.interrupt.over:
		return 0, errInterrupted
	}
}

// serve opens the file and reads as often as it is asked to.
func (a *abandoned) serve() {
	f, err := a.open()
	for n := range a.asked {
		if err != nil {
			a.got <- chunk{err: err}
			continue
		}
		c := chunk{bytes: make([]byte, n)}
		n, c.err = f.Read(c.bytes)
		c.bytes = c.bytes[:n]
		a.got <- c
	}
	if f != nil {
		f.Close()
	}
}

// Close is called once, when nobody reads any more.
func (a *abandoned) Close() error {
	if a.asked != nil {
		close(a.asked)
	}
	return nil
}

// openPipe opens what is no regular file. Opening a FIFO waits for a writer,
// so it is left to the first read.
func (i *interrupt) openPipe(path string) (io.ReadCloser, error) {
	return &abandoned{interrupt: i, open: func() (*os.File, error) { return os.Open(path) }}, nil
}
