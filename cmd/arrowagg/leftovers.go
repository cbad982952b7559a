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

// remove removes them as the process is about to die. The lock is kept for
// ever: nothing is added any more, and the run, which now fails because its
// files are gone, does not get to say so.
func (l *leftovers) remove() {
	l.mu.Lock()
	for _, abort := range l.aborts {
		abort()
	}
}

// outlive returns, unless the process is about to die.
func (l *leftovers) outlive() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
}
