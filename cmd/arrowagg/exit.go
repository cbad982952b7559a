package main

import (
	"errors"

	"arrowagg/internal/ipcread"
	"arrowagg/internal/planner"
)

// The exit codes, as the README promises them to scripts.
const (
	exitDone  = 0
	exitInput = 1 // an input is bad, a sum overflows, a write failed
	exitUsage = 2 // the command line is wrong, by itself or for the schema
	exitLimit = 3 // memory or temporary disk space ran out
)

// limit is implemented by errors that mean a limit of this run, not a fault of
// the inputs.
type limit interface{ Limit() bool }

// exitCode maps an error, which may join several, to the process's exit code.
// The command line comes first: while it is wrong, what the inputs look like
// may be a consequence.
func exitCode(err error) int {
	if err == nil {
		return exitDone
	}
	var usage *planner.UsageError
	if errors.As(err, &usage) || errors.Is(err, ipcread.ErrUsage) {
		return exitUsage
	}
	var l limit
	if errors.As(err, &l) && l.Limit() {
		return exitLimit
	}
	return exitInput
}

// usagef makes an error of the command line itself.
func usagef(hint, text string) error { return &planner.UsageError{Text: text, Hint: hint} }
