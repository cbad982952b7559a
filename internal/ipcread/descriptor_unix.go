//go:build unix

package ipcread

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// descriptor tells a name that stands for a descriptor of this process. Opening
// such a name would on Linux begin at the file's start, not where the
// descriptor stands, and fail for a socket.
func descriptor(name string) (fd int, ok bool) {
	if name == "/dev/stdin" {
		return 0, true
	}
	for _, dir := range []string{"/dev/fd/", "/proc/self/fd/"} {
		digits, found := strings.CutPrefix(name, dir)
		if !found {
			continue
		}
		if n, err := strconv.ParseUint(digits, 10, 31); err == nil {
			return int(n), true
		}
	}
	return 0, false
}

// inherited is a copy of a descriptor by number.
func inherited(fd int, name string) (*os.File, error) {
	own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(own), name), nil
}

// duplicate is a copy of an open file's descriptor, which the file keeps.
func duplicate(f *os.File) (*os.File, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	var own *os.File
	var failed error
	if err := conn.Control(func(fd uintptr) { own, failed = inherited(int(fd), f.Name()) }); err != nil {
		return nil, err
	}
	return own, failed
}
