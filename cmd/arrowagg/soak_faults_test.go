//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// faults is the table that rounds draw from.
var faults = []fault{
	{"signal", strikeSignal},
	{"SIGKILL", strikeKill},
	{"two signals", strikeTwice},
	{"signal, blocked in a read", strikeBlocked},
	{"signal, FIFO without writer", strikeUnopened},
	{"reader of stdout leaves", strikeClosed},
	{"full device", strikeFull},
	{"full file system", strikeSmall},
	{"ulimit -f", strikeFileSize},
	{"ulimit -n", strikeDescriptors},
	{"ulimit -v", strikeAddresses},
	{"input changes while read", strikeChanged},
	{"pipe ends early", strikeCut},
	{"read fails", strikeReset},
	{"no place for a piped file", strikeTemp},
	{"no place to spill", strikeSpillDir},
	{"place to spill vanishes", strikeSpillGone},
	{"signal while spilling", strikeSpillKilled},
}

// moment waits for a random while within the run's time, and not so long that
// a run that is blocked seems to hang.
func (s *scene) moment() {
	time.Sleep(time.Duration(s.rng.Float64() * 1.2 * float64(min(s.took, 4*time.Second))))
}

var deadly = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}

func strikeSignal(s *scene) string {
	if s.rng.IntN(2) == 0 {
		s.toFile()
	}
	c := s.program.start(s.launch())
	s.moment()
	return s.kill(c, deadly[s.rng.IntN(2)], true)
}

// kill sends the signal, measures the death and judges. A run may have ended
// before, unless it cannot end.
func (s *scene) kill(c *child, sig syscall.Signal, ends bool) string {
	sent := time.Now()
	c.signal(sig)
	e := s.ended(c)
	if e.signal == sig && sig != syscall.SIGKILL {
		s.log.death(e.at.Sub(sent))
	} else if e.signal != sig && !ends {
		s.finding(s.args, "not killed by %v, but exit %d: %s", sig, e.code, e.stderr)
	}
	return s.judge(e, endings{signals: []syscall.Signal{sig}})
}

func strikeKill(s *scene) string {
	s.toFile()
	c := s.program.start(s.launch())
	s.moment()
	c.signal(syscall.SIGKILL)
	return s.judge(s.ended(c), endings{signals: []syscall.Signal{syscall.SIGKILL}})
}

// strikeTwice: the second signal kills whatever the first one is waiting for.
func strikeTwice(s *scene) string {
	if s.rng.IntN(2) == 0 {
		s.toFile()
	}
	c := s.program.start(s.launch())
	s.moment()
	sent := time.Now()
	c.signal(deadly[s.rng.IntN(2)])
	time.Sleep(time.Duration(s.rng.IntN(300)) * time.Microsecond)
	c.signal(deadly[s.rng.IntN(2)])
	e := s.ended(c)
	if e.signal != 0 {
		s.log.death(e.at.Sub(sent))
	}
	s.onlyThere(s.args, s.outs, s.out, true) // the second may come before the first one's files are gone
	return s.judge(e, endings{signals: deadly})
}

// strikeBlocked: one input is a pipe that falls silent.
func strikeBlocked(s *scene) string {
	s.singly()
	if s.rng.IntN(2) == 0 {
		s.toFile()
	}
	l := s.launch()
	read, write, err := os.Pipe()
	must(err)
	defer write.Close()
	l.take(read, s.rng.IntN(2) == 0, s.rng.IntN(len(s.inputs)+1))
	content := s.rows.beginning()
	c := s.program.start(l)
	go write.Write(content[:s.rng.IntN(len(content))]) // or fails, when the reader is gone
	s.moment()
	return s.kill(c, deadly[s.rng.IntN(2)], false)
}

// singly undoes --repeat, which pipes do not go with, and has inputs that go
// with more of them.
func (s *scene) singly() {
	if s.repeat > 1 {
		s.repeat = 1
		s.stage()
		s.whole = s.ask(s.args, s.inputs).stdout
	}
	s.inputs = s.rows.inputs(s.round, true, false)
}

func strikeUnopened(s *scene) string {
	fifo := filepath.Join(s.dir, "fifo")
	os.Remove(fifo)
	must(syscall.Mkfifo(fifo, 0o666))
	s.singly()
	at := s.rng.IntN(len(s.inputs) + 1)
	s.inputs = append(s.inputs[:at:at], append([]soakInput{{name: fifo}}, s.inputs[at:]...)...)
	c := s.program.start(s.launch())
	s.moment()
	return s.kill(c, deadly[s.rng.IntN(2)], false)
}
