package arrange

import (
	"math"
	"testing"
)

// hugeBytes is 2 GiB that nobody touches, so that they take no memory.
func hugeBytes(t *testing.T) []byte {
	if testing.Short() {
		t.Skip("two gigabytes of addresses")
	}
	return make([]byte, math.MaxInt32)
}
