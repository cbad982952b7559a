//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"arrowagg/internal/arrowtest"
)

// strikeDescriptors leaves few open files. With fewer than
// a dozen Go itself does not come up.
func strikeDescriptors(s *scene) string {
	if s.rng.IntN(2) == 0 {
		s.toFile()
	}
	l := s.launch()
	l.limits = fmt.Sprint("ulimit -n ", 12+s.rng.IntN(12)+len(l.extra))
	return s.judge(s.ended(s.program.start(l)), endings{
		codes: []int{exitInput, exitLimit}, says: []string{"too many open files"},
	})
}

// strikeAddresses leaves little memory to take from the system. What Go itself
// cannot get ends the process in its own way, without cleaning up.
func strikeAddresses(s *scene) string {
	if s.rng.IntN(2) == 0 {
		s.toFile()
	}
	l := s.launch()
	l.limits = fmt.Sprint("ulimit -v ", 600_000+s.rng.IntN(800_000))
	e := s.ended(s.program.start(l))
	if e.code == exitUsage && strings.Contains(e.stderr, "fatal error: ") && e.stdout == "" {
		s.onlyThere(s.args, s.outs, s.out, true)
		s.onlyThere(s.args, s.temp, "", true)
		if content, _ := s.content(); content != s.old {
			s.finding(s.args, "out of memory, and the output file changed")
		}
		s.clear()
		return "Go's own end"
	}
	return s.judge(e, endings{codes: []int{exitLimit}, says: []string{"memory"}})
}

// strikeTemp: an input that must be kept in a temporary file finds no directory
// for it, or one that is full.
func strikeTemp(s *scene) string {
	dir := filepath.Join(s.dir, "nowhere")
	if s.rng.IntN(2) == 0 && s.log.smallDisk != "" {
		dir = s.log.smallDisk
	}
	l := launch{args: []string{"-f", "csv", "--temp-dir", dir, "-"}, temp: s.temp}
	read, write, err := os.Pipe()
	must(err)
	l.stdin = read
	content := tooLargeToKeep()
	c := s.program.start(l)
	go func() {
		write.Write(content)
		write.Close()
	}()
	t := *s
	t.args = l.args
	e := s.ended(c)
	if e.code == exitDone {
		t.finding(t.args, "an input was kept in %s", dir)
	}
	return t.judge(e, endings{codes: []int{exitLimit}, says: []string{"temporary directory " + dir}})
}

// tooLargeToKeep is an input in the file format that takes more room than is
// kept in memory, though it is short: in a gzip frame.
var tooLargeToKeep = sync.OnceValue(func() []byte {
	const rows = 9 << 20
	file := arrowtest.Must("v_sum int64\n0\n").MustEncode(arrowtest.Encoding{File: true})
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	must(err)
	w.Write(file[:len(file)/2])
	w.Write(make([]byte, 8*rows))
	must(w.Close())
	return out.Bytes()
})
