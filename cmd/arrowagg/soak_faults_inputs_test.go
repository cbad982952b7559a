//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
)

// held has the process wait for its last input, a pipe, until it is let go. The
// pipe's writer is told to go on by the function returned.
func (s *scene) held() (launch, func()) {
	s.singly()
	last := s.inputs[len(s.inputs)-1]
	s.inputs = s.inputs[:len(s.inputs)-1]
	l := s.launch()
	read, write, err := os.Pipe()
	must(err)
	l.take(read, false, 0)
	return l, func() { go feedPieces(write, last.content, rand.New(rand.NewPCG(s.seed, 1))) }
}

// strikeChanged cuts, rewrites, replaces or removes an input file while the run
// reads it. The result is that of the old content, or of the new, or an error.
func strikeChanged(s *scene) string {
	l, release := launch{}, func() {}
	if s.repeat > 1 {
		l = s.launch()
	} else {
		l, release = s.held()
	}
	c := s.program.start(l)
	s.moment()
	s.change(c)
	release()
	e := s.ended(c)
	if e.code == exitDone && strings.Contains(e.stderr, "[no-end-marker]") {
		return "exit 0, warned" // it was cut before it was looked at
	}
	return s.judge(e, endings{codes: []int{exitInput}, says: fileNames(s.inputs)})
}

// change does it to one file. Whatever is read before or after says the same
// rows, so that no other answer is right. Only what is known to be open gets
// other bytes: before, it would be another question.
func (s *scene) change(c *child) {
	var files []soakInput
	for _, in := range s.inputs {
		if !in.piped {
			files = append(files, in)
		}
	}
	if len(files) == 0 {
		return
	}
	in := files[s.rng.IntN(len(files))]
	switch s.rng.IntN(5) {
	case 0:
		must(os.Truncate(in.name, int64(s.rng.IntN(len(in.content)))))
	case 1: // emptied, and written anew
		must(os.WriteFile(in.name, in.content, 0o666))
	case 2: // other bytes in its place
		maps, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", c.command.Process.Pid))
		if !strings.Contains(string(maps), in.name) {
			return
		}
		f, err := os.OpenFile(in.name, os.O_WRONLY, 0)
		must(err)
		at := s.rng.IntN(len(in.content))
		noise := make([]byte, 1+s.rng.IntN(8))
		for i := range noise {
			noise[i] = byte(s.rng.Uint32())
		}
		_, err = f.WriteAt(noise, int64(at))
		must(err)
		must(f.Close())
	case 3: // what was opened stays whole
		must(os.Rename(s.file(in.content), in.name))
	case 4:
		must(os.Remove(in.name))
	}
}

func fileNames(inputs []soakInput) (names []string) {
	for _, in := range inputs {
		if !in.piped {
			names = append(names, in.name)
		}
	}
	return names
}

// strikeCut ends a pipe before its end: an error, or the warning of a missing
// end marker exactly between two messages.
func strikeCut(s *scene) string {
	s.singly()
	i := s.rng.IntN(len(s.inputs))
	in := &s.inputs[i]
	in.piped, in.content = true, in.content[:s.rng.IntN(len(in.content))]
	e := s.ended(s.program.start(s.launch()))
	if e.code == exitDone && strings.Contains(e.stderr, "[no-end-marker]") {
		return "exit 0, warned"
	}
	if e.code == exitDone {
		s.finding(s.args, "input %d was cut after %d bytes, and nothing is said", i+1, len(in.content))
	}
	return s.judge(e, endings{codes: []int{exitInput}, says: []string{"standard input: ", "/dev/fd/"}})
}

// strikeReset lets a read fail after some bytes: a socket whose other end closes
// without having read what was sent to it.
func strikeReset(s *scene) string {
	s.singly()
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	must(err)
	ours, theirs := socket(pair[0]), socket(pair[1])
	_, err = theirs.Write([]byte("never read"))
	must(err)
	for i := range s.inputs { // standard input is the socket
		s.inputs[i].piped = false
		s.inputs[i].name = s.file(s.inputs[i].content)
	}
	content := s.rows.beginning()
	content = content[:s.rng.IntN(len(content)+1)]
	l := s.launch()
	l.take(theirs, true, s.rng.IntN(len(s.inputs)+1))
	c := s.program.start(l)
	go func() {
		ours.Write(content)
		ours.Close()
	}()
	e := s.ended(c)
	if e.code == exitDone {
		s.finding(s.args, "reading failed after %d bytes, and nothing is said", len(content))
	}
	return s.judge(e, endings{codes: []int{exitInput}, says: []string{"standard input: "}})
}

// socket makes a file of a descriptor that programs started meanwhile do not
// inherit.
func socket(fd int) *os.File {
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), fmt.Sprint("socket ", fd))
}
