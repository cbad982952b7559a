package arena

import "sync/atomic"

// process is what all arenas together hold.
var process struct {
	held  atomic.Int64
	watch atomic.Pointer[func(held int64)]
}

// Watch lets f know what all arenas of the process hold, in bytes, whenever it
// changes: Go's own limit of memory does not see it. f is called by whoever
// gets memory or gives it back, and must not do so itself. There is one watcher.
func Watch(f func(held int64)) { process.watch.Store(&f) }

// hold counts memory that came from the system or, below zero, went back to it.
func (a *Arena) hold(bytes int64) {
	a.held.Add(bytes)
	held := process.held.Add(bytes)
	if f := process.watch.Load(); f != nil && bytes != 0 {
		(*f)(held)
	}
}
