//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// TestMemoryLimitHolds runs the program over groups that take several times the
// limit. Its anonymous memory stays below limit + max(15 %, 32 MiB), whatever
// comes after the groups: a stream, a table, a sorted result, a large limit. What
// the run says of it itself is about what is seen from outside.
func TestMemoryLimitHolds(t *testing.T) {
	if testing.Short() {
		t.Skip("millions of rows take a while")
	}
	t.Parallel()
	path, err := exec.LookPath("arrowagg")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	plain, lz4 := filepath.Join(dir, "plain"), filepath.Join(dir, "lz4")
	writeDistinct(t, plain, 1_200_000)
	writeDistinct(t, lz4, 600_000, ipc.WithLZ4())
	for _, c := range []struct {
		limit int64
		args  []string
		piped bool
	}{
		{64 << 20, []string{"-f", "arrows", plain}, false},
		{64 << 20, []string{"-f", "arrows", "-j", "6", lz4, plain}, false},
		{64 << 20, []string{"-f", "csv", "-"}, true},
		{64 << 20, []string{"-f", "table", "-s", "v_sum desc", plain}, false},
		{64 << 20, []string{"-f", "csv", "-s", "v_sum desc", "-n", "900000", plain}, false},
		{64 << 20, []string{"-f", "csv", "-g", "host", "-a", "count_distinct(id), max(id)", plain}, false},
		{64 << 20, []string{"-f", "csv", "--no-keys", "-a", "median(load), count_distinct(id)", plain}, false},
		{128 << 20, []string{"-f", "table", plain}, false},
		{128 << 20, []string{"-f", "arrows", "--partial", plain}, false},
		{256 << 20, []string{"-f", "table", "--having", "v_sum > 10", plain}, false},
		{1 << 30, []string{"-f", "table", "-s", "v_sum", plain}, false},
	} {
		args := append([]string{"--stats-json", "--memory-limit", strconv.FormatInt(c.limit, 10), "--temp-dir", dir}, c.args...)
		cmd := exec.Command(path, args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if c.piped {
			f, err := os.Open(plain)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				f.WriteTo(w)
				w.Close()
			}()
			cmd.Stdin = r
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		peak := watchAnonymous(cmd)
		most := c.limit + max(c.limit*15/100, 32<<20)
		if cmd.ProcessState.ExitCode() != 0 || peak > most {
			t.Errorf("%s: %s, %d MiB, at most %d\n%s", strings.Join(args, " "), cmd.ProcessState, peak>>20, most>>20, &stderr)
		}
		told, limit := figureIn(stderr.String(), "peak_own_bytes"), figureIn(stderr.String(), "memory_limit_bytes")
		if limit != c.limit || told > most || told < peak*8/10 || told > figureIn(stderr.String(), "peak_memory_bytes") {
			t.Errorf("%s: limit %d, %d MiB seen, but the figures are %s", strings.Join(args, " "), c.limit, peak>>20, &stderr)
		}
		t.Logf("limit %4d MiB: %4d MiB, %s", c.limit>>20, peak>>20, strings.Join(c.args, " "))
	}
}

// figureIn is a figure of --stats-json, -1 if it is not there.
func figureIn(text, key string) (n int64) {
	_, rest, ok := strings.Cut(text, strconv.Quote(key)+": ")
	if _, err := fmt.Sscan(rest, &n); !ok || err != nil {
		return -1
	}
	return n
}

// watchAnonymous waits for a process and returns the most anonymous memory that
// it was seen to have.
func watchAnonymous(cmd *exec.Cmd) (peak int64) {
	done := make(chan struct{})
	go func() {
		cmd.Wait()
		close(done)
	}()
	for {
		select {
		case <-done:
			return peak
		case <-time.After(2 * time.Millisecond):
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
		if err != nil {
			continue
		}
		if _, rest, ok := strings.Cut(string(status), "RssAnon:"); ok {
			var kib int64
			fmt.Sscan(rest, &kib)
			peak = max(peak, kib<<10)
		}
	}
}

// writeDistinct writes so many rows, nearly each with an id of its own.
func writeDistinct(t *testing.T, name string, rows int, options ...ipc.Option) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "host", Type: arrow.BinaryTypes.String},
		{Name: "id", Type: arrow.BinaryTypes.String},
		{Name: "at", Type: &arrow.TimestampType{Unit: arrow.Microsecond}},
		{Name: "v_sum", Type: arrow.PrimitiveTypes.Int64},
		{Name: "lat_max", Type: arrow.PrimitiveTypes.Float64},
		{Name: "load", Type: arrow.PrimitiveTypes.Float64},
	}, nil)
	w := ipc.NewWriter(f, append(options, ipc.WithSchema(schema))...)
	rng := rand.New(rand.NewPCG(uint64(rows), 25))
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for row := range rows {
		b.Field(0).(*array.StringBuilder).Append(fmt.Sprintf("host-%d", rng.IntN(3000)))
		b.Field(1).(*array.StringBuilder).Append(fmt.Sprintf("session-%016x", rng.Uint64()))
		b.Field(2).(*array.TimestampBuilder).Append(arrow.Timestamp(rng.Int64N(1e15)))
		b.Field(3).(*array.Int64Builder).Append(rng.Int64N(1000))
		b.Field(4).(*array.Float64Builder).Append(rng.Float64())
		b.Field(5).(*array.Float64Builder).Append(rng.NormFloat64())
		if row%65536 == 65535 || row == rows-1 {
			batch := b.NewRecordBatch()
			if err := w.Write(batch); err != nil {
				t.Fatal(err)
			}
			batch.Release()
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
