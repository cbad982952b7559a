package main

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
)

var oracleSeed = flag.Uint64("oracle.seed", 0, "run the one oracle case with this seed")

// TestOracle runs random questions over random inputs in random encodings and
// compares every byte with what the oracle says.
func TestOracle(t *testing.T) {
	if *oracleSeed != 0 {
		askOracle(t, *oracleSeed)
		return
	}
	n := uint64(1500)
	if testing.Short() {
		n = 150
	}
	for seed := uint64(1); seed <= n && !t.Failed(); seed++ {
		askOracle(t, seed)
	}
}

func askOracle(t *testing.T, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	s := randomStream(rng, []int{0, 3, 30, 300, 3000}[rng.IntN(5)])
	flags, q := randomQuestion(rng, s)
	o := &oracle{fields: s.Fields, rows: s.Rows()}
	if len(q.columns) == 0 {
		return // nothing to group by and nothing to aggregate
	}
	want, overflow := o.answer(q)

	dir := t.TempDir()
	names := []string{}
	for i, part := range s.Parts(rng, 1+rng.IntN(3)) {
		name := filepath.Join(dir, fmt.Sprintf("%d", i))
		writeFile(t, name, randomEncoding(rng, part))
		names = append(names, name)
	}
	args := append([]string{"-f", "csv", fmt.Sprint("-j", 1+rng.IntN(3))}, append(flags, names...)...)
	got := runWith(nil, args...)

	command := "arrowagg " + strings.ReplaceAll(strings.Join(args, " "), dir+"/", "")
	describe := func() string {
		return fmt.Sprintf("-oracle.seed %d: %s\n%s", seed, command, (&arrowtest.Stream{Fields: s.Fields}).String())
	}
	switch {
	case overflow != nil:
		if got.code != exitInput || got.stdout != "" || !strings.Contains(got.stderr, "does not fit") {
			t.Errorf("%sgot %v, want an overflow (%v)", describe(), got, overflow)
		}
	case got.code != exitDone || got.stderr != "":
		t.Errorf("%sgot %v", describe(), got)
	case got.stdout != want:
		t.Errorf("%sgot and want differ: %s", describe(), firstDifference(got.stdout, want))
	}
}

// randomEncoding writes the stream in other batches, types and formats.
func randomEncoding(rng *rand.Rand, s *arrowtest.Stream) []byte {
	s = s.RecutAt(rng)
	retypes := []func(arrow.Field) arrow.DataType{
		func(f arrow.Field) arrow.DataType { return f.Type },
		arrowtest.ToView, arrowtest.ToLarge, arrowtest.ToRuns,
		arrowtest.ToDictionary(arrow.PrimitiveTypes.Int32), arrowtest.ToDictionary(arrow.PrimitiveTypes.Uint16),
	}
	s = s.Retype(retypes[rng.IntN(len(retypes))])
	if rng.IntN(2) == 0 {
		s = s.GrowingDictionaries()
	}
	e := arrowtest.Encoding{Codec: pick(rng, "none", "lz4", "zstd"), File: rng.IntN(4) == 0, Deltas: rng.IntN(2) == 0}
	return s.MustEncode(e)
}

// outcome is all that a run leaves behind.
type outcome struct {
	code           int
	stdout, stderr string
}

func (o outcome) String() string { return fmt.Sprintf("exit %d\n%s%s", o.code, o.stdout, o.stderr) }

// runWith runs the program in this process, stdin nil for no input.
func runWith(stdin *os.File, args ...string) outcome {
	if stdin == nil {
		null, err := os.Open(os.DevNull)
		if err != nil {
			panic(err)
		}
		defer null.Close()
		stdin = null
	}
	var stdout, stderr bytes.Buffer
	code := run(args, console{stdin: stdin, stdout: &stdout, stderr: &stderr})
	return outcome{code, stdout.String(), stderr.String()}
}

func writeFile(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

// firstDifference shows the first line that differs.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d\n got %q\nwant %q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}
