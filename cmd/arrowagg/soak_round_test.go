//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"arrowagg/internal/arrowtest"
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

	stream *arrowtest.Stream
	asked  clauses
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
	r.stream = soakStream(r.rng)
	var ok bool
	if r.asked, ok = randomClauses(r.rng, r.stream); !ok || !r.asked.fits() {
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

// fits tells whether the system can hand these flags to a process.
func (c *clauses) fits() bool {
	return !slices.ContainsFunc(slices.Concat(c.flags, c.shown), func(s string) bool { return strings.ContainsRune(s, 0) })
}

// finding reports what must not be, with the command that shows it again.
func (r *round) finding(args []string, format string, values ...any) {
	r.log.finding(fmt.Sprintf("make soak SEED=%d\narrowagg %q\n%s%s\n", r.seed, args,
		(&arrowtest.Stream{Fields: r.stream.Fields}).String(), fmt.Sprintf(format, values...)))
}

// tuning draws the flags that must not change anything.
func (r *round) tuning() []string {
	flags := []string{fmt.Sprint("-j", 1+r.rng.IntN(16)), "--temp-dir", r.temp}
	if r.rng.IntN(2) == 0 {
		flags = append(flags, "--buffer", fmt.Sprint(pick(r.rng, 1, 2, 7)))
	}
	if r.rng.IntN(4) == 0 {
		flags = append(flags, "--max-buffer", "64MiB")
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
	e := r.program.start(r.launch(args, inputs)).wait()
	if e.hung {
		r.finding(args, "hung: %s", e.stderr)
	}
	r.nothingLeft(args, "", false)
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
	r.expect(args, r.ask(args, r.randomInputs(true, true)))
}

// askPartials deals the inputs out to workers, merges what they write in a
// random tree, and must get the oracle's answer.
func (r *round) askPartials() {
	inputs := r.randomInputs(false, true)
	workers := 1 + r.rng.IntN(5)
	var parts []soakInput
	step := func(args []string, inputs []soakInput) bool {
		e := r.ask(args, inputs)
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
		stale := strings.HasPrefix(e.Name(), ".") && strings.HasSuffix(e.Name(), ".tmp")
		if e.Name() == name {
			continue
		}
		if !killed || !stale {
			r.finding(args, "left behind: %s", filepath.Join(dir, e.Name()))
		}
		must(os.RemoveAll(filepath.Join(dir, e.Name())))
	}
}
