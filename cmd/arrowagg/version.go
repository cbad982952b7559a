package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"arrowagg/internal/zone"
)

const (
	// Version is the program's own.
	version = "0.1.0"
	// outputNumber counts the times that a corrected wrong result changed
	// bytes; scripts with golden files compare it.
	outputNumber = 1
)

func printVersion(w io.Writer) error {
	_, err := fmt.Fprintf(w, "arrowagg %s (output %d, arrow-go %s, tzdata %s, %s)\n",
		version, outputNumber, arrowVersion(), zone.Version, runtime.Version())
	return err
}

// arrowVersion reads the module version that was linked in, so that it cannot
// be out of date.
func arrowVersion() string {
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range build.Deps {
			if dep.Path == "github.com/apache/arrow-go/v18" {
				return dep.Version
			}
		}
	}
	return "unknown"
}
