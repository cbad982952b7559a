package main

import "sync"

// leftovers are the temporary files that a killed run would leave. The signal's
// goroutine removes them while the run may still be writing.
type leftovers struct {
	mu     sync.Mutex
	aborts []func()
}

// add registers how one is removed; removing must be safe at any moment, also
// when it is long done.
func (l *leftovers) add(abort func()) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.aborts = append(l.aborts, abort)
}

func (l *leftovers) remove() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, abort := range l.aborts {
		abort()
	}
}
