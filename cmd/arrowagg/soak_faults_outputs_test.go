//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// strikeClosed: who reads standard output has enough after some bytes. That is
// no error, and nothing is said.
func strikeClosed(s *scene) string {
	read, write, err := os.Pipe()
	must(err)
	l := s.launch()
	l.stdout = write
	c := s.program.start(l)
	got, err := io.ReadAll(io.LimitReader(read, int64(s.rng.IntN(len(s.whole)+1))))
	must(err)
	read.Close()
	e := s.ended(c)
	e.stdout = string(got)
	if e.code == exitDone {
		e.stdout = s.whole // the pipe held it all
	}
	return s.judge(e, endings{signals: []syscall.Signal{syscall.SIGPIPE}, begun: true})
}

// strikeFull writes to the device that is always full.
func strikeFull(s *scene) string {
	const device = "/dev/full"
	full, err := os.OpenFile(device, os.O_WRONLY, 0)
	if err != nil {
		return "not here"
	}
	if s.whole == "" {
		full.Close()
		return "nothing to write"
	}
	may := endings{codes: []int{exitInput}, says: []string{"standard output: no space left on device"}}
	l := s.launch()
	if s.rng.IntN(2) == 0 {
		l.args = append([]string{"-o", device}, l.args...)
		may.says = []string{device + ": no space left on device"}
		full.Close()
	} else {
		l.stdout = full
	}
	e := s.ended(s.program.start(l))
	if e.code == exitDone {
		s.finding(s.args, "%d bytes on a full device, and nothing is said", len(s.whole))
	}
	return s.judge(e, may)
}

// strikeSmall writes into a file system that has room for little or nothing.
func strikeSmall(s *scene) string {
	if s.log.smallDisk == "" {
		return "not here"
	}
	dir := filepath.Join(s.log.smallDisk, filepath.Base(s.dir))
	must(os.MkdirAll(dir, 0o777))
	defer os.RemoveAll(dir)
	t := *s
	r := *s.round
	r.outs, t.round = dir, &r
	t.toFile()
	return t.judge(t.ended(s.program.start(t.launch())), endings{
		codes: []int{exitInput}, says: []string{"no space left on device"},
	})
}

// strikeFileSize lets no file grow past some blocks: not the -o file, not the
// file that standard output is, and none to spill into.
func strikeFileSize(s *scene) string {
	blocks := pick(s.rng, "0", "1", "2", "8", "64")
	may := endings{codes: []int{exitInput, exitLimit}, says: []string{"file too large"}, begun: true}
	if s.rng.IntN(2) == 0 {
		s.toFile()
		l := s.launch()
		l.limits = "ulimit -f " + blocks
		return s.judge(s.ended(s.program.start(l)), may)
	}
	name := filepath.Join(s.dir, "stdout")
	f, err := os.Create(name)
	must(err)
	l := s.launch()
	l.limits, l.stdout = "ulimit -f "+blocks, f
	e := s.ended(s.program.start(l))
	written, err := os.ReadFile(name)
	must(err)
	e.stdout = string(written)
	return s.judge(e, may)
}
