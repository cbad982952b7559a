package ipcread

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// drain is where bytes of a pipe go that nobody wants: splice(2) moves the
// pipe's pages into the null device and copies nothing.
type drain struct {
	null    *os.File // nil at first
	useless bool     // what is read is no pipe, or there is no null device
}

func (d *drain) close() {
	if d.null != nil {
		d.null.Close()
	}
}

func (p *polled) skip(n int64) (int64, error) {
	if p.null == nil && !p.useless {
		null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		p.null, p.useless = null, err != nil
	}
	if p.useless {
		return 0, errors.ErrUnsupported
	}
	k, err := p.whenReady(func() (int, error) {
		k, err := unix.Splice(p.fd, nil, number(p.null), nil, int(min(n, 1<<30)), 0)
		return int(k), err
	})
	if err == unix.EINVAL || err == unix.ENOSYS || err == unix.EPERM {
		p.useless = true
		return 0, errors.ErrUnsupported
	}
	return int64(k), err
}
