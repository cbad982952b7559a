package ipcread

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// What can be wrong with an input. Every *Error is one of these, or wraps what
// the system said, and errors.Is tells which.
var (
	ErrTruncated = errors.New("truncated")           // it ends inside a message
	ErrCorrupt   = errors.New("corrupt")             // its bytes contradict the format or each other
	ErrLimit     = errors.New("over a limit")        // it asks for more than it may
	ErrEmpty     = errors.New("empty")               // no bytes, or no schema in them
	ErrForeign   = errors.New("not an Arrow stream") // another format
	ErrChanged   = errors.New("changed")             // somebody wrote to it while it was read
	ErrInput     = errors.New("not readable")        // it cannot be opened or read at all
	ErrTempDir   = errors.New("temporary directory") // no room to keep a piped file-format input
	ErrUsage     = errors.New("cannot be used so")   // the command line asks what this input cannot do
)

// noOffset stands for an error that has no position in the input's bytes.
const noOffset = -1

// Error is one thing that is wrong with one input. Its text is
//
//	INPUT: [stream 2, ][batch 3, ][column "x", ][at byte N: ]what is wrong
//
// in one line, control characters escaped.
type Error struct {
	Input  string
	Stream int    // 1-based; only 2 and later are shown
	Batch  int64  // 1-based within the stream; 0: none
	Column string // "": none
	Offset int64  // of the message, in bytes of the input after unwrapping; -1: none
	Cause  error
}

func (e *Error) Error() string { return escape(e.Input) + ": " + e.Problem() }

// Problem is the error without the input's name, for a report that has a
// column for each.
func (e *Error) Problem() string {
	var place []string
	if e.Stream > 1 {
		place = append(place, fmt.Sprintf("stream %d", e.Stream))
	}
	if e.Batch > 0 {
		place = append(place, fmt.Sprintf("batch %d", e.Batch))
	}
	if e.Column != "" {
		place = append(place, fmt.Sprintf("column %q", e.Column))
	}
	if e.Offset >= 0 {
		place = append(place, fmt.Sprintf("at byte %d", e.Offset))
	}
	text := escape(e.Cause.Error())
	if len(place) > 0 {
		text = strings.Join(place, ", ") + ": " + text
	}
	return text
}

func (e *Error) Unwrap() error { return e.Cause }

// HintText is the way out, "" where none is known.
func (e *Error) HintText() string {
	var f *fault
	if errors.As(e.Cause, &f) {
		return f.hint
	}
	return ""
}

// Limit says that the run, not the input, lacks something: a place for
// temporary files.
func (e *Error) Limit() bool { return errors.Is(e.Cause, ErrTempDir) }

// Usage says that the command line asks of an input what its kind cannot do.
func (e *Error) Usage() bool { return errors.Is(e.Cause, ErrUsage) }

// fault is a cause: its kind, its text and what to do about it.
type fault struct {
	kind error
	text string
	hint string
}

func (f *fault) Error() string        { return f.text }
func (f *fault) Is(target error) bool { return target == f.kind }

// faultf makes a cause of that kind.
func faultf(kind error, format string, args ...any) *fault {
	return &fault{kind: kind, text: fmt.Sprintf(format, args...)}
}

// withHint adds the way out.
func (f *fault) withHint(hint string) *fault {
	f.hint = hint
	return f
}

// systemCause drops what the os package puts before the system's own words:
// the input's name is said once, by Error.
func systemCause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		err = call.Err
	}
	return err
}

// errInterrupted is how a read ends that nobody waits for any more.
var errInterrupted = errors.New("interrupted")

// count says how many of something there are.
func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
