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

// everyType is a header with a column of every kind of argument.
const everyType = "k utf8 | i int32 | f float64 | h float32 | s utf8 | b bool | d decimal128(20, 2) | t timestamp[ms, UTC] | y binary"

// rowsOfEveryType draws rows under everyType: few values of each, so that there
// are ties, and nulls.
func rowsOfEveryType(rng *rand.Rand, n int) *arrowtest.Stream {
	var text strings.Builder
	text.WriteString(everyType + "\n")
	float := func() string {
		return pick(rng, "0.0", "-0.0", "1.5", "-2.25", "NaN", "inf", "-inf", fmt.Sprintf("%.1f", rng.NormFloat64()))
	}
	cell := func(draw func() string) string {
		if rng.IntN(5) == 0 {
			return "null"
		}
		return draw()
	}
	for range n {
		fmt.Fprintln(&text, strings.Join([]string{
			cell(func() string { return pick(rng, "p", "q", "r") }),
			cell(func() string { return fmt.Sprint(rng.IntN(9) - 4) }),
			cell(float), cell(float),
			cell(func() string { return pick(rng, `""`, "a", "ab", "b", "long enough to lie in a heap") }),
			cell(func() string { return pick(rng, "true", "false") }),
			cell(func() string { return fmt.Sprintf("%d.%02d", rng.IntN(5), rng.IntN(100)) }),
			cell(func() string { return fmt.Sprintf("2024-05-01T12:00:%02d.000Z", rng.IntN(20)) }),
			cell(func() string { return pick(rng, `\x00`, `\x0000`, `\x01ff`) }),
		}, " | "))
	}
	return arrowtest.Must(text.String())
}

// everyCall is every function of the table over every choice of columns that it
// takes.
func everyCall(t *testing.T, input string, holds func(*groupby.Function) bool) (calls []string) {
	t.Helper()
	columns := []string{"i", "f", "h", "s", "b", "d", "t", "y"}
	for k := range groupby.Functions {
		f := &groupby.Functions[k]
		if !holds(f) {
			continue
		}
		choices, found := []string{""}, len(calls)
		for range f.MaxArguments {
			var longer []string
			for _, c := range choices {
				for _, column := range columns {
					longer = append(longer, strings.TrimPrefix(c+", "+column, ", "))
				}
			}
			choices = longer
		}
		for _, c := range choices {
			call := callOf(f, c)
			if runWith(nil, "-g", "k", "-a", call, "--explain", "-q", input).code == exitDone {
				calls = append(calls, fmt.Sprintf("%s as c%d", call, len(calls)))
			}
		}
		if len(calls) == found {
			t.Errorf("no call of %s was found", f.Name)
		}
	}
	return calls
}

// holistic are the functions that have no partial results.
var holistic = map[string]bool{"count_distinct": true, "median": true, "quantile": true}

// TestNoPartialResults: what needs all values at once is refused before a row is
// read.
func TestNoPartialResults(t *testing.T) {
	t.Parallel()
	b := &bench{t: t, rng: rand.New(rand.NewPCG(1, 1)), dir: t.TempDir()}
	input := b.plain(rowsOfEveryType(b.rng, 3))[0]
	calls := everyCall(t, input, func(f *groupby.Function) bool { return holistic[f.Name] })
	for _, call := range calls {
		function, _, _ := strings.Cut(call, "(")
		got := runWith(nil, "-g", "k", "-a", call, "--partial", "--shard", "1/1", input)
		if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, "there are no partial results of "+function) {
			t.Errorf("%s: %v", call, got)
		}
	}
}

// TestEveryFunctionShards: every function over every column that it takes, 16
// shards of it merged in any order and any tree, gives the bytes of one run.
func TestEveryFunctionShards(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 14))
	b := &bench{t: t, rng: rng, dir: t.TempDir()}
	few := b.plain(rowsOfEveryType(rng, 1))[0]
	calls := everyCall(t, few, func(f *groupby.Function) bool { return !holistic[f.Name] })
	rounds := 4
	if testing.Short() {
		rounds = 1
	}
	for round := range rounds {
		names := b.plain(rowsOfEveryType(rng, 300).Parts(rng, 20)...)
		keys := pick(rng, []string{"-g", "k"}, []string{"-g", "k, t"}, []string{"--no-keys"})
		b.flags = slices.Concat(keys, []string{"-a", strings.Join(calls, ", ")})
		const workers = 16
		var partials []string
		for i := 1; i <= workers; i++ {
			shard := []string{"--partial", "--shard", fmt.Sprintf("%d/%d", i, workers), "-j", fmt.Sprint(1 + rng.IntN(3))}
			partials = append(partials, b.step(slices.Concat(b.flags, shard, names)))
		}
		for len(partials) > 2 { // a random tree
			rng.Shuffle(len(partials), func(i, j int) { partials[i], partials[j] = partials[j], partials[i] })
			n := 1 + rng.IntN(min(5, len(partials)))
			partials = append(partials[n:], b.step(append([]string{"--partial"}, partials[:n]...)))
		}
		for _, format := range []string{"csv", "arrows"} {
			want := b.ask(format, names...)
			got := runWith(nil, slices.Concat([]string{"-f", format, "--expect", fmt.Sprint(workers)}, partials)...)
			if want.code != exitDone || got != want {
				t.Errorf("round %d, %s, %s: exit %d and %d\n%s%s\n%s", round, keys, format, got.code, want.code,
					got.stderr, want.stderr, firstDifference(got.stdout, want.stdout))
			}
		}
	}
}
