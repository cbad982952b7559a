package ipcread

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
)

// maxNames bounds a list of input names: past it somebody named an input where
// a list of inputs was meant.
const maxNames = 64 << 20

// ReadNames reads a list of input names from a file, or for "-" from stdin:
// separated by NUL if there is one in it, as find -print0 writes them, else by
// line ends. An empty line at the end is no name.
func ReadNames(from string, stdin io.Reader) ([]string, error) {
	list := "standard input"
	if from != "-" {
		f, err := os.Open(from)
		if err != nil {
			return nil, &Error{Input: nameOf(from), Offset: noOffset, Cause: systemCause(err)}
		}
		defer f.Close()
		stdin, list = f, nameOf(from)
	}
	fail := func(cause error) error {
		return &Error{Input: list, Offset: noOffset, Cause: systemCause(cause)}
	}
	b, err := io.ReadAll(io.LimitReader(stdin, maxNames+1))
	if err != nil {
		return nil, fail(err)
	}
	if len(b) > maxNames {
		return nil, fail(faultf(ErrLimit, "a list of names of more than %d bytes", maxNames))
	}
	if bytes.HasPrefix(b, []byte{0xff, 0xff, 0xff, 0xff}) || bytes.HasPrefix(b, []byte(fileMagic)) {
		return nil, fail(faultf(ErrForeign, "an Arrow input, not a list of names"))
	}
	separator := "\n"
	if bytes.IndexByte(b, 0) >= 0 {
		separator = "\x00"
	}
	names := strings.Split(strings.TrimSuffix(string(b), separator), separator)
	if len(b) == 0 {
		return nil, nil
	}
	for i, name := range names {
		if name == "" {
			return nil, fail(fmt.Errorf("name %d of the list is empty", i+1))
		}
	}
	return names, nil
}
