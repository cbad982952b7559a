//go:build unix && !race

package arena

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// mapMemory maps zeroed memory of a multiple of Page bytes.
func mapMemory(size int) ([]byte, error) {
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	adviseHuge(b)
	return b, nil
}

func unmapMemory(b []byte) {
	if err := unix.Munmap(b); err != nil {
		panic(fmt.Sprintf("arena: giving back %d bytes: %v", len(b), err))
	}
}
