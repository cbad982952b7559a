package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"arrowagg/internal/arrowtest"
)

// faultStream has what a stream can have in the way of messages: a schema,
// dictionaries, a delta, batches, an end marker.
var faultStream = arrowtest.Must(`
	k dictionary<int8, utf8> | v_sum int64
	--- k=["a", "b"]
	a                        | 1
	b                        | 2
	--- k=["a", "b", "c"]
	c                        | 4
	null                     | null
`)

// faultBytes encodes it; in the file format with one dictionary, as that wants.
func faultBytes(e arrowtest.Encoding) []byte {
	if e.File {
		return faultStream.Recut(2).MustEncode(e)
	}
	return faultStream.MustEncode(e)
}

// stride is 1, for every byte; short runs take every seventh.
func stride() int {
	if testing.Short() {
		return 7
	}
	return 1
}

// TestEveryTruncation cuts streams and files after every byte. Either the run
// fails, names the input and leaves stdout empty, or the cut is between two
// messages: then the rows before it count, with a warning.
func TestEveryTruncation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, e := range []arrowtest.Encoding{{Deltas: true}, {Codec: "zstd"}, {File: true}} {
		whole := faultBytes(e)
		boundaries := 0
		for n := 0; n < len(whole); n += stride() {
			name := filepath.Join(dir, "cut.arrows")
			writeFile(t, name, whole[:n])
			got := runWith(nil, "-f", "csv", name)
			switch {
			case got.code == exitInput && got.stdout == "" && strings.Contains(got.stderr, "cut.arrows: "):
			case got.code == exitDone && strings.Contains(got.stderr, "[no-end-marker]") && !e.File:
				boundaries++
				if !strings.HasPrefix(got.stdout, "k,v_sum\n") {
					t.Errorf("%+v, %d of %d bytes: %v", e, n, len(whole), got)
				}
			default:
				t.Errorf("%+v, %d of %d bytes: %v", e, n, len(whole), got)
			}
		}
		// Dictionary messages are messages too, but one without its batch is no
		// loss of rows; what may pass is few.
		if boundaries > 6 {
			t.Errorf("%+v: %d cuts passed", e, boundaries)
		}
	}
}

// TestEveryTruncationOfAPipe is the same through a pipe, which has no size.
func TestEveryTruncationOfAPipe(t *testing.T) {
	t.Parallel()
	b := &bench{t: t}
	for _, e := range []arrowtest.Encoding{{Deltas: true}, {File: true}} {
		whole := faultBytes(e)
		for n := 0; n < len(whole); n += stride() {
			got := runWith(b.feed(whole[:n]), "-f", "csv", "-")
			failed := got.code == exitInput && got.stdout == "" && strings.Contains(got.stderr, "standard input: ")
			warned := got.code == exitDone && strings.Contains(got.stderr, "[no-end-marker]") && !e.File
			if !failed && !warned {
				t.Errorf("%+v, %d of %d bytes: %v", e, n, len(whole), got)
			}
		}
	}
}

// TestErrorAlwaysWins: one bad input among good ones fails every run, however
// its error and the end of the others race.
func TestErrorAlwaysWins(t *testing.T) {
	t.Parallel()
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	b := &bench{t: t, dir: t.TempDir()}
	good := faultStream.MustEncode(arrowtest.Encoding{})
	const endMarker = 8 // bytes
	names := []string{b.write(good), b.write(good), b.write(good)}
	for i := range rounds {
		bad := b.pipe(good[:len(good)-endMarker-1-i%16]) // within the last batch's body
		got := runWith(nil, "-f", "csv", fmt.Sprint("-j", 1+i%8), "--buffer", fmt.Sprint(1+i%3),
			"--allow", "same-input-twice", names[0], bad, names[1], names[2])
		if got.code != exitInput || got.stdout != "" || !strings.Contains(got.stderr, "input 2 (/dev/fd/") {
			t.Fatalf("round %d: %v", i, got)
		}
	}
}

// failingWriter takes n bytes and no more.
type failingWriter struct{ left int }

var errNoSpace = errors.New("no space left on device")

func (w *failingWriter) Write(b []byte) (int, error) {
	if len(b) > w.left {
		n := w.left
		w.left = 0
		return n, errNoSpace
	}
	w.left -= len(b)
	return len(b), nil
}

// TestEveryFailedWrite lets standard output fail after every byte, in every
// format: the run ends with exit 1 and says so.
func TestEveryFailedWrite(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "a.arrows")
	writeFile(t, name, faultStream.MustEncode(arrowtest.Encoding{}))
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, format := range formatNames() {
		whole := runWith(null, "-f", format, name)
		if whole.code != exitDone {
			t.Fatalf("%s: %v", format, whole)
		}
		for n := 0; n < len(whole.stdout); n += stride() {
			var stderr bytes.Buffer
			code := run([]string{"-f", format, name}, console{stdin: null, stdout: &failingWriter{n}, stderr: &stderr})
			if code != exitInput || !strings.Contains(stderr.String(), errNoSpace.Error()) {
				t.Errorf("%s, %d bytes written: exit %d, %s", format, n, code, &stderr)
			}
		}
	}
}

// TestNothingIsLeftBehind: neither goroutines nor files outlive a run, good or bad.
func TestNothingIsLeftBehind(t *testing.T) {
	b := &bench{t: t, dir: t.TempDir()}
	good := faultStream.MustEncode(arrowtest.Encoding{Codec: "zstd"})
	a, cut := b.write(good), b.write(good[:len(good)-20])
	tmp := t.TempDir()
	before := runtime.NumGoroutine()
	for range 20 {
		for _, args := range [][]string{
			{a},
			{a, cut},
			{cut, a, "nope"},
			{"-g", "nope", a},
			{"-f", "arrow", a},
			{b.pipe(good)},
			{b.pipe(good[:200]), a},
			{"-o", filepath.Join(tmp, "out.csv"), a},
			{"-o", filepath.Join(tmp, "bad.csv"), a, cut},
		} {
			runWith(nil, append([]string{"--temp-dir", tmp, "--allow", "same-input-twice"}, args...)...)
		}
	}
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before {
		stacks := make([]byte, 1<<16)
		t.Errorf("%d goroutines, %d before\n%s", after, before, stacks[:runtime.Stack(stacks, true)])
	}
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) != 1 || left[0].Name() != "out.csv" {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
