package main

import (
	"os"

	"github.com/mattn/go-isatty"
)

// defaultWidth is for what does not say how wide it is.
const defaultWidth = 80

// isTerminal tells whether a person is at the other end.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && f != nil && isatty.IsTerminal(f.Fd())
}
