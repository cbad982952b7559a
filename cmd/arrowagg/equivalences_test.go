package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
)

// The result is a function of the rows and the flags. Each equivalence writes
// the same rows in another way, or asks for them in another way, and must get
// the same bytes, as CSV and as Arrow.

// bench is one random input and the question that all its variants are asked.
type bench struct {
	t      *testing.T
	rng    *rand.Rand
	dir    string
	stream *arrowtest.Stream
	flags  []string
	files  int
}

// write puts the bytes into a new file and returns its name.
func (b *bench) write(content []byte) string {
	b.files++
	name := filepath.Join(b.dir, fmt.Sprintf("%04d", b.files))
	writeFile(b.t, name, content)
	return name
}

// plain writes streams without any encoding.
func (b *bench) plain(streams ...*arrowtest.Stream) []string {
	var names []string
	for _, s := range streams {
		names = append(names, b.write(s.MustEncode(arrowtest.Encoding{})))
	}
	return names
}

// variants are the equivalences: arguments that must give what the rows in one
// plain stream give.
var variants = []struct {
	name string
	args func(b *bench) []string
}{
	{"one row a batch", func(b *bench) []string { return b.plain(b.stream.Recut(1)) }},
	{"other batch cuts", func(b *bench) []string { return b.plain(b.stream.RecutAt(b.rng)) }},
	{"rows permuted", func(b *bench) []string { return b.plain(b.stream.Permute(b.rng)) }},
	{"dealt out to files", func(b *bench) []string { return b.plain(b.stream.Parts(b.rng, 4)...) }},
	{"files in another order", func(b *bench) []string {
		names := b.plain(b.stream.Parts(b.rng, 4)...)
		b.rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		return names
	}},
	{"slices with an offset", func(b *bench) []string {
		recs, err := b.stream.Recut(37).Slices(b.rng.IntN(20), b.rng.IntN(3))
		if err != nil {
			b.t.Fatal(err)
		}
		content, err := arrowtest.Encode(b.stream.Schema(), recs, arrowtest.Encoding{})
		if err != nil {
			b.t.Fatal(err)
		}
		return []string{b.write(content)}
	}},
	{"string views", func(b *bench) []string { return b.plain(b.stream.Retype(arrowtest.ToView)) }},
	{"large strings", func(b *bench) []string { return b.plain(b.stream.Retype(arrowtest.ToLarge)) }},
	{"run-end encoded", func(b *bench) []string { return b.plain(b.stream.Retype(arrowtest.ToRuns)) }},
	{"a dictionary per batch", func(b *bench) []string { return b.plain(dictionaries(b.stream.RecutAt(b.rng))) }},
	{"one dictionary", func(b *bench) []string {
		return b.plain(dictionaries(b.stream.RecutAt(b.rng)).SharedDictionaries())
	}},
	{"delta dictionaries", func(b *bench) []string {
		s := dictionaries(b.stream.RecutAt(b.rng)).GrowingDictionaries()
		return []string{b.write(s.MustEncode(arrowtest.Encoding{Deltas: true}))}
	}},
	{"every encoding at once", func(b *bench) []string {
		var names []string
		for _, part := range b.stream.Parts(b.rng, 5) {
			names = append(names, b.write(randomEncoding(b.rng, part)))
		}
		return names
	}},
	{"lz4", func(b *bench) []string { return b.encoded(arrowtest.Encoding{Codec: "lz4"}) }},
	{"zstd", func(b *bench) []string { return b.encoded(arrowtest.Encoding{Codec: "zstd"}) }},
	{"the file format", func(b *bench) []string { return b.encoded(arrowtest.Encoding{File: true, Codec: "lz4"}) }},
	{"streams one after the other", func(b *bench) []string {
		var all []byte
		for _, part := range b.stream.Parts(b.rng, 3) {
			all = append(all, part.MustEncode(arrowtest.Encoding{})...)
		}
		return []string{b.write(all)}
	}},
	{"standard input", func(b *bench) []string { return []string{"-"} }},
	{"pipes", func(b *bench) []string {
		var names []string
		for _, part := range b.stream.Parts(b.rng, 3) {
			names = append(names, b.pipe(part.RecutAt(b.rng).MustEncode(arrowtest.Encoding{})))
		}
		return names
	}},
	{"--buffer 1", func(b *bench) []string { return append(b.plain(b.stream.Recut(7)), "--buffer", "1") }},
	{"--buffer 2 -j 8", func(b *bench) []string { return append(b.plain(b.stream.Recut(7)), "--buffer", "2", "-j", "8") }},
	{"-j 1", func(b *bench) []string { return append(b.plain(b.stream.Recut(11)), "-j", "1") }},
	{"-j 2", func(b *bench) []string { return append(b.plain(b.stream.Recut(11)), "-j", "2") }},
	{"-j 5", func(b *bench) []string { return append(b.plain(b.stream.Recut(11)), "-j", "5") }},
	{"-j 8", func(b *bench) []string { return append(b.plain(b.stream.Recut(11)), "-j", "8") }},
}

func dictionaries(s *arrowtest.Stream) *arrowtest.Stream {
	return s.Retype(arrowtest.ToDictionary(arrow.PrimitiveTypes.Int32))
}

func (b *bench) encoded(e arrowtest.Encoding) []string {
	return []string{b.write(b.stream.RecutAt(b.rng).MustEncode(e))}
}

// pipe returns the name of a pipe that the bytes come out of.
func (b *bench) pipe(content []byte) string {
	r := b.feed(content)
	return fmt.Sprintf("/dev/fd/%d", r.Fd())
}

func (b *bench) feed(content []byte) *os.File {
	r, w, err := os.Pipe()
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { r.Close() })
	go func() {
		w.Write(content) // fails where the reader gives up, which the run reports
		w.Close()
	}()
	return r
}

// ask runs the bench's question over inputs, in a format.
func (b *bench) ask(format string, args ...string) outcome {
	var stdin *os.File
	if slices.Contains(args, "-") {
		stdin = b.feed(b.stream.MustEncode(arrowtest.Encoding{}))
	}
	return runWith(stdin, slices.Concat([]string{"-f", format}, b.flags, args)...)
}

func TestEquivalences(t *testing.T) {
	t.Parallel()
	rounds := uint64(12)
	if testing.Short() {
		rounds = 2
	}
	for seed := uint64(1); seed <= rounds; seed++ {
		rng := rand.New(rand.NewPCG(seed, 1))
		b := &bench{t: t, rng: rng, dir: t.TempDir(), stream: randomStream(rng, 300)}
		b.flags, _ = randomQuestion(rng, b.stream)
		want := map[string]outcome{}
		for _, format := range []string{"csv", "arrows"} {
			want[format] = b.ask(format, b.plain(b.stream)...)
		}
		for _, v := range variants {
			for format, want := range want {
				got := b.ask(format, v.args(b)...)
				if got.code != want.code || got.stdout != want.stdout {
					t.Errorf("seed %d, %s %s, %s: exit %d, want %d\n%s\n%s", seed, format, strings.Join(b.flags, " "),
						v.name, got.code, want.code, got.stderr, firstDifference(got.stdout, want.stdout))
				}
			}
		}
	}
}

// TestRepeatIsCopies: --repeat k is the same as naming the inputs k times.
func TestRepeatIsCopies(t *testing.T) {
	t.Parallel()
	for seed := uint64(1); seed <= 10; seed++ {
		rng := rand.New(rand.NewPCG(seed, 2))
		b := &bench{t: t, rng: rng, dir: t.TempDir(), stream: randomStream(rng, 100)}
		b.flags, _ = randomQuestion(rng, b.stream)
		k := 1 + rng.IntN(5)
		names := b.plain(b.stream.Parts(rng, 2)...)
		repeated := b.ask("csv", append(names, "--repeat", fmt.Sprint(k))...)
		copies := b.ask("csv", append(slices.Repeat(names, k), "--allow", "same-input-twice")...)
		if repeated != copies {
			t.Errorf("seed %d: --repeat %d %s\n%v\nbut %d copies\n%v", seed, k, b.flags, repeated, k, copies)
		}
	}
}

// TestClosedUnderItself: a result merged with more inputs is the result of
// all, and merging a result alone changes nothing. Float sums are left out:
// rounding in between may show.
func TestClosedUnderItself(t *testing.T) {
	t.Parallel()
	rounds := uint64(60)
	if testing.Short() {
		rounds = 10
	}
	for seed := uint64(1); seed <= rounds; seed++ {
		rng := rand.New(rand.NewPCG(seed, 3))
		s := randomStream(rng, 200)
		var names []string
		for _, f := range s.Fields {
			if !arrow.IsFloating(f.Type.ID()) || strings.HasSuffix(f.Name, "_min") || strings.HasSuffix(f.Name, "_max") {
				names = append(names, f.Name)
			}
		}
		if len(names) == 0 {
			continue
		}
		b := &bench{t: t, rng: rng, dir: t.TempDir(), stream: s.Select(names...)}
		parts := b.plain(b.stream.Parts(rng, 3)...)
		all := b.ask("arrows", parts...)
		some := b.ask("arrows", parts[:2]...)
		if all.code != exitDone || some.code != exitDone {
			continue // a sum overflows, perhaps only on the way; the oracle judges that
		}
		first := b.write([]byte(some.stdout))
		if got := b.ask("arrows", first, parts[2]); got != all {
			t.Errorf("seed %d: agg(agg(a, b), c) is not agg(a, b, c): %v\n%s", seed, got, b.stream)
		}
		if got := b.ask("arrows", first); got != some {
			t.Errorf("seed %d: aggregating a result again changes it: %v\n%s", seed, got, b.stream)
		}
	}
}
