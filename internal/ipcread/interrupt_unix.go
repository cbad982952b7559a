//go:build unix

package ipcread

import (
	"io"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// interrupt ends blocked reads of pipes. A read(2) cannot be called back and
// standard input must not be made non-blocking, for that would change it for
// every process that shares it. So a reader waits with poll(2), for its own
// descriptor and for one end of a pipe whose other end is closed by fire.
type interrupt struct {
	wait, fired *os.File
	once        sync.Once
	over        chan struct{} // closed with fired, for those who cannot poll
}

func newInterrupt() (*interrupt, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &interrupt{wait: r, fired: w, over: make(chan struct{})}, nil
}

// fire ends all reads, now and later. It may be called more than once.
func (i *interrupt) fire() {
	i.once.Do(func() {
		close(i.over)
		i.fired.Close()
	})
}

// close is called when no reader is left.
func (i *interrupt) close() {
	i.fire()
	i.wait.Close()
}

// reader reads f, and owns it.
func (i *interrupt) reader(f *os.File) io.ReadCloser {
	return &polled{interrupt: i, file: f, fd: number(f), wake: number(i.wait)}
}

// number is a file's descriptor. (Fd would make it blocking.)
func number(f *os.File) int {
	n := -1
	if conn, err := f.SyscallConn(); err == nil {
		conn.Control(func(fd uintptr) { n = int(fd) })
	}
	return n
}

// polled is a reader that fire can end.
type polled struct {
	interrupt *interrupt
	file      *os.File
	fd, wake  int
	drain
}

func (p *polled) Read(b []byte) (int, error) {
	return p.whenReady(func() (int, error) { return unix.Read(p.fd, b) })
}

// whenReady waits until there is something and does once what gets it.
func (p *polled) whenReady(get func() (int, error)) (int, error) {
	for {
		fds := []unix.PollFd{
			{Fd: int32(p.fd), Events: unix.POLLIN},
			{Fd: int32(p.wake), Events: unix.POLLIN},
		}
		if _, err := unix.Poll(fds, -1); err != nil {
			if err == unix.EINTR || err == unix.EAGAIN {
				continue
			}
			return 0, err
		}
		if fds[1].Revents != 0 {
			return 0, errInterrupted
		}
		n, err := get()
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
			continue
		case err != nil:
			return 0, err
		case n == 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

func (p *polled) Close() error {
	p.drain.close()
	return p.file.Close()
}
