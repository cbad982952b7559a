//go:build !linux

package main

import "runtime"

// peakMemory is what the Go runtime took from the system: there is no portable
// call for the peak of the resident size. Mapped inputs are not in it.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}

// ownMemory is the same, since mapped inputs are not in it.
func ownMemory() int64 { return peakMemory() }
