//go:build linux

package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"arrowagg/internal/arena"
	"arrowagg/internal/arrowtest"
)

// TestRunsLeaveNothing: however a run ends, nothing of it is left in the process,
// which tests and fuzzing send tens of thousands of runs through. It runs beside
// no other test.
func TestRunsLeaveNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector's memory is part of what it measures")
	}
	const runs = 8
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		name = filepath.Join(dir, name)
		writeFile(t, name, content)
		return name
	}
	stream := arrowtest.Must("host utf8 | minute timestamp[s,UTC] | bytes_sum int64 | lat_max float64 | load float64\n" +
		hostRows(rand.New(rand.NewPCG(1, 30)), 6000)).Recut(700)
	plain := stream.MustEncode(arrowtest.Encoding{})
	whole, zstd, lz4 := write("whole", plain), write("zstd", stream.MustEncode(arrowtest.Encoding{Codec: "zstd"})),
		write("lz4", stream.MustEncode(arrowtest.Encoding{Codec: "lz4"}))
	cut := write("cut", plain[:len(plain)*9/10])
	overflow := write("overflow", arrowtest.Must("k utf8 | v_sum int64\na | 9223372036854775807\na | 1\n").MustEncode(arrowtest.Encoding{}))
	piped := func(content []byte) {
		r, w, err := os.Pipe()
		must(err)
		fed := make(chan struct{})
		go func() {
			defer close(fed)
			w.Write(content)
			w.Close()
		}()
		runWith(r, "-f", "csv", "-")
		r.Close()
		<-fed
	}
	writeTo := func(w io.Writer) {
		null, err := os.Open(os.DevNull)
		must(err)
		defer null.Close()
		run([]string{"-f", "csv", whole}, console{stdin: null, stdout: w, stderr: io.Discard})
	}
	holistic := []string{"-f", "csv", "-g", "host", "-a", "median(load), count_distinct(minute)"}
	for _, kind := range []struct {
		name string
		run  func()
	}{
		{"done", func() { runWith(nil, "-f", "csv", whole) }},
		{"zstd", func() { runWith(nil, "-f", "csv", zstd) }},
		{"lz4", func() { runWith(nil, "-f", "table", lz4) }},
		{"cut file", func() { runWith(nil, "-f", "csv", whole, cut) }},
		{"whole pipe", func() { piped(plain) }},
		{"cut pipe", func() { piped(plain[:len(plain)*9/10]) }},
		{"overflow", func() { runWith(nil, "-f", "csv", overflow) }},
		{"strict", func() { runWith(nil, "--strict", "-f", "csv", "--allow", "summed-by-default", whole, whole) }},
		{"usage", func() { runWith(nil, "-f", "csv", "-g", "nothing", whole) }},
		{"help", func() { runWith(nil, "--help") }},
		{"failed write", func() { writeTo(&failingWriter{100}) }},
		{"multisets", func() { runWith(nil, append(holistic, whole)...) }},
		{"spilled", func() { runSpilling(everyFrame(2), dir, append(holistic, whole)...) }},
		{"spilled, cut", func() { runSpilling(everyFrame(2), dir, "-f", "csv", whole, cut) }},
		{"crowded", func() { runSpilling(fewNumbers(2, 1000), dir, "-f", "csv", whole) }},
		{"statistics", func() { runWith(nil, "--stats-json", "--progress", "always", "-f", "csv", whole) }},
	} {
		kind.run() // what is made once
		before := held()
		for range runs {
			kind.run()
		}
		after := held()
		for range 100 { // goroutines may still be on their way out
			if after.goroutines <= before.goroutines {
				break
			}
			time.Sleep(10 * time.Millisecond)
			after.goroutines = runtime.NumGoroutine()
		}
		const chance = 96 << 10
		if after.outside > before.outside || after.heap > before.heap+chance || after.files > before.files ||
			after.goroutines > before.goroutines || after.resident > before.resident+(16<<20) {
			t.Errorf("%s: %v, and after %d runs more %v", kind.name, before, runs, after)
		}
	}
}

// holdings are what the process has.
type holdings struct {
	resident, heap, outside int64 // bytes: of no file; of live objects; of arenas
	goroutines, files       int
}

func (h holdings) String() string {
	return fmt.Sprintf("%d KiB resident, %d KiB on the heap, %d KiB in arenas, %d goroutines, %d files",
		h.resident>>10, h.heap>>10, h.outside>>10, h.goroutines, h.files)
}

func held() holdings {
	runtime.GC() // pools are emptied in two steps
	runtime.GC()
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	files, err := os.ReadDir("/proc/self/fd")
	must(err)
	return holdings{ownMemory(), int64(m.HeapAlloc), heldByArenas(), runtime.NumGoroutine(), len(files)}
}

// heldByArenas asks an arena's watcher.
func heldByArenas() int64 {
	var last atomic.Int64
	arena.Watch(func(held int64) { last.Store(held) })
	defer arena.Watch(func(int64) {})
	var a arena.Arena
	a.Get(1)
	a.Close()
	return last.Load()
}
