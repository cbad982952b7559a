package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
)

// spillInput is a file of so many rows, in several batches.
func spillInput(t *testing.T, rows int) string {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), stream: arrowtest.Must(
		"host utf8 | minute timestamp[s,UTC] | bytes_sum int64 | lat_max float64 | load float64\n" +
			hostRows(rand.New(rand.NewPCG(3, 23)), rows))}
	return b.plain(b.stream.Recut(rows / 10))[0]
}

// wantLimit fails unless the run ended for want of a temporary directory, with
// one clear line, its hint and nothing on standard output.
func wantLimit(t *testing.T, got outcome, texts ...string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(got.stderr, "\n"), "\n")
	if got.code != exitLimit || got.stdout != "" || len(lines) != 2 ||
		lines[1] != "hint: name another directory with --temp-dir" {
		t.Errorf("%v, want exit 3, a line and a hint", got)
	}
	for _, text := range texts {
		if !strings.Contains(lines[0], text) {
			t.Errorf("%q does not say %q", lines[0], text)
		}
	}
}

func TestTempDirIsLookedAtFirst(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing")
	wantLimit(t, runWith(nil, "--temp-dir", missing, "no-such-input"), missing, "no such file or directory")
	file := spillInput(t, 100)
	wantLimit(t, runWith(nil, "--temp-dir", file, file), file, "is not a directory")
}

// TestVanishedTempDir: the system's directory is looked at when it is needed.
func TestVanishedTempDir(t *testing.T) {
	name := spillInput(t, 1000)
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	if got := runWith(nil, "-f", "csv", name); got.code != exitDone {
		t.Errorf("nothing to spill: %v", got)
	}
	wantLimit(t, runSpilling(everyFrame(1), "", "-f", "csv", name), missing, "no such file or directory")
}

// disk is a small disk, if there can be one here.
func disk(t *testing.T, size string) string {
	t.Helper()
	dir := smallDisk(t, size)
	if dir == "" {
		t.Skip("file systems cannot be mounted here")
	}
	return dir
}

// TestFullTempDir: at whatever point the directory is full, the run says so and
// leaves nothing; where it is large enough, the output is what it always is.
func TestFullTempDir(t *testing.T) {
	t.Parallel()
	name := spillInput(t, 4000)
	want := runWith(nil, "-f", "csv", name)
	failed, done := 0, 0
	for _, size := range []string{"16k", "40k", "100k", "250k", "400k", "600k", "1m", "16m"} {
		dir := disk(t, size)
		got := runSpilling(everyFrame(2), dir, "-f", "csv", name)
		if got.code == exitDone {
			done++
			if got != want {
				t.Errorf("%s: %s", size, firstDifference(got.stdout, want.stdout))
			}
		} else {
			failed++
			wantLimit(t, got, "temporary directory "+dir)
		}
		wantEmpty(t, dir)
	}
	if failed < 3 || done == 0 {
		t.Errorf("%d runs failed and %d went well", failed, done)
	}
}

func TestReadOnlyTempDir(t *testing.T) {
	t.Parallel()
	name := spillInput(t, 1000)
	dir := disk(t, "1m,ro")
	wantLimit(t, runSpilling(everyFrame(1), dir, "-f", "csv", name), dir, "read-only file system")
}

// TestSpillingToMemory: a directory that lies in memory is worth a warning.
func TestSpillingToMemory(t *testing.T) {
	t.Parallel()
	name := spillInput(t, 100)
	dir := disk(t, "16m")
	if got := runSpilling(everyFrame(1), dir, "--strict", name); got.code != exitDone {
		t.Errorf("accepted, it is no error: %v", got)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var stdout, stderr strings.Builder
	run([]string{"--temp-dir", dir, name}, console{stdin: null, stdout: &stdout, stderr: &stderr, spilling: everyFrame(1)})
	want := "arrowagg: warning: temporary directory " + dir + " lies in memory"
	if !strings.HasPrefix(stderr.String(), want) || !strings.HasSuffix(stderr.String(), "[temp-dir-in-memory]\n") {
		t.Errorf("%q, want a warning", stderr.String())
	}
}

// TestSpillingWhileAnInputFails: what was put aside is gone, whatever else ends
// the run: a damaged input, a value that does not fit, a sum that overflows in
// the groups of a range.
func TestSpillingWhileAnInputFails(t *testing.T) {
	t.Parallel()
	name := spillInput(t, 2000)
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, dir: t.TempDir()}
	cut := b.write(content[:len(content)*2/3])
	b.stream = arrowtest.Must("k utf8 | v_sum int64\na | 9223372036854775807\nb | 1\nc | 2\na | 1\nb | 7\n")
	overflow := b.plain(b.stream.Recut(1))[0]
	temp := t.TempDir()
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{cut, name}, "truncated"},
		{[]string{overflow}, `sum for column "v_sum" does not fit int64 in group k=a`},
	} {
		want := runWith(nil, slices.Concat([]string{"-f", "csv"}, c.args)...)
		got := runSpilling(everyFrame(2), temp, slices.Concat([]string{"-f", "csv"}, c.args)...)
		if got != want || got.code != exitInput || !strings.Contains(got.stderr, c.says) {
			t.Errorf("%v, want %v", got, want)
		}
		wantEmpty(t, temp)
	}
}
