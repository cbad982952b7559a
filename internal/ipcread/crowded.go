package ipcread

import (
	"errors"
	"fmt"
	"syscall"
)

// crowded makes one error of those of all inputs that this process may open no
// descriptor for: that is no fault of any of them, and pipes, which are read all
// at once, come by the hundred. It stands where the first of them did.
func crowded(errs []error) []error {
	var kept []error
	var first *Error
	others := 0
	for _, err := range errs {
		var e *Error
		switch {
		case !errors.As(err, &e) || !errors.Is(e.Cause, syscall.EMFILE) && !errors.Is(e.Cause, syscall.ENFILE):
			kept = append(kept, err)
		case first != nil:
			others++
		default:
			first = &Error{Input: e.Input, Offset: noOffset, Cause: faultf(ErrInput, "%v", e.Cause).
				withHint("pipes are read all at once: raise ulimit -n, or save some of them to files")}
			kept = append(kept, first)
		}
	}
	if others > 0 {
		first.Input += fmt.Sprintf(" and %s", count(int64(others), "other input"))
	}
	return kept
}
