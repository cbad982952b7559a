//go:build !unix || race

package arena

import "errors"

// The portable twin: Go's own memory. It is word-aligned, which is all that is
// relied on. The race detector, which does not see memory from elsewhere nor
// what is published through it, gets it too.

var errTooMuch = errors.New("more than there can be")

func mapMemory(size int) (b []byte, err error) {
	defer func() {
		if recover() != nil {
			err = errTooMuch
		}
	}()
	return make([]byte, size), nil
}

func unmapMemory([]byte) {}
