//go:build !unix

package ipcread

import (
	"errors"
	"os"
)

// descriptor: there are no names for descriptors on this system.
func descriptor(string) (fd int, ok bool) { return 0, false }

func inherited(int, string) (*os.File, error) { return nil, errors.ErrUnsupported }

// duplicate is the file itself: it is standard input, which nobody else reads.
func duplicate(f *os.File) (*os.File, error) { return f, nil }
