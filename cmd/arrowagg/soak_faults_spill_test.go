//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// spilling is a run that has to spill, into a directory of its own.
func (s *scene) spilling(dir string) *scene {
	r := *s.round
	r.rows, r.temp = large(), filepath.Join(r.dir, "temp")
	t := &scene{round: &r, repeat: 1, format: "csv", whole: large().want, took: time.Second}
	t.inputs = r.rows.inputs(&r, true, true)
	t.args = []string{"-f", "csv", "-j4", "--memory-limit", "64MiB", "--temp-dir", dir, "--allow", "temp-dir-in-memory", "--stats-json"}
	if s.rng.IntN(2) == 0 {
		t.toFile()
	}
	return t
}

// strikeSpillDir gives a run that must spill no place to do it, or too little.
func strikeSpillDir(s *scene) string {
	places := []string{filepath.Join(s.dir, "nowhere"), s.log.smallDisk, s.log.largerDisk, s.log.readOnly}
	places = slices.DeleteFunc(places, func(dir string) bool { return dir == "" })
	dir := places[s.rng.IntN(len(places))]
	t := s.spilling(dir)
	e := t.ended(t.program.start(t.launch()))
	if e.code == exitDone {
		t.finding(t.args, "it cannot have spilled, and did not say so")
	}
	return t.judge(e, endings{codes: []int{exitLimit}, says: []string{"temporary directory " + dir + ": "}})
}

// strikeSpillGone removes the directory while the run may be spilling. What is
// open already does not need it.
func strikeSpillGone(s *scene) string {
	dir := filepath.Join(s.dir, "vanishing")
	must(os.MkdirAll(dir, 0o777))
	t := s.spilling(dir)
	c := t.program.start(t.launch())
	t.moment()
	must(os.RemoveAll(dir))
	return t.judge(t.ended(c), endings{codes: []int{exitLimit}, says: []string{"temporary directory " + dir + ": "}})
}

// strikeSpillKilled kills a run that may be spilling, softly or hard. Neither
// leaves a file, and a hard death at most an empty one.
func strikeSpillKilled(s *scene) string {
	t := s.spilling(s.temp)
	c := t.program.start(t.launch())
	t.moment()
	return t.kill(c, pick(s.rng, syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL), true)
}
