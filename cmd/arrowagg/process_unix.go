//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// dieOfSignals makes SIGINT, SIGTERM and SIGHUP remove temporary files and then
// kill the process by the signal itself, so that the shell sees what happened.
// It does not wait for anything: a read of a pipe may be blocked for ever. A
// second signal meets the default action and kills at once. What was ignored
// when the process began stays so: nohup and shells' background jobs rely on
// it. SIGPIPE on standard output keeps its default, a silent death.
func dieOfSignals(left *leftovers) {
	var deadly []os.Signal
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) {
			deadly = append(deadly, sig)
		}
	}
	if len(deadly) == 0 {
		return // Notify would take none for all
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, deadly...)
	go func() {
		sig := (<-signals).(syscall.Signal)
		signal.Reset(deadly...)
		left.remove()
		syscall.Kill(os.Getpid(), sig)
	}()
}
