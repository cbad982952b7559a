//go:build !unix

package main

import (
	"os"
	"os/signal"
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
