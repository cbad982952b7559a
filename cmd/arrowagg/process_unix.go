//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// dieOfSignals makes SIGINT and SIGTERM remove temporary files and then kill
// the process by the signal itself, so that the shell sees what happened. It
// does not wait for anything: a read of a pipe may be blocked for ever. A
// second signal meets the default action and kills at once. SIGPIPE on
// standard output keeps its default, a silent death.
func dieOfSignals(left *leftovers) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		sig := (<-signals).(syscall.Signal)
		signal.Reset(syscall.SIGINT, syscall.SIGTERM)
		left.remove()
		syscall.Kill(os.Getpid(), sig)
	}()
}
