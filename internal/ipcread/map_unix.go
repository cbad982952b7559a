//go:build unix

package ipcread

import (
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

var errUnmappable = errors.New("the file is too large for the address space")

// mapFile maps the first size bytes of a file, which may be closed at once.
// unmap may be called when nobody uses the extent any more.
func mapFile(f *os.File, size int64) (ext extent, unmap func(), err error) {
	if int64(int(size)) != size {
		return nil, nil, errUnmappable
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, nil, err
	}
	var b []byte
	var failed error
	err = conn.Control(func(fd uintptr) {
		b, failed = unix.Mmap(int(fd), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	})
	if err = errors.Join(err, failed); err != nil {
		return nil, nil, err
	}
	return resident(b), func() { unix.Munmap(b) }, nil
}

// giveBack drops the whole pages of a mapped range from the resident set.
func giveBack(b []byte) {
	page := os.Getpagesize()
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (page - 1)
	if skip >= len(b) {
		return
	}
	if b = b[skip : skip+(len(b)-skip)&^(page-1)]; len(b) > 0 {
		unix.Madvise(b, unix.MADV_DONTNEED)
	}
}
