//go:build !unix

package arena

// The portable twin: Go's own memory. It is word-aligned, which is all that is
// relied on.

func mapMemory(size int) ([]byte, error) { return make([]byte, size), nil }

func unmapMemory([]byte) {}
