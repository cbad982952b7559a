package main

import (
	"testing"
	"time"
)

// Nobody waits for a worker that is in a frame but who puts groups aside: many
// workers begin at once, and none may hold up the others.
func TestWorkersBeginWhileOthersAreInAFrame(t *testing.T) {
	e := &engines{}
	w := e.newWorker()
	w.busy.Lock()
	defer w.busy.Unlock()
	begun := make(chan *worker)
	go func() { begun <- e.newWorker() }()
	select {
	case other := <-begun:
		other.busy.Lock()
		other.busy.Unlock()
	case <-time.After(10 * time.Second):
		t.Fatal("a second worker waits for the first one's frame")
	}
}
