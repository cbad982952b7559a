package main

import (
	"os"
	"sync"

	"arrowagg/internal/arena"
)

func main() {
	forgetEnvironment()
	left := newLeftovers()
	arena.WhenExhausted(giveUp(left))
	con := console{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, left: left, bound: boundProcess}
	os.Exit(run(os.Args[1:], con))
}

// giveUp ends the process where there is no memory to go on with. Of several
// goroutines that have none, one says so.
func giveUp(left *leftovers) func(*arena.Exhausted) {
	var first sync.Mutex
	return func(e *arena.Exhausted) {
		first.Lock()
		left.remove()
		reportErrors(os.Stderr, e)
		os.Exit(exitCode(e))
	}
}
