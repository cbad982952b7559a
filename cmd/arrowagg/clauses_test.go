package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"arrowagg/internal/arrowtest"
)

// TestClausesEquivalences: what is filtered, ordered and cut does not depend on
// how the rows come, either.
func TestClausesEquivalences(t *testing.T) {
	t.Parallel()
	rounds := uint64(8)
	if testing.Short() {
		rounds = 2
	}
	for seed := uint64(1); seed <= rounds; seed++ {
		rng := rand.New(rand.NewPCG(seed, 8))
		b := &bench{t: t, rng: rng, dir: t.TempDir(), stream: randomStream(rng, 300)}
		flags, q := randomQuestion(rng, b.stream)
		if len(q.columns) == 0 {
			continue
		}
		p := randomPredicate(rng, b.stream.Fields, b.stream.Rows(), 2)
		o := &oracle{fields: b.stream.Fields, rows: b.stream.Rows()}
		o.rows = slices.DeleteFunc(o.rows, func(r arrowtest.Row) bool { return p.test(r) != yes })
		bucketed(rng, o, &q, flags)
		text, _ := o.answer(q)
		result := newShownResult(o, q, text)
		b.flags = slices.Concat(flags, []string{"-w", p.text}, result.arranged(rng))
		want := map[string]outcome{}
		for _, format := range []string{"csv", "arrows"} {
			want[format] = b.ask(format, b.plain(b.stream)...)
		}
		for _, v := range variants {
			for format, want := range want {
				got := b.ask(format, v.args(b)...)
				if got.code != want.code || got.stdout != want.stdout {
					t.Errorf("seed %d, %s %q, %s: exit %d, want %d\n%s\n%s", seed, format, b.flags, v.name,
						got.code, want.code, got.stderr, firstDifference(got.stdout, want.stdout))
				}
			}
		}
	}
}

// TestClausesOfLateStreams: a stream that appears while a pipe is read meets
// the same filter and the same computed keys, and may widen what is summed.
func TestClausesOfLateStreams(t *testing.T) {
	t.Parallel()
	streams := []string{
		"host utf8 | ts timestamp[ms, UTC] | status int16 | x int32\na | 2024-01-01T00:00:00.5 | 500 | 1\nb | 2024-01-01T01:00:00 | 200 | 2\n",
		"x int64 | status int8 | ts timestamp[s, UTC] | host utf8_view\n9000000000 | 100 | 2024-01-01T00:30:00 | a\n4 | null | null | b\n",
		"status float64 | host dictionary<int8, utf8> | ts timestamp[ms, Etc/UTC] | x float64\n499.5 | a | 2024-01-01T00:59:59 | 0.5\n501 | b | 2024-01-01T01:59:59 | 0.25\n",
	}
	b := &bench{t: t, dir: t.TempDir(), flags: []string{
		"-g", "date_trunc(hour, ts), host", "-a", "sum(x), count(*)", "-w", "status <> 499.5 and host in ('a', 'b')",
		"--having", "count(*) > 0 and x_sum > 0", "-s", "x_sum desc",
	}}
	var all []byte
	var names []string
	for _, text := range streams {
		content := arrowtest.Must(text).MustEncode(arrowtest.Encoding{})
		all = append(all, content...)
		names = append(names, b.write(content))
	}
	want := b.ask("csv", names...)
	if lines := strings.Count(want.stdout, "\n"); want.code != exitDone || lines != 3 {
		t.Fatalf("got %v", want)
	}
	if got := b.ask("csv", b.pipe(all)); got != want {
		t.Errorf("late: %v\nfrom files: %v", got, want)
	}
	// With the source among the keys, all is of one input.
	b.flags = append([]string{"--source", "worker"}, b.flags...)
	name := b.write(all)
	got := b.ask("csv", name)
	if got.code != exitDone || strings.Count(got.stdout, name) != 2 {
		t.Errorf("got %v", got)
	}
}

// TestRowsOfNothing: a batch may have any number of rows without data. What is
// asked of them is asked once.
func TestRowsOfNothing(t *testing.T) {
	t.Parallel()
	const rows = 1_000_000_000_000_000
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.Null, Nullable: true}}, nil)
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema))
	if err := w.Write(array.NewRecordBatch(schema, []arrow.Array{array.NewNull(rows)}, rows)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "nothing")
	writeFile(t, name, out.Bytes())
	for _, c := range []struct {
		want string
		args []string
	}{
		{"count\n1000000000000000\n", []string{"--no-keys", "-w", "x is null"}},
		{"count\n0\n", []string{"--no-keys", "-w", "x = 1"}},
		{"count\n0\n", []string{"--no-keys", "-w", "not x = 1"}},
		{"worker,count\n" + name + ",1000000000000000\n", []string{"-g", "worker", "--source", "worker", "-w", "x is null"}},
		{"worker,count\n", []string{"-g", "worker", "--source", "worker", "-w", "x > 1"}},
	} {
		begun := time.Now()
		got := runWith(nil, slices.Concat([]string{"-q", "-f", "csv", "-a", "count(*)"}, c.args, []string{name})...)
		if got.code != exitDone || got.stdout != c.want {
			t.Errorf("%q: %v, want %s", c.args, got, c.want)
		}
		if took := time.Since(begun); took > 30*time.Second {
			t.Errorf("%q took %v", c.args, took)
		}
	}
}

// TestColumnsThatNothingNeeds are neither decompressed nor validated: what lies
// there instead of compressed bytes is of no consequence until somebody asks.
func TestColumnsThatNothingNeeds(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("junk int64 | k utf8 | x int64\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "%d | k%d | 1\n", i, i%2)
	}
	content := arrowtest.Must(text.String()).MustEncode(arrowtest.Encoding{Codec: "zstd"})
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd} // with which every compressed buffer begins, junk's the first
	at := bytes.Index(content, frame)
	if bytes.Count(content, frame) < 3 || at < 0 {
		t.Fatal("the buffers are not compressed")
	}
	copy(content[at:], "gone")
	name := filepath.Join(t.TempDir(), "damaged")
	writeFile(t, name, content)
	ask := func(args ...string) outcome {
		return runWith(nil, append([]string{"-f", "csv", "-g", "k", "-a", "sum(x)", name}, args...)...)
	}
	const want = "k,x_sum\nk0,500\nk1,500\n"
	for _, args := range [][]string{nil, {"-w", "x = 1"}, {"-w", "k like 'k%'", "-s", "x_sum"}, {"--source", "s", "-g", "s", "-n", "2"}} {
		if got := ask(args...); got.code != exitDone || !strings.Contains(got.stdout, "k0,") {
			t.Errorf("%q: %v", args, got)
		} else if args == nil && got.stdout != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	for _, args := range [][]string{{"-w", "junk >= 0"}, {"-g", "cast(junk as int32)"}, {"-a", "max(junk)"}} {
		if got := ask(args...); got.code != exitInput || got.stdout != "" || !strings.Contains(got.stderr, `column "junk"`) {
			t.Errorf("%q: %v", args, got)
		}
	}
}
