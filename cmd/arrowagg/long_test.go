//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var longMiB = flag.Int("long.mib", 0, "MiB of batches that TestLongInputs sends through a pipe (0: as many as fit a test run)")

// TestLongInputs: the same batches again and again, through a pipe and with
// --repeat, give the same result in memory that does not grow, however many
// they are.
func TestLongInputs(t *testing.T) {
	t.Parallel()
	mib := 256
	if testing.Short() {
		mib = 64
	}
	if *longMiB > 0 {
		mib = *longMiB
	}
	content := large().streams[0]
	copies := mib<<20/len(content) + 1
	p, name := buildProgram(t), filepath.Join(t.TempDir(), "in.arrows")
	p.most = 24 * time.Hour
	writeFile(t, name, content)
	args := []string{"-g", "host,slot", "-a", "count(*), sum(bytes_sum), sum(load_sum), max(lat_max)", "-f", "csv"}

	read, write, err := os.Pipe()
	must(err)
	c := p.start(launch{args: append(args, "-"), stdin: read})
	go func() {
		defer write.Close()
		w := bufio.NewWriterSize(write, 1<<20)
		defer w.Flush()
		schema := 8 + int(binary.LittleEndian.Uint32(content[4:])) // continuation, length, metadata
		const endMarker = 8
		w.Write(content[:schema])
		for range copies {
			if _, err := w.Write(content[schema : len(content)-endMarker]); err != nil {
				return // the run ended, and says why
			}
		}
		w.Write(content[len(content)-endMarker:])
	}()
	piped := flat(t, c, "through a pipe")
	repeated := flat(t, p.start(launch{args: append(args, "--repeat", fmt.Sprint(copies), name)}), "with --repeat")
	if piped.code != exitDone || piped.outcome != repeated.outcome {
		t.Errorf("exit %d and %d, %s%s\n%s", piped.code, repeated.code, piped.stderr, repeated.stderr,
			firstDifference(piped.stdout, repeated.stdout))
	}
	if n := bytes.Count([]byte(piped.stdout), []byte("\n")); n < 10_000 {
		t.Errorf("%d lines", n)
	}
	t.Logf("%d copies, %d MiB: %v through a pipe, %v with --repeat", copies, copies*len(content)>>20, piped.took, repeated.took)
}

// flat waits for the process and fails if its own memory grew after the first
// half of its time by more than chance.
func flat(t *testing.T, c *child, how string) ending {
	t.Helper()
	var sizes []int // KiB
	for running := true; running; {
		select {
		case <-c.done:
			running = false
		case <-time.After(10 * time.Millisecond):
			if kib := anonymous(c.command.Process.Pid); kib > 0 {
				sizes = append(sizes, kib)
			}
		}
	}
	const slack = 24 << 10 // KiB: what is read ahead of busy workers, and chance
	early, late := most(sizes[:len(sizes)/2]), most(sizes[len(sizes)/2:])
	if len(sizes) > 20 && late > early+slack {
		t.Errorf("%s: %d MiB at most in the first half, %d in the second", how, early>>10, late>>10)
	}
	t.Logf("%s: %d samples of the process's own memory, %d MiB at most", how, len(sizes), max(early, late)>>10)
	return c.wait()
}

func most(sizes []int) (n int) {
	for _, s := range sizes {
		n = max(n, s)
	}
	return n
}

// anonymous is the process's own resident memory in KiB, without pages of
// files; 0 when it is gone.
func anonymous(pid int) (kib int) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	if _, after, found := strings.Cut(string(status), "RssAnon:"); found {
		fmt.Sscan(after, &kib)
	}
	return kib
}
