package main

import (
	"errors"
	"os"
	"runtime"
	"runtime/pprof"
)

// profiled runs f under the profiles that the hidden flags ask for: a CPU
// profile over the whole run, and what was allocated by its end.
func profiled(cpu, mem string, f func() error) (err error) {
	if cpu != "" {
		out, err := os.Create(cpu)
		if err != nil {
			return err
		}
		defer out.Close()
		if err := pprof.StartCPUProfile(out); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	if mem != "" {
		defer func() { err = errors.Join(err, writeMemProfile(mem)) }()
	}
	return f()
}

func writeMemProfile(name string) error {
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	runtime.GC() // so that what is still in use is exact
	return errors.Join(pprof.Lookup("allocs").WriteTo(out, 0), out.Close())
}
