package arena

import "golang.org/x/sys/unix"

// adviseHuge asks for huge pages; a system without them refuses, and that
// costs only time.
func adviseHuge(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
