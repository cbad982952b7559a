package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/groupby"
	"arrowagg/internal/spill"
)

// everyFrame spills after every frame, in small batches, and merges few runs at
// a time, so that little input goes every way.
func everyFrame(threads int) *spilling {
	return &spilling{hold: -1, rows: 100, Options: spill.Options{Threads: threads, Budget: 64 << 20, BatchRows: 16, RangeRows: 50, FanIn: 3}}
}

// fewNumbers puts groups aside when an engine has given so many numbers, whatever
// memory there is.
func fewNumbers(threads int, most uint32) *spilling {
	how := everyFrame(threads)
	how.hold, how.Numbers = math.MaxInt64, most
	return how
}

// runSpilling is runWith for a run that spills so.
func runSpilling(how *spilling, dir string, args ...string) outcome {
	null, err := os.Open(os.DevNull)
	if err != nil {
		panic(err)
	}
	defer null.Close()
	var stdout, stderr bytes.Buffer
	args = append([]string{"--allow", "temp-dir-in-memory"}, args...)
	if dir != "" {
		args = append([]string{"--temp-dir", dir}, args...)
	}
	code := run(args, console{stdin: null, stdout: &stdout, stderr: &stderr, spilling: how})
	return outcome{code, stdout.String(), stderr.String()}
}

// wantEmpty fails if a temporary file is left.
func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left {
		t.Errorf("%s is left", f.Name())
	}
}

// TestSpillingDoesNotShow: a run that spills after every frame gives the bytes
// of one that does not, errors included, as values and as states.
func TestSpillingDoesNotShow(t *testing.T) {
	t.Parallel()
	rounds := uint64(60)
	if testing.Short() {
		rounds = 12
	}
	for seed := uint64(1); seed <= rounds; seed++ {
		rng := rand.New(rand.NewPCG(seed, 21))
		b := &bench{t: t, rng: rng, dir: t.TempDir(), stream: randomStream(rng, 600)}
		b.flags, _ = randomQuestion(rng, b.stream)
		names := b.plain(b.stream.Recut(1+rng.IntN(200)).Parts(rng, 1+rng.IntN(4))...)
		temp := t.TempDir()
		ways := [][]string{{"-f", "csv"}, {"-f", "arrows"}, {"-f", "table"}, {"--partial"}}
		header, _, _ := strings.Cut(runWith(nil, slices.Concat(ways[0], b.flags, names)...).stdout, "\n")
		if column, _, ok := strings.Cut(header, ","); ok {
			ways = append(ways, []string{"-f", "csv", "-s", column + " desc"}, []string{"-f", "table", "-s", column},
				[]string{"-f", "arrows", "-s", column, "-n", "40"}, []string{"-f", "table", "--having", column + " is not null"},
				[]string{"-f", "csv", "-n", "7"})
		}
		for _, as := range ways {
			args := slices.Concat(as, b.flags, names)
			want := runWith(nil, args...)
			threads := 1 + rng.IntN(3)
			got := runSpilling(everyFrame(threads), temp, slices.Concat([]string{"-j", fmt.Sprint(threads)}, args)...)
			if got != want {
				t.Errorf("seed %d, %s: exit %d, want %d\n%s%s\n%s", seed, strings.Join(args, " "),
					got.code, want.code, got.stderr, want.stderr, firstDifference(got.stdout, want.stdout))
			}
		}
		wantEmpty(t, temp)
	}
}

// TestHundredRuns: a hundred runs and more, merged two at a time: the same
// bytes, after several passes.
func TestHundredRuns(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 22))
	b := &bench{t: t, rng: rng, dir: t.TempDir(), stream: arrowtest.Must(
		"host utf8 | minute timestamp[s,UTC] | bytes_sum int64 | lat_max float64 | load float64\n" + hostRows(rng, 6000))}
	name := b.plain(b.stream.Recut(50))[0]
	want := runWith(nil, "-f", "csv", name)
	temp := t.TempDir()
	how := everyFrame(1)
	how.FanIn = 2
	got := runSpilling(how, temp, "-j", "1", "-f", "csv", "--stats-json", name)
	if got.code != exitDone || got.stdout != want.stdout {
		t.Fatalf("exit %d: %s%s", got.code, got.stderr, firstDifference(got.stdout, want.stdout))
	}
	var files, passes int
	_, figures, _ := strings.Cut(got.stderr, `"spill_files"`)
	if _, err := fmt.Sscanf(figures, `: %d, "spill_passes": %d`, &files, &passes); err != nil || files < 200 || passes < 6 {
		t.Errorf("%d files in %d passes (%v), want more than 200 in more than 6: %s", files, passes, err, got.stderr)
	}
	wantEmpty(t, temp)
}

// hostRows are rows of about half as many groups.
func hostRows(rng *rand.Rand, n int) string {
	var text strings.Builder
	for range n {
		fmt.Fprintf(&text, "host-%d | 2024-01-01T00:%02d:00Z | %d | %d.5 | 0.1\n",
			rng.IntN(n/20), rng.IntN(20), rng.IntN(1000), rng.IntN(100))
	}
	return text.String()
}

// TestEveryFunctionSpills: every function over every type that it takes, by keys
// of every type, gives spilled what it gives in memory.
func TestEveryFunctionSpills(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 26))
	b := &bench{t: t, rng: rng, dir: t.TempDir(), stream: rowsOfEveryType(rng, 400)}
	parts := b.stream.Parts(rng, 2)
	names := b.plain(parts[0].Recut(30), parts[1].Recut(30))
	calls := everyCall(t, names[0], func(*groupby.Function) bool { return true })
	temp := t.TempDir()
	sets := [][]string{{"-g", "s,t"}, {"--no-keys"}, {"-g", "k"}, {"-g", "f,h"}, {"-g", "d,y,b"}, {"-g", "i"}}
	if testing.Short() {
		sets = sets[:2]
	}
	for _, keys := range sets {
		for part := range slices.Chunk(calls, 70) {
			args := slices.Concat([]string{"-f", "csv", "-a", strings.Join(part, ", ")}, keys, names)
			want := runWith(nil, args...)
			if want.code != exitDone {
				t.Fatalf("%v: %v", keys, want)
			}
			ways := map[string]*spilling{"every frame": everyFrame(2)}
			if len(keys) == 1 || keys[1] == "s,t" {
				ways["numbers run out"] = fewNumbers(2, 2500)
			}
			for name, how := range ways {
				if got := runSpilling(how, temp, args...); got != want {
					t.Errorf("%s, %v: exit %d %s%s", name, keys, got.code, got.stderr, firstDifference(got.stdout, want.stdout))
				}
			}
		}
	}
	wantEmpty(t, temp)
}
