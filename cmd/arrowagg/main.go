package main

import "os"

func main() {
	forgetEnvironment()
	left := &leftovers{}
	dieOfSignals(left)
	os.Exit(run(os.Args[1:], console{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, left: left}))
}
