//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// round is one seed's worth of the soak: rows, a question about them that the
// oracle answers, the same question asked in other ways, and then faults.
type round struct {
	seed    uint64
	rng     *rand.Rand
	program program
	log     *soakLog

	dir   string // inputs
	temp  string // where the program's temporary files go
	outs  string // where -o files go
	files int

	rows  rows
	asked clauses
}

func newRound(seed uint64, p program, log *soakLog, dir string) *round {
	r := &round{seed: seed, rng: rand.New(rand.NewPCG(seed, 23)), program: p, log: log}
	r.dir = filepath.Join(dir, fmt.Sprint(seed))
	r.temp, r.outs = filepath.Join(r.dir, "temp"), filepath.Join(r.dir, "outs")
	must(os.MkdirAll(r.temp, 0o777))
	must(os.MkdirAll(r.outs, 0o777))
	return r
}

// run asks and strikes. The directory goes with it.
func (r *round) run() {
	defer os.RemoveAll(r.dir)
	r.log.rounds.Add(1)
	if !r.draw() {
		return
	}
	r.askPlainly()
	if r.rng.IntN(2) == 0 {
		r.askPartials()
	}
	s, ok := r.newScene()
	if !ok {
		return
	}
	for range 3 {
		f := &faults[r.rng.IntN(len(faults))]
		r.log.struck(f.name, f.strike(s))
		s = s.again()
	}
}

// draw draws rows and a question. One round in ten asks about more than fits the
// least memory that a run may be limited to.
func (r *round) draw() bool {
	if r.rng.IntN(10) == 0 {
		r.rows, r.asked = large(), clauses{want: large().want}
		return true
	}
	stream := soakStream(r.rng)
	var ok bool
	r.rows = drawn{stream}
	r.asked, ok = randomClauses(r.rng, stream)
	return ok && r.asked.fits()
}

// fits tells whether the system can hand these flags to a process.
func (c *clauses) fits() bool {
	return !slices.ContainsFunc(slices.Concat(c.flags, c.shown), func(s string) bool { return strings.ContainsRune(s, 0) })
}

// finding reports what must not be, with the command that shows it again.
func (r *round) finding(args []string, format string, values ...any) {
	r.log.finding(fmt.Sprintf("make soak SEED=%d\narrowagg %q\n%s%s\n", r.seed, args,
		r.rows, fmt.Sprintf(format, values...)))
}

// tuning draws the flags that must not change anything.
func (r *round) tuning() []string {
	flags := []string{fmt.Sprint("-j", 1+r.rng.IntN(16)), "--temp-dir", r.temp, "--allow", "temp-dir-in-memory"}
	if r.rng.IntN(2) == 0 {
		flags = append(flags, "--buffer", fmt.Sprint(pick(r.rng, 1, 2, 7)))
	}
	if r.rng.IntN(4) == 0 {
		flags = append(flags, "--max-buffer", "64MiB")
	}
	switch {
	case r.rows.len() == largeRows && r.rng.IntN(5) > 0:
		flags = append(flags, "--stats-json", "--memory-limit", pick(r.rng, "64MiB", "64MiB", "70MiB", "80MiB"))
	case r.rng.IntN(4) == 0:
		flags = append(flags, "--memory-limit", pick(r.rng, "64MiB", "200MiB", "1GiB"))
	}
	return flags
}

// command is the whole question in a format, but for the inputs.
func (r *round) command(format string) []string {
	return slices.Concat([]string{"-f", format}, r.asked.flags, r.asked.shown, r.tuning())
}

// ask runs the program over inputs without any fault.
func (r *round) ask(args []string, inputs []soakInput) ending {
	r.log.questions.Add(1)
	e := r.ended(r.program.start(r.launch(args, inputs)))
	if e.hung {
		r.finding(args, "hung: %s", e.stderr)
	}
	r.nothingLeft(args, "", false)
	return e
}

// ended waits, and takes the figures out of what the run said.
func (r *round) ended(c *child) ending {
	e := c.wait()
	if at := strings.Index(e.stderr, `{"`); at >= 0 && strings.HasSuffix(e.stderr, "}\n") {
		if !strings.Contains(e.stderr[at:], `"spill_files": 0,`) {
			r.log.spilled.Add(1)
		}
		e.stderr = e.stderr[:at]
	}
	return e
}

// expect compares a run's ending with the oracle's answer.
func (r *round) expect(args []string, e ending) {
	switch {
	case r.asked.overflow != nil:
		if e.code != exitInput || e.stdout != "" || !strings.Contains(e.stderr, "does not fit") {
			r.finding(args, "got %v, want an overflow (%v)", e.outcome, r.asked.overflow)
		}
	case e.code != exitDone || e.stderr != "":
		r.finding(args, "got exit %d: %s", e.code, e.stderr)
	case e.stdout != r.asked.want:
		r.finding(args, "the oracle says otherwise: %s", firstDifference(e.stdout, r.asked.want))
	}
}

// askPlainly asks the oracle's question.
func (r *round) askPlainly() {
	args := r.command("csv")
	r.expect(args, r.ask(args, r.rows.inputs(r, true, true)))
}

// askPartials deals the inputs out to workers, merges what they write in a
// random tree, and must get the oracle's answer.
func (r *round) askPartials() {
	inputs := r.rows.inputs(r, false, true)
	workers := 1 + r.rng.IntN(5)
	var parts []soakInput
	step := func(args []string, inputs []soakInput) bool {
		e := r.ask(args, inputs)
		if e.code == exitUsage && strings.Contains(e.stderr, "there are no partial results of ") {
			return false // as --help says of some functions
		}
		if e.code != exitDone || e.stderr != "" {
			r.finding(args, "a worker got exit %d: %s", e.code, e.stderr)
			return false
		}
		in := soakInput{content: []byte(e.stdout), piped: r.rng.IntN(3) == 0}
		if !in.piped {
			in.name = r.file(in.content)
		}
		parts = append(parts, in)
		return true
	}
	for i := range workers {
		shard := []string{"--partial", "--shard", fmt.Sprintf("%d/%d", i+1, workers)}
		if !step(slices.Concat(shard, r.asked.flags, r.tuning()), inputs) {
			return
		}
	}
	for len(parts) > 1 && r.rng.IntN(4) > 0 {
		r.rng.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		n := 1 + r.rng.IntN(len(parts))
		some := parts[:n:n]
		parts = parts[n:]
		if !step(append(r.tuning(), "--partial"), some) {
			return
		}
	}
	args := slices.Concat([]string{"-f", "csv", "--expect", fmt.Sprint(workers)}, r.asked.shown, r.tuning())
	r.expect(args, r.ask(args, parts))
}

// nothingLeft checks that a run left no temporary file behind. A killed one
// may leave the beginning of the new content beside the output file; it is
// removed here.
func (r *round) nothingLeft(args []string, out string, killed bool) {
	r.onlyThere(args, r.temp, "", killed)
	r.onlyThere(args, r.outs, out, killed)
}

func (r *round) onlyThere(args []string, dir, name string, killed bool) {
	entries, err := os.ReadDir(dir)
	must(err)
	for _, e := range entries {
		stale := strings.HasSuffix(e.Name(), ".tmp")
		if e.Name() == name {
			continue
		}
		if !killed || !stale {
			r.finding(args, "left behind: %s", filepath.Join(dir, e.Name()))
		}
		must(os.RemoveAll(filepath.Join(dir, e.Name())))
	}
}
