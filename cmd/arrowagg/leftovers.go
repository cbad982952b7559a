package main

import "sync"

// leftovers are the temporary files that a killed run would leave. The signal's
// goroutine removes them while the run may still be writing.
type leftovers struct {
	catch  func() // what makes signals lead to remove; nil: nothing does
	mu     sync.Mutex
	aborts []func()
}

// newLeftovers catches signals as soon as there is something to remove, and not
// before: a signal that nobody catches kills the process without waiting for a
// goroutine's turn, which takes its time on a busy machine.
func newLeftovers() *leftovers {
	l := &leftovers{}
	l.catch = sync.OnceFunc(func() { dieOfSignals(l) })
	return l
}

// add registers how one is removed; removing must be safe at any moment, also
// when it is long done.
func (l *leftovers) add(abort func()) {
	if l == nil {
		return
	}
	if l.catch != nil {
		l.catch()
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
