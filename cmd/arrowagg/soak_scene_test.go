//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"arrowagg/internal/render"
)

// fault is one way in which the world fails a run. strike brings it about, has
// the ending judged, and returns it in a word or two.
type fault struct {
	name   string
	strike func(s *scene) string
}

// scene is a run whose whole answer is known, for a fault to spoil.
type scene struct {
	*round
	args   []string // without inputs and -o
	inputs []soakInput
	repeat int
	format string
	whole  string        // what it prints if nothing happens
	took   time.Duration // as long as it takes then

	out string // a name in outs; "" is standard output
	old string // content of out before; absent if that is ""
}

// newScene draws a run of the round's question and learns its whole answer,
// which is the same in two ways of asking.
func (r *round) newScene() (*scene, bool) {
	if r.asked.overflow != nil {
		return nil, false
	}
	s := &scene{round: r, repeat: 1}
	s.format = formatNames()[r.rng.IntN(len(formatNames()))]
	if r.rng.IntN(3) == 0 {
		s.repeat = 1 + r.rng.IntN(1+min(300, 1_000_000/max(1, r.rows.len())))
	}
	s.stage()
	first := r.ask(s.args, s.inputs)
	if s.repeat > 1 && first.code == exitInput && strings.Contains(first.stderr, "does not fit") {
		return nil, false // the copies' sums do not, and the oracle was not asked
	}
	s.whole, s.took = first.stdout, first.took
	s.stage()
	second := r.ask(s.args, s.inputs)
	if first.code != exitDone || second.code != exitDone || first.stdout != second.stdout {
		r.finding(s.args, "asked twice: exit %d and %d, %s%s\n%s", first.code, second.code, first.stderr, second.stderr,
			firstDifference(first.stdout, second.stdout))
		return nil, false
	}
	return s, true
}

// stage draws flags and inputs anew.
func (s *scene) stage() {
	f, _ := render.Lookup(s.format)
	s.inputs = s.rows.inputs(s.round, s.repeat == 1, !f.Binary)
	s.args = s.command(s.format)
	if s.repeat > 1 {
		s.args = append(s.args, "--repeat", fmt.Sprint(s.repeat))
	}
}

// again is the same scene for the next fault, with the inputs whole.
func (s *scene) again() *scene {
	t := *s
	t.stage()
	t.out, t.old = "", ""
	return &t
}

// toFile has the run write a file, that is there already or is not.
func (s *scene) toFile() {
	s.out = "result"
	s.old = pick(s.rng, "", "old content\n")
	os.Remove(filepath.Join(s.outs, s.out))
	if s.old != "" {
		must(os.WriteFile(filepath.Join(s.outs, s.out), []byte(s.old), 0o644))
	}
}

// launch is how the scene's run is started.
func (s *scene) launch() launch {
	args := s.args
	if s.out != "" {
		args = append(slices.Clip(args), "-o", filepath.Join(s.outs, s.out))
	}
	return s.round.launch(slices.Clip(args), s.inputs)
}

// endings are the ways in which a spoilt run may end, beside success with the
// whole result.
type endings struct {
	codes   []int
	says    []string         // one of them is in the message, if it exits so
	signals []syscall.Signal // it dies of them, without a word
	begun   bool             // some of the result may be on standard output
}

// judge checks an ending and what the run left, and names it.
func (s *scene) judge(e ending, may endings) string {
	defer s.clear()
	wrong := func(format string, values ...any) {
		s.finding(append(s.args, "-o", s.out), "%s\nstderr: %s", fmt.Sprintf(format, values...), e.stderr)
	}
	killed := e.signal == syscall.SIGKILL
	content, exists := s.content()
	isOld, isNew := exists == (s.old != "") && content == s.old, exists && content == s.whole
	name := fmt.Sprint("exit ", e.code)
	switch {
	case e.hung:
		wrong("hung")
		return "hung"
	case e.signal != 0:
		name = signalName(e.signal)
		if !slices.Contains(may.signals, e.signal) || e.stderr != "" {
			wrong("died of %s", name)
		}
		if !strings.HasPrefix(s.whole, e.stdout) {
			wrong("what stands on stdout is not the beginning of the result")
		}
		if s.out != "" && !isOld && !isNew {
			wrong("the output file is neither old nor new: %d bytes of %d", len(content), len(s.whole))
		}
	case e.code == exitDone:
		if s.out == "" && e.stdout != s.whole || s.out != "" && !isNew || e.stderr != "" {
			wrong("done, but the result is another: %s", firstDifference(e.stdout+content, s.whole))
		}
	default:
		if !slices.Contains(may.codes, e.code) || !plainErrors(e.stderr) || !containsAny(e.stderr, may.says) {
			wrong("exit %d", e.code)
		}
		if s.out != "" && !isOld {
			wrong("failed, but the output file changed: %d bytes", len(content))
		}
		if e.stdout != "" && (!may.begun || !strings.HasPrefix(s.whole, e.stdout) || e.stdout == s.whole) {
			wrong("failed, with %d of %d bytes on stdout", len(e.stdout), len(s.whole))
		}
	}
	s.nothingLeft(s.args, s.out, killed)
	return name
}

// clear removes the output file.
func (s *scene) clear() {
	if s.out != "" {
		os.Remove(filepath.Join(s.outs, s.out))
	}
}

// content is what the output file holds.
func (s *scene) content() (string, bool) {
	if s.out == "" {
		return "", false
	}
	b, err := os.ReadFile(filepath.Join(s.outs, s.out))
	return string(b), err == nil
}

// plainErrors: each line is one of the program's own, and none is a stack's.
func plainErrors(stderr string) bool {
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "arrowagg: ") && !strings.HasPrefix(line, "hint: ") {
			return false
		}
	}
	return stderr != "" && !strings.Contains(stderr, "goroutine")
}

func containsAny(text string, of []string) bool {
	return len(of) == 0 || slices.ContainsFunc(of, func(s string) bool { return strings.Contains(text, s) })
}

func signalName(s syscall.Signal) string {
	switch s {
	case syscall.SIGINT:
		return "SIGINT"
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGKILL:
		return "SIGKILL"
	case syscall.SIGPIPE:
		return "SIGPIPE"
	}
	return s.String()
}
