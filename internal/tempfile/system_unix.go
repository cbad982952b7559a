//go:build unix

package tempfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// unlinkable: an open file needs no name.
const unlinkable = true

// lock says that the file's maker lives. A file system without locks makes its
// files look left behind, which only earns a warning.
func lock(f *os.File) { _ = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

func unlocked(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	return unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) == nil
}

func mapFile(f *os.File, size int64) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
}

func unmap(b []byte) {
	if b != nil {
		_ = unix.Munmap(b)
	}
}

func forget(b []byte) {
	if b != nil {
		_ = unix.Madvise(b, unix.MADV_DONTNEED)
	}
}
