package main

import (
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
)

// TestNumbersRunOut: an engine that runs out of numbers for codes, groups and
// rows is put aside like one that fills the memory. Only where one batch has more
// than there are, the run ends, and says where.
func TestNumbersRunOut(t *testing.T) {
	t.Parallel()
	name := spillInput(t, 4000) // 200 hosts, in batches of 400
	want := runWith(nil, "-f", "csv", name)
	for _, threads := range []int{1, 3} {
		dir := t.TempDir()
		got := runSpilling(fewNumbers(threads, 300), dir, "--stats-json", "-f", "csv", name)
		if got.code != exitDone || got.stdout != want.stdout {
			t.Errorf("%d threads: exit %d %s%s", threads, got.code, got.stderr, firstDifference(got.stdout, want.stdout))
		}
		if !strings.Contains(got.stderr, `"spill_files": `) || strings.Contains(got.stderr, `"spill_files": 0,`) {
			t.Errorf("%d threads: nothing was spilled: %s", threads, got.stderr)
		}
		wantEmpty(t, dir)
	}
	b := &bench{t: t, dir: t.TempDir(), stream: arrowtest.Must("k utf8 | v int64\na | 1\nb | 2\na | 3\nc | 4\nd | 5\n")}
	file := b.plain(b.stream.Recut(1, 4))[0]
	got := runSpilling(fewNumbers(1, 2), t.TempDir(), "-f", "csv", file)
	text := "arrowagg: " + file + `: batch 2, row 3: column "k": more than 2 distinct values at once` + "\n"
	if got != (outcome{exitLimit, "", text}) {
		t.Errorf("a batch that does not fit: %v, want %q", got, text)
	}
}
