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
	"arrowagg/internal/groupby"
)

var (
	oracleFirst = flag.Uint64("oracle.first", 1, "first seed of TestOracle")
	oracleCount = flag.Uint64("oracle.count", 0, "number of seeds of TestOracle (0: as many as fit a test run)")
)

// TestOracle runs random questions over random inputs in random encodings and
// compares every byte with what the oracle says.
func TestOracle(t *testing.T) {
	t.Parallel()
	n := uint64(1000)
	if testing.Short() {
		n = 150
	}
	if *oracleCount > 0 {
		n = *oracleCount
	}
	overflows, large := 0, 0
	for seed := *oracleFirst; seed < *oracleFirst+n && !t.Failed(); seed++ {
		groups, overflow := askOracle(t, seed, 3000)
		if overflow {
			overflows++
		} else if groups > 10 {
			large++
		}
	}
	// The draw must not drift towards questions that anything answers.
	if n >= 100 && !t.Failed() && (overflows < int(n)/100 || large < int(n)/10) {
		t.Errorf("of %d questions %d overflow and %d have more than 10 groups", n, overflows, large)
	}
}

// TestOracleLarge asks about inputs of several morsels and tens of thousands
// of groups, where the engine works in other ways than on a few.
func TestOracleLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("the oracle takes seconds for these")
	}
	t.Parallel()
	large := 0
	for seed := uint64(1_000_000); large < 2 && !t.Failed(); seed++ {
		if groups, _ := askOracle(t, seed, 150_000); groups > 10_000 {
			large++
		}
	}
}

// askOracle runs one case and returns how many groups it has, and whether one
// of them overflows.
func askOracle(t *testing.T, seed uint64, maxRows int) (int, bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	s := randomStream(rng, []int{0, 3, 30, 300, maxRows}[rng.IntN(5)])
	flags, q := randomQuestionOf(rng, s, func(*groupby.Function) bool { return true })
	parts := s.Parts(rng, 1+rng.IntN(3))
	o := &oracle{fields: s.Fields} // with the rows in the order of the inputs
	for _, part := range parts {
		o.rows = append(o.rows, part.Rows()...)
	}
	if len(q.columns) == 0 {
		return 0, false // nothing to group by and nothing to aggregate
	}
	want, overflow := o.answer(q)

	dir := t.TempDir()
	names := []string{}
	for i, part := range parts {
		name := filepath.Join(dir, fmt.Sprintf("%d", i))
		writeFile(t, name, randomEncoding(rng, widened(rng, part)))
		names = append(names, name)
	}
	args := append([]string{"-f", "csv", fmt.Sprint("-j", 1+rng.IntN(3))}, append(flags, names...)...)
	got := runWith(nil, args...)

	command := "arrowagg " + strings.ReplaceAll(strings.Join(args, " "), dir+"/", "")
	describe := func() string {
		return fmt.Sprintf("-oracle.first %d -oracle.count 1: %s\n%s", seed, command, (&arrowtest.Stream{Fields: s.Fields}).String())
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
	return len(o.groups), overflow != nil
}

// widened gives integers their widest type, at times: text says the same of
// all widths, and inputs of several meet in one column.
func widened(rng *rand.Rand, s *arrowtest.Stream) *arrowtest.Stream {
	if rng.IntN(3) > 0 {
		return s
	}
	return s.Retype(func(f arrow.Field) arrow.DataType {
		switch {
		case arrow.IsSignedInteger(f.Type.ID()):
			return arrow.PrimitiveTypes.Int64
		case arrow.IsUnsignedInteger(f.Type.ID()):
			return arrow.PrimitiveTypes.Uint64
		}
		return f.Type
	})
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
	e := arrowtest.Encoding{Codec: pick(rng, "none", "lz4", "zstd"), File: rng.IntN(4) == 0}
	if !e.File && rng.IntN(2) == 0 {
		s, e.Deltas = s.GrowingDictionaries(), rng.IntN(2) == 0
	}
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
