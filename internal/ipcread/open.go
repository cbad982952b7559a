package ipcread

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// openInput finds out what a name is and opens it. Nothing is read yet.
func (s *Set) openInput(position int, name string) (*input, error) {
	in := &input{
		position: position, path: name, name: nameOf(name), format: "unknown",
		begun: make(chan struct{}), ended: make(chan struct{}),
	}
	in.share.of = s.inFlight
	fd, isDescriptor := in.describe()
	switch {
	case !isDescriptor:
		return in, s.openPath(in)
	case fd == 0 && s.stdin:
		return in, faultf(ErrUsage, "is given twice")
	case fd == 0:
		s.stdin = true
		return in, s.openDescriptor(in, s.opt.Stdin)
	}
	f, err := inherited(fd, name)
	if err != nil {
		return in, err
	}
	defer f.Close()
	return in, s.openDescriptor(in, f)
}

// describe finds out whether the input's name stands for a descriptor of this
// process, and gives it the name that errors use.
func (in *input) describe() (fd int, isDescriptor bool) {
	fd, isDescriptor = descriptor(in.path)
	switch {
	case in.path == "-" || isDescriptor && fd == 0:
		in.path, in.name = "", "standard input"
		return 0, true
	case isDescriptor:
		in.name = fmt.Sprintf("input %d (%s)", in.position+1, nameOf(in.path))
		in.path = ""
	}
	return fd, isDescriptor
}

// openPath opens what has a name in the file system.
func (s *Set) openPath(in *input) error {
	info, err := os.Stat(in.path)
	if err != nil {
		if os.IsNotExist(err) && strings.Contains(in.path, "://") {
			return faultf(ErrForeign, "no such file; it looks like a URL").
				withHint("fetch it first: curl -sSf URL | arrowagg -")
		}
		return err
	}
	if info.Mode().IsRegular() {
		return s.openRegular(in)
	}
	if err := checkReadable(info); err != nil {
		return err
	}
	if info.Mode()&os.ModeSocket != 0 {
		return faultf(ErrInput, "is a socket").withHint("connect to it: socat - UNIX-CONNECT:SOCKET | arrowagg -")
	}
	s.identify(in, info)
	in.pipe, err = s.interrupt.openPipe(in.path)
	return err
}

// openRegular maps a regular file. Its descriptor is closed at once, so that
// the number of inputs is not bounded by that of descriptors.
func (s *Set) openRegular(in *input) error {
	f, err := os.Open(in.path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() == 0 {
		// The kernel's files (/proc) have no size but content.
		if n, _ := f.Read(make([]byte, 1)); n > 0 {
			in.pipe, err = s.interrupt.openPipe(in.path)
			return err
		}
	}
	in.info = info
	s.identify(in, info)
	s.mapInput(in, f)
	return nil
}

// openDescriptor takes over a descriptor that the process was started with: a
// copy of it is kept, the descriptor stays open and as it is.
func (s *Set) openDescriptor(in *input, f *os.File) error {
	own, err := duplicate(f)
	if err != nil {
		return err
	}
	info, err := own.Stat()
	if err == nil {
		err = checkReadable(info)
	}
	if err != nil {
		own.Close()
		return err
	}
	s.identify(in, info)
	if !info.Mode().IsRegular() {
		in.pipe = s.interrupt.reader(own)
		return nil
	}
	in.info, in.file = info, own
	if in.first, err = own.Seek(0, io.SeekCurrent); err != nil {
		return err
	}
	s.mapInput(in, own)
	return nil
}

// checkReadable refuses what is no source of bytes.
func checkReadable(info os.FileInfo) error {
	if info.IsDir() {
		return faultf(ErrInput, "is a directory").withHint("name the files in it: DIR/*.arrows")
	}
	return nil
}

// mapInput maps a regular file if it can be mapped; else it is read.
func (s *Set) mapInput(in *input, f *os.File) {
	if s.opt.unmapped || in.size() <= 0 {
		return
	}
	ext, unmap, err := mapFile(f, in.info.Size())
	if err != nil {
		return
	}
	s.mappings = append(s.mappings, mapping{in: in, bytes: ext.(resident), unmap: unmap})
	in.ext = ext.(resident)[in.first:]
}
