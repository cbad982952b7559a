package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/groupby"
)

// TestShardsMergeToTheSingleRun: a set of inputs dealt out to 16 workers, each
// with the same command line but for its number, and their partial results
// merged in any order, any tree and any number of threads, give the bytes of
// one run over all inputs, the errors of sums that do not fit included.
func TestShardsMergeToTheSingleRun(t *testing.T) {
	t.Parallel()
	rounds := uint64(20)
	if testing.Short() {
		rounds = 4
	}
	for seed := uint64(1); seed <= rounds; seed++ {
		rng := rand.New(rand.NewPCG(seed, 11))
		b := &bench{t: t, rng: rng, dir: t.TempDir(), stream: randomStream(rng, 400)}
		b.flags, _ = randomQuestionOf(rng, b.stream, func(f *groupby.Function) bool { return !holistic[f.Name] })
		names := b.plain(b.stream.Parts(rng, 1+rng.IntN(20))...)
		header, _, _ := strings.Cut(b.ask("csv", names...).stdout, "\n")
		shown := []string{}
		if column, _, ok := strings.Cut(header, ","); ok {
			shown = pick(rng, nil, []string{"-n", "3"}, []string{"-s", column + " desc"}, []string{"--having", column + " is not null"})
		}
		single := map[string]outcome{}
		for _, format := range []string{"csv", "arrows"} {
			single[format] = b.ask(format, slices.Concat(shown, names)...)
		}

		const workers = 16
		var partials []string
		for i := 1; i <= workers; i++ {
			shard := []string{"--partial", "--shard", fmt.Sprintf("%d/%d", i, workers)}
			partials = append(partials, b.step(slices.Concat(b.flags, shard, names)))
		}
		for len(partials) > 3 { // a random tree
			rng.Shuffle(len(partials), func(i, j int) { partials[i], partials[j] = partials[j], partials[i] })
			n := 1 + rng.IntN(4)
			merged := b.step(append([]string{"--partial", "-j", fmt.Sprint(1 + rng.IntN(3))}, partials[:n]...))
			partials = append(partials[n:], merged)
		}
		for format, want := range single {
			got := runWith(nil, slices.Concat([]string{"-f", format, "--expect", fmt.Sprint(workers)}, shown, partials)...)
			if got != want {
				t.Errorf("seed %d, %s %s: exit %d, want %d\n%s%s\n%s", seed, format, strings.Join(b.flags, " "),
					got.code, want.code, got.stderr, want.stderr, firstDifference(got.stdout, want.stdout))
			}
		}
		// The same flags again are no contradiction, and pipes are read too.
		piped := append([]string{}, partials[1:]...)
		if content := runWith(nil, append([]string{"--partial"}, partials[0])...); content.code == exitDone {
			piped = append(piped, b.pipe([]byte(content.stdout)))
			got := b.ask("csv", slices.Concat(shown, piped)...)
			if want := single["csv"]; got.code != want.code || got.stdout != want.stdout {
				t.Errorf("seed %d, piped: exit %d, want %d\n%s", seed, got.code, want.code, got.stderr)
			}
		}
	}
}

// step runs what must go well and returns the file that has its output.
func (b *bench) step(args []string) string {
	b.t.Helper()
	o := runWith(nil, args...)
	if o.code != exitDone {
		b.t.Fatalf("%s: exit %d\n%s", strings.Join(args, " "), o.code, o.stderr)
	}
	return b.write([]byte(o.stdout))
}

// TestDamagedPartials: a partial result cut anywhere, or with a byte changed,
// gives what the whole one gives, or an error; no panic, no other result.
func TestDamagedPartials(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 12))
	b := &bench{t: t, rng: rng, dir: t.TempDir()}
	b.stream = arrowtest.Must("k utf8 | v_sum int64 | w_sum float64 | x_max int32\n" +
		"a | 9223372036854775807 | 1e300 | 1\na | 5 | 1e-300 | 2\nb | null | 1e308 | null\nb | -3 | 1e308 | 7\n" +
		"c | 1 | inf | 3\nd | 2 | 1e-308 | 4\nd | 2 | 1e290 | 4\nd | 2 | 1.0 | 4\n")
	flags := []string{"-g", "k", "-a", "sum(w_sum), mean(v_sum), max(x_max), count(*)"}
	whole := runWith(nil, slices.Concat(flags, []string{"--partial"}, b.plain(b.stream))...)
	want := runWith(nil, slices.Concat(flags, []string{"-f", "csv"}, b.plain(b.stream))...)
	if whole.code != exitDone || want.code != exitDone {
		t.Fatal(whole.stderr, want.stderr)
	}
	content := []byte(whole.stdout)
	for n := 0; n < len(content); n += 1 + rng.IntN(9) {
		if got := runWith(nil, "-f", "csv", b.write(content[:n])); got.code != exitInput || got.stdout != "" {
			t.Errorf("cut at %d of %d: exit %d\n%s%s", n, len(content), got.code, got.stdout, got.stderr)
		}
	}
	for range 600 {
		damaged := slices.Clone(content)
		at := rng.IntN(len(damaged))
		damaged[at] ^= 1 << rng.IntN(8)
		got := runWith(nil, "-f", "csv", b.write(damaged))
		switch {
		case strings.Contains(got.stderr, "goroutine"):
			t.Fatalf("byte %d: %s", at, got.stderr)
		case got.code == exitDone && strings.Count(got.stdout, "\n") != strings.Count(want.stdout, "\n"):
			t.Errorf("byte %d: groups are lost or made up\n%s", at, got.stdout)
		case got.code != exitDone && got.stdout != "":
			t.Errorf("byte %d: exit %d with a result", at, got.code)
		}
	}
}
