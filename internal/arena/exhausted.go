package arena

import (
	"fmt"
	"sync/atomic"
)

// Exhausted is the end of the system's memory.
type Exhausted struct {
	Bytes int // that were asked for
	Cause error
}

func (e *Exhausted) Error() string {
	return fmt.Sprintf("out of memory: the system gives no %d bytes more: %v", e.Bytes, e.Cause)
}

func (e *Exhausted) Unwrap() error { return e.Cause }

// Limit says that the run met a limit, and no fault of its inputs.
func (e *Exhausted) Limit() bool { return true }

var exhausted atomic.Pointer[func(*Exhausted)]

// WhenExhausted sets what ends the process when an arena gets no memory. It is
// called in whatever goroutine asked, in several perhaps, while the arena is
// locked: it must neither return nor use an arena. Handing an error up instead
// would take memory, and every loop that grows would have to be able to stop.
// Unless it is set, Get panics with the *Exhausted.
func WhenExhausted(end func(*Exhausted)) { exhausted.Store(&end) }

func giveOut(e *Exhausted) {
	if end := exhausted.Load(); end != nil {
		(*end)(e)
	}
	panic(e)
}
