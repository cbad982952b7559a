//go:build unix

package outfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

var errReadOnly = errors.New("is not open for writing")

// duplicate returns a second descriptor of open file n, so that closing it
// leaves the first one alone. It shares the position and the append mode.
func duplicate(n int, name string) (*os.File, error) {
	flags, err := unix.FcntlInt(uintptr(n), unix.F_GETFL, 0)
	if err != nil {
		return nil, err
	}
	if flags&unix.O_ACCMODE == unix.O_RDONLY {
		return nil, errReadOnly
	}
	copied, err := unix.FcntlInt(uintptr(n), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(copied), name), nil
}

// keepOwner gives the new file the owner of the old one as far as the system
// allows; mostly both are ours.
func keepOwner(f *os.File, old fs.FileInfo) {
	if stat, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(stat.Uid), int(stat.Gid))
	}
}

// syncDirectory makes the name of a file as durable as its content. File
// systems that cannot sync a directory say so, and need it not.
func syncDirectory(file string) error {
	directory, err := os.Open(filepath.Dir(file))
	if err != nil {
		return nil // it may be written but not read: nothing to sync through
	}
	defer directory.Close()
	err = directory.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	return err
}
