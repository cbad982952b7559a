package main

import "os"

func main() {
	forgetEnvironment()
	left := &leftovers{}
	dieOfSignals(left)
	con := console{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, left: left, bound: boundProcess}
	os.Exit(run(os.Args[1:], con))
}
