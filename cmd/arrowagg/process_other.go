//go:build !unix

package main

import (
	"os"
	"os/signal"
	"runtime"
)

// dieOfSignals removes temporary files on an interrupt and exits with the code
// that shells use for it.
func dieOfSignals(left *leftovers) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	go func() {
		<-signals
		left.remove()
		os.Exit(130)
	}()
}

// peakMemory is what the Go runtime took from the system; the system's own
// figure has no portable call.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
