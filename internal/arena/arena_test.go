package arena

import (
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"
)

func TestGetIsUsableAndAligned(t *testing.T) {
	var a Arena
	defer a.Close()
	for _, n := range []int{1, 7, Page - 1, Page, Page + 1, 5*Page + 3} {
		b := a.Get(n)
		if len(b) != n {
			t.Fatalf("Get(%d) has %d bytes", n, len(b))
		}
		if uintptr(unsafe.Pointer(&b[0]))%8 != 0 {
			t.Fatalf("Get(%d) is not aligned to words", n)
		}
		b[0], b[n-1] = 1, 2
	}
}

func TestPutMemoryComesBack(t *testing.T) {
	var a Arena
	defer a.Close()
	b := a.Get(3 * Page)
	held := a.Held()
	a.Put(b)
	if a.InUse() != 0 || a.Held() != held {
		t.Fatalf("after Put: in use %d, held %d, want 0 and %d", a.InUse(), a.Held(), held)
	}
	if c := a.Get(3*Page - 5); &c[0] != &b[0] || a.Held() != held {
		t.Fatal("a Get of about that size took new memory")
	}
}

func TestGetZeroed(t *testing.T) {
	var a Arena
	defer a.Close()
	for range 2 { // fresh, then used
		b := a.GetZeroed(Page + 100)
		for i := 0; i < len(b); i += 99 {
			if b[i] != 0 {
				t.Fatalf("byte %d is %d", i, b[i])
			}
			b[i] = 1
		}
		a.Put(b)
	}
}

func TestTrimAndClose(t *testing.T) {
	var a Arena
	x, y := a.Get(Page), a.Get(2*Page)
	a.Put(x)
	if got := a.Trim(); got != Page || a.Held() != 2*Page {
		t.Fatalf("Trim gave back %d and left %d", got, a.Held())
	}
	y[0] = 1
	a.Close()
	if a.Held() != 0 || a.InUse() != 0 {
		t.Fatalf("after Close: held %d, in use %d", a.Held(), a.InUse())
	}
}

func TestPutOfForeignMemoryPanics(t *testing.T) {
	var a Arena
	defer func() {
		if recover() == nil {
			t.Fatal("foreign memory was accepted")
		}
	}()
	a.Put(make([]byte, Page))
}

func TestRoundUpWastesLittle(t *testing.T) {
	for range 1000 {
		n := 1 + rand.IntN(1<<32)
		size := Size(n)
		if size < n || size%Page != 0 || size > n+Page+n/8 {
			t.Fatalf("Size(%d) = %d", n, size)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	var a Arena
	defer a.Close()
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 50 {
				b := a.Get(1 + (g+i)%3*Page)
				b[0] = byte(g)
				if b[0] != byte(g) {
					t.Error("memory given out twice")
				}
				a.Put(b)
			}
		})
	}
	wg.Wait()
}

func TestDropGivesBackAtOnce(t *testing.T) {
	var a Arena
	defer a.Close()
	b, c := a.Get(3*Page), a.Get(Page)
	a.Drop(b)
	if a.Held() != Page || a.InUse() != Page {
		t.Fatalf("after Drop: held %d, in use %d, want a page", a.Held(), a.InUse())
	}
	c[0] = 1
}

func TestWatchSeesAllArenas(t *testing.T) {
	before, last := process.held.Load(), int64(0)
	Watch(func(held int64) { last = held - before })
	defer process.watch.Store(nil)
	var a, b Arena
	x := a.Get(2 * Page)
	b.Get(Page)
	if last != 3*Page {
		t.Errorf("%d bytes are held, want three pages", last)
	}
	a.Put(x)
	a.Trim()
	b.Close()
	if last != 0 {
		t.Errorf("%d bytes are held after the end", last)
	}
}
