//go:build !unix

package arena

// The portable twin: Go's own memory. It is word-aligned, which is all that is
// relied on.

func mapMemory(size int) []byte { return make([]byte, size) }

func unmapMemory([]byte) {}
