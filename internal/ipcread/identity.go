package ipcread

import (
	"os"
	"time"

	"arrowagg/internal/warning"
)

// identities knows which inputs are which file, by device and inode.
type identities struct {
	known []identity
}

type identity struct {
	in   *input
	info os.FileInfo
}

// identify remembers what an input is.
func (s *Set) identify(in *input, info os.FileInfo) {
	s.files.known = append(s.files.known, identity{in, info})
}

// checkTwice finds inputs that are given twice. A regular file is read twice,
// with a warning; the bytes of anything else come once.
func (s *Set) checkTwice() {
	// os.SameFile is the portable comparison but no map's key: files that are
	// the same have the same size and time.
	type likeness struct {
		size int64
		time time.Time
	}
	alike := map[likeness][]identity{}
	for _, f := range s.files.known {
		like := likeness{f.info.Size(), f.info.ModTime()}
		for _, other := range alike[like] {
			if os.SameFile(f.info, other.info) {
				s.givenTwice(f)
				break
			}
		}
		alike[like] = append(alike[like], f)
	}
}

func (s *Set) givenTwice(f identity) {
	switch mode := f.info.Mode(); {
	case mode.IsRegular():
		s.found = append(s.found, warning.Warning{ID: "same-input-twice", Subject: f.in.name})
	case mode&os.ModeDevice == 0:
		f.in.fail(f.in.err(faultf(ErrUsage, "is given twice, and what is not a file can be read only once")))
	}
}

// SameFile returns those of the names, as errors call them, that are that file.
// It is for the output's file, and opens nothing: a shell that redirected into
// an input has emptied it already, and to say so is better than to call the
// input empty. Only regular files count: to read and write one terminal or pipe
// is no mistake.
func SameFile(names []string, stdin *os.File, info os.FileInfo) []string {
	if info == nil || !info.Mode().IsRegular() {
		return nil
	}
	var same []string
	for i, name := range names {
		in := &input{position: i, path: name, name: name}
		fd, isDescriptor := in.describe()
		var is os.FileInfo
		var err error
		if isDescriptor && fd == 0 {
			is, err = stdin.Stat()
		} else {
			is, err = os.Stat(name)
		}
		if err == nil && os.SameFile(is, info) {
			same = append(same, in.name)
		}
	}
	return same
}
