//go:build !unix

package main

import "os"

// terminalWidth is one that any console has.
func terminalWidth(*os.File) int { return defaultWidth }

// inForeground: there are no jobs in the background of a console.
func inForeground(*os.File) bool { return true }
