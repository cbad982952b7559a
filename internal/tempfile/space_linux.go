package tempfile

import "golang.org/x/sys/unix"

func free(path string) (int64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}

func inMemory(path string) bool {
	var s unix.Statfs_t
	return unix.Statfs(path, &s) == nil && (uint32(s.Type) == unix.TMPFS_MAGIC || uint32(s.Type) == unix.RAMFS_MAGIC)
}
