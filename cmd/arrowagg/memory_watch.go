package main

import (
	"sync"
	"time"
)

// watchInterval is short against the phases of a run that takes much memory, and
// long against a look, which takes some 30 microseconds.
const watchInterval = 5 * time.Millisecond

// memoryWatch looks at the process's own memory again and again, for the most of
// it: a peak between two looks is missed. Nil, where nobody asks, is ready for
// use.
type memoryWatch struct {
	quit chan struct{}
	done sync.WaitGroup
	most int64 // belongs to the watch until it is done
}

func (r *runner) watchMemory() *memoryWatch {
	if !r.opts.stats && !r.opts.statsJSON {
		return nil
	}
	w := &memoryWatch{quit: make(chan struct{})}
	w.done.Go(func() {
		tick := time.NewTicker(watchInterval)
		defer tick.Stop()
		for {
			w.most = max(w.most, ownMemory())
			select {
			case <-w.quit:
				return
			case <-tick.C:
			}
		}
	})
	return w
}

// stop ends the watch and returns the most that it saw, now included.
func (w *memoryWatch) stop() int64 {
	if w == nil {
		return 0
	}
	if w.quit != nil {
		close(w.quit)
		w.done.Wait()
		w.quit = nil
		w.most = max(w.most, ownMemory())
	}
	return w.most
}
