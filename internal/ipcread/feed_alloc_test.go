//go:build !race

package ipcread

import (
	"runtime"
	"testing"
)

// A batch of a mapped file takes no memory of its own. (The race detector makes
// pools forget.)
func TestMappedBatchesAllocateNothing(t *testing.T) {
	const batches = 5000
	path := write(t, "w1", large(batches, 1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rows, err := countRows([]string{path}, Options{})
	runtime.ReadMemStats(&after)
	if err != nil || rows != batches {
		t.Fatalf("%d rows, %v", rows, err)
	}
	if n := after.Mallocs - before.Mallocs; n > batches/4 {
		t.Errorf("%d allocations for %d batches", n, batches)
	}
}
