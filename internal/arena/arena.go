package arena

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// Page is the granularity of an Arena: one huge page.
const Page = 2 << 20

// Arena hands out memory and takes it back. The zero value is ready for use.
type Arena struct {
	mu    sync.Mutex
	free  map[int][][]byte // by size
	all   map[*byte][]byte
	held  atomic.Int64
	using atomic.Int64
}

// Get returns n bytes, n > 0, of undefined content. When the system has no
// memory left, what WhenExhausted set is called.
func (a *Arena) Get(n int) []byte {
	b, _ := a.get(n)
	return b
}

// GetZeroed is Get for memory that is all zero. Memory fresh from the system is,
// and is not touched.
func (a *Arena) GetZeroed(n int) []byte {
	b, used := a.get(n)
	if used {
		clear(b)
	}
	return b
}

// get reports whether the memory was in use before.
func (a *Arena) get(n int) (b []byte, used bool) {
	size := Size(n)
	a.using.Add(int64(size))
	if b := a.kept(size); b != nil {
		return b[:n], true
	}
	b, err := mapMemory(size) // without the lock: the system takes its time
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil && a.trim() > 0 {
		b, err = mapMemory(size)
	}
	if err != nil {
		giveOut(&Exhausted{Bytes: size, Cause: err})
	}
	if a.all == nil {
		a.free, a.all = map[int][][]byte{}, map[*byte][]byte{}
	}
	a.all[&b[0]] = b
	a.hold(int64(size))
	return b[:n], false
}

// kept takes memory of that size from what was put back, nil if there is none.
func (a *Arena) kept(size int) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.free[size]
	if len(list) == 0 {
		return nil
	}
	b := list[len(list)-1]
	a.free[size] = list[:len(list)-1]
	return b
}

// Put takes back what Get returned. The memory stays with the arena for later
// Gets of about that size.
func (a *Arena) Put(b []byte) {
	if len(b) == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	whole, ok := a.all[&b[0]]
	if !ok {
		panic("arena: memory put back that is not the arena's")
	}
	a.using.Add(-int64(len(whole)))
	a.free[len(whole)] = append(a.free[len(whole)], whole)
}

// Drop is Put for memory of a size that will not be wanted again: it goes back to
// the system.
func (a *Arena) Drop(b []byte) {
	if len(b) == 0 {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	whole, ok := a.all[&b[0]]
	if !ok {
		panic("arena: memory dropped that is not the arena's")
	}
	delete(a.all, &whole[0])
	a.using.Add(-int64(len(whole)))
	a.hold(-int64(len(whole)))
	unmapMemory(whole)
}

// Trim gives kept memory back to the system and returns how much it was.
func (a *Arena) Trim() (bytes int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.trim()
}

func (a *Arena) trim() (bytes int64) {
	for size, list := range a.free {
		for _, b := range list {
			delete(a.all, &b[0])
			unmapMemory(b)
			bytes += int64(size)
		}
	}
	clear(a.free)
	a.hold(-bytes)
	return bytes
}

// Held is the memory taken from the system, in bytes, in use or kept.
func (a *Arena) Held() int64 { return a.held.Load() }

// InUse is the memory that Get gave and Put did not take back, in bytes.
func (a *Arena) InUse() int64 { return a.using.Load() }

// Close gives everything back, also what is in use.
func (a *Arena) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, b := range a.all {
		unmapMemory(b)
	}
	a.free, a.all = nil, nil
	a.hold(-a.held.Load())
	a.using.Store(0)
}

// Size is the memory that a request for n bytes takes: one of eight sizes to a
// power of two, none below a page.
func Size(n int) int {
	step := max(Page, 1<<bits.Len(uint(n-1))>>4)
	return (n + step - 1) / step * step
}
