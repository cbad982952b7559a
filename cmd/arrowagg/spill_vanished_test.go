//go:build unix

package main

import (
	"path/filepath"
	"testing"

	"arrowagg/internal/spill"
)

// TestNoWorkerOutlivesTheEngines: when groups cannot be put aside, the engines
// and their memory are gone, and workers that were about to take a frame must
// not touch them.
func TestNoWorkerOutlivesTheEngines(t *testing.T) {
	b := &bench{t: t, dir: t.TempDir()}
	var names []string
	for _, stream := range large().streams {
		names = append(names, b.write(stream))
	}
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	how := &spilling{hold: 4 << 20, Options: spill.Options{Threads: 8, Budget: 8 << 20}}
	for range 4 {
		wantLimit(t, runSpilling(how, "", append(names, "-j", "8", "-f", "csv")...), missing)
	}
}
