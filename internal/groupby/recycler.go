package groupby

import (
	"math/bits"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// recycler is the memory of result batches: what a released batch had serves a
// later one, so that a result of any length is built in the memory of a few
// batches. A batch that is never released is left to the garbage collector.
type recycler struct {
	mu   sync.Mutex
	free map[int][][]byte // by capacity, powers of two
}

var _ memory.Allocator = (*recycler)(nil)

// Allocate returns size bytes of undefined content.
func (r *recycler) Allocate(size int) []byte {
	class := 1 << bits.Len(uint(max(size, 64)-1))
	r.mu.Lock()
	defer r.mu.Unlock()
	if list := r.free[class]; len(list) > 0 {
		b := list[len(list)-1]
		r.free[class] = list[:len(list)-1]
		return b[:size]
	}
	return make([]byte, size, class)
}

// Free takes memory back that Allocate returned.
func (r *recycler) Free(b []byte) {
	class := cap(b)
	if class == 0 || class&(class-1) != 0 {
		return // a part of something
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.free == nil {
		r.free = map[int][][]byte{}
	}
	r.free[class] = append(r.free[class], b[:0:class])
}

// Reallocate makes b another size, as Arrow's buffers that grow want it.
func (r *recycler) Reallocate(size int, b []byte) []byte {
	c := r.Allocate(size)
	copy(c, b)
	r.Free(b)
	return c
}
