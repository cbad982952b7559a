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
