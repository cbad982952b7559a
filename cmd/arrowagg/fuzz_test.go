package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
)

// FuzzRun feeds whole runs with damaged inputs: from a file and from a pipe
// they end the same way, without a panic, with a short error and an empty
// stdout or with a result and no error.
func FuzzRun(f *testing.F) {
	for _, e := range []arrowtest.Encoding{{}, {Codec: "lz4"}, {Codec: "zstd"}, {Deltas: true}, {File: true}, {NoEndMarker: true}} {
		f.Add(faultBytes(e))
	}
	names, err := filepath.Glob("../../testdata/special/*.arrows")
	if err != nil || len(names) == 0 {
		f.Fatal("no seeds: ", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		name := filepath.Join(t.TempDir(), "input")
		writeFile(t, name, content)
		args := []string{"-f", "csv", "--max-buffer", "1MiB"}
		mapped := runWith(nil, append(args, name)...)
		b := &bench{t: t}
		piped := runWith(b.feed(content), append(args, "-")...)
		for _, got := range []outcome{mapped, piped} {
			switch {
			case got.code == exitDone:
			case got.code != exitInput && got.code != exitUsage && got.code != exitLimit:
				t.Errorf("%v", got)
			case got.stdout != "" || !strings.HasPrefix(got.stderr, "arrowagg: "):
				t.Errorf("an error beside a result, or none: %v", got)
			case strings.Count(got.stderr, "\n") > shownErrors+2 || len(got.stderr) > 20_000:
				t.Errorf("a long error: %v", got)
			case strings.Contains(got.stderr, "goroutine") || strings.Contains(got.stderr, "runtime error"):
				t.Errorf("a stack: %v", got)
			}
		}
		// Files are read to their end before the query meets their schemas, so of
		// two faults a pipe may tell the other one.
		if (mapped.code == exitDone) != (piped.code == exitDone) || mapped.stdout != piped.stdout {
			t.Errorf("from a file %v\nfrom a pipe %v", mapped, piped)
		}
	})
}
