//go:build unix && !darwin

package main

// maxrssUnit is the unit of rusage's maxrss: kibibytes but on darwin.
const maxrssUnit = 1024
