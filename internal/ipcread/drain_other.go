//go:build unix && !linux

package ipcread

// drain is where bytes of a pipe go that nobody wants; here they are read.
type drain struct{}

func (drain) close() {}
