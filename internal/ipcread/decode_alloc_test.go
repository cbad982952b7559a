//go:build !race

// The race detector makes sync.Pool forget what it holds.

package ipcread

import "testing"

// TestDecodeAllocatesNothing in the steady state: same shapes, batch after batch.
func TestDecodeAllocatesNothing(t *testing.T) {
	for _, column := range benchTypes {
		for codec, options := range codecs {
			for _, nulls := range []bool{false, true} {
				f := benchBatch(column.t, 1000, nulls, options...)
				d := newDecoder(testDecoding())
				allocs := testing.AllocsPerRun(100, func() {
					if _, err := d.decode(&f, 0, 1000, []int{0}); err != nil {
						t.Fatal(err)
					}
					if _, err := d.decode(&f, 512, 300, []int{0}); err != nil {
						t.Fatal(err)
					}
				})
				if allocs > 0 {
					t.Errorf("%s, %s, nulls %t: %v allocations a batch", column.name, codec, nulls, allocs)
				}
			}
		}
	}
}
