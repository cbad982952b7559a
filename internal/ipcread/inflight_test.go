package ipcread

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

func TestEveryShareGetsOn(t *testing.T) {
	f := newInFlight(100)
	a, b := share{of: f}, share{of: f}
	a.take(500) // past the bound with one batch
	if err := b.admit(testContext); err != nil {
		t.Fatal("b has nothing out and must get on")
	}
	b.take(10)
	admitted := make(chan error, 1)
	go func() { admitted <- b.admit(testContext) }()
	select {
	case <-admitted:
		t.Fatal("b has something out and the bound is reached")
	case <-time.After(10 * time.Millisecond):
	}
	a.give(450)
	if err := <-admitted; err != nil {
		t.Error(err)
	}
	a.give(50)
	b.give(10)
	if f.used != 0 || a.out != 0 || b.out != 0 {
		t.Errorf("used %d, out %d and %d", f.used, a.out, b.out)
	}
}

// An input is read ahead by some bytes, or by one batch that has more.
func TestReadAheadIsBounded(t *testing.T) {
	ctx, cancel := context.WithCancel(testContext)
	cancel()
	for _, c := range []struct {
		batch    int64
		admitted int
	}{{readAhead / 4, 4}, {readAhead, 2}, {3 * readAhead, 2}, {1, 1000}} {
		s := share{of: newInFlight(1 << 40)}
		n := 0
		for n < c.admitted && s.admit(ctx) == nil {
			s.take(c.batch)
			n++
		}
		if err := s.admit(ctx); n < c.admitted || (err == nil) != (c.batch == 1) {
			t.Errorf("batches of %d bytes: %d, then %v", c.batch, n, err)
		}
	}
}

func TestAdmitEndsWithItsContext(t *testing.T) {
	f := newInFlight(1)
	a := share{of: f}
	a.take(5)
	ctx, cancel := context.WithCancel(testContext)
	time.AfterFunc(5*time.Millisecond, cancel)
	if err := a.admit(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestManySharesNeverStall(t *testing.T) {
	f := newInFlight(50)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			s := share{of: f}
			for n := range int64(200) {
				if err := s.admit(testContext); err != nil {
					t.Error(err)
				}
				s.take(n % 40)
				wg.Go(func() { s.give(n % 40) })
			}
		})
	}
	wg.Wait()
	if f.used != 0 {
		t.Errorf("%d still used", f.used)
	}
}

func TestReleasedMemoryIsUsedAgain(t *testing.T) {
	f := newInFlight(1000)
	f.recycle(make([]byte, 100))
	f.recycle(make([]byte, 400))
	if b := f.reuse(150); b != nil {
		t.Errorf("%d bytes for 150", cap(b))
	}
	if b := f.reuse(300); cap(b) != 400 || len(b) != 0 {
		t.Errorf("%d bytes for 300", cap(b))
	}
	if b := f.reuse(300); b != nil {
		t.Error("the same memory twice")
	}
	for range 30 {
		f.recycle(make([]byte, 50))
	}
	if len(f.spare) > spares {
		t.Errorf("%d spare", len(f.spare))
	}
	f.used = 900
	f.recycle(make([]byte, 90))
	if f.used+f.spared > f.limit {
		t.Errorf("%d used and %d spare of %d", f.used, f.spared, f.limit)
	}
}
