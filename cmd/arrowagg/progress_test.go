package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"arrowagg/internal/ipcread"
)

func TestProgressLine(t *testing.T) {
	const second = time.Second
	for _, c := range []struct {
		s    snapshot
		want string
	}{
		{snapshot{stage: stageOpening, inputs: 200, elapsed: 3 * second}, "opening 200 inputs, 3 s"},
		{snapshot{stage: stageChecking, inputs: 1, elapsed: 75 * second}, "checking 1 input, 1 min 15 s"},
		{
			snapshot{stage: stageReading, elapsed: 2 * second, bytes: 1 << 30, of: 4 << 30, rows: 48_000_000},
			"25%  1.0 GiB of 4.0 GiB, 48.0 M rows, 24.0 M rows/s, 6 s left",
		},
		{
			snapshot{stage: stageReading, elapsed: 2 * second, bytes: 1 << 20, of: 10 << 40, rows: 4},
			" 0%  1.0 MiB of 10.0 TiB, 4 rows, 2 rows/s, 5825 h 25 min left",
		},
		{
			snapshot{stage: stageReading, elapsed: second, bytes: 512, of: 512, rows: 9999},
			"100%  512 B of 512 B, 9999 rows, 9999 rows/s, 0 s left",
		},
		{
			snapshot{stage: stageReading, elapsed: second, of: 512},
			" 0%  0 B of 512 B, 0 rows, 0 rows/s",
		},
		{
			snapshot{stage: stageReading, elapsed: 1500 * time.Millisecond, bytes: 150 << 20, rows: 15_000},
			"150 MiB, 15.0 k rows, 10.0 k rows/s",
		},
		{
			snapshot{stage: stageReading, elapsed: second, bytes: 1 << 20, rows: 15_000, groups: 1440},
			"1.0 MiB, 15.0 k rows, 15.0 k rows/s, 1440 groups",
		},
		{
			snapshot{stage: stageReading, elapsed: second, bytes: 1 << 20, of: 4 << 20, rows: 4, groups: 1},
			"25%  1.0 MiB of 4.0 MiB, 4 rows, 4 rows/s, 1 group, 3 s left",
		},
		{
			snapshot{stage: stageReading, elapsed: second, bytes: 1 << 20, rows: 4, groups: 1_234_567, others: true},
			"1.0 MiB, 4 rows, 4 rows/s, 1.2 M+ groups",
		},
		{
			snapshot{stage: stageFinishing, elapsed: second, bytes: 1 << 30, of: 1 << 30, rows: 123_456_789},
			"1.0 GiB, 123 M rows read; sorting the result",
		},
	} {
		if got := c.s.line(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
}

// screen shows what a terminal would after these bytes, of its last line.
func screen(b []byte) string {
	var line []byte
	column := 0
	for _, c := range b {
		switch c {
		case '\r':
			column = 0
		case '\n':
			line, column = line[:0], 0
		default:
			if column == len(line) {
				line = append(line, c)
			}
			line[column] = c
			column++
		}
	}
	return strings.TrimRight(string(line), " ")
}

// TestProgressWhileWorking draws as fast as it can while workers count and
// others print. The race detector watches.
func TestProgressWhileWorking(t *testing.T) {
	var terminal bytes.Buffer // written under the progress's lock
	p := &progress{w: &terminal, inputs: 2}
	p.start(0, 100*time.Microsecond)
	p.reading(emptySet(t), 1)
	p.known = extentOf([]ipcread.Report{{Sized: true, Rows: 8000, Bytes: 1 << 20}, {Rows: 7}}, 1)
	var workers sync.WaitGroup
	for range 4 {
		rows := p.newTally()
		workers.Go(func() {
			for i := range 2000 {
				rows.add(i%2, 1)
				rows.tell(func() (int64, bool) { return int64(i), false })
				if i%500 == 0 {
					p.Write([]byte("arrowagg: warning\n"))
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	workers.Wait()
	s := p.now(time.Now())
	if s.groups == 0 || s.groups >= 2000 || !s.others {
		t.Errorf("%d groups were told, others: %v", s.groups, s.others)
	}
	if s.rows != 8000 || s.bytes != 1<<19 || s.of != 0 {
		t.Errorf("after all work: %+v", s)
	}
	p.draw()
	if got := screen(terminal.Bytes()); !strings.HasPrefix(got, "512 KiB, 8000 rows, ") {
		t.Errorf("the line is %q", got)
	}
	p.finishing()
	p.stop()
	p.stop()
	if got := screen(terminal.Bytes()); got != "" {
		t.Errorf("the line stays: %q", got)
	}
	for line := range strings.Lines(terminal.String()) {
		if before, _, found := strings.Cut(line, "arrowagg: warning\n"); found && screen([]byte(before)) != "" {
			t.Errorf("a warning stands behind the line: %q", line)
		}
	}
	if n := terminal.Len(); n == 0 {
		t.Error("nothing was drawn")
	} else if p.Write([]byte("error\n")); terminal.Len() != n+len("error\n") {
		t.Error("what comes after the line does not pass through")
	}
}

// emptySet is inputs that say nothing of themselves.
func emptySet(t *testing.T) *ipcread.Set {
	t.Helper()
	set, err := ipcread.Open(t.Context(), nil, ipcread.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	return set
}

func TestProgressOfNobody(t *testing.T) {
	var p *progress
	p.reading(nil, 1)
	p.newTally().add(3, 1)
	p.finishing()
	p.stop()
	if p := newProgress(&options{progress: "auto"}, &bytes.Buffer{}, 1); p != nil {
		t.Error("a buffer is no terminal")
	}
	if p := newProgress(&options{progress: "always", quiet: true}, &bytes.Buffer{}, 1); p != nil {
		t.Error("quiet is quiet")
	}
}
