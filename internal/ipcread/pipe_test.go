//go:build unix

package ipcread

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/tempfile"
)

func fifo(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pour opens a FIFO for writing, which waits for its reader, and writes b.
func pour(path string, b []byte) error {
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer w.Close()
	_, err = w.Write(b)
	return err
}

func TestFIFOs(t *testing.T) {
	a, b := fifo(t, "a"), fifo(t, "b")
	go pour(b, plain(2).MustEncode(arrowtest.Encoding{}))
	go pour(a, sample().MustEncode(arrowtest.Encoding{}))
	r, err := read([]string{a, b}, Options{})
	wantRows(t, r, err, rowsOf(sample(), plain(2)))
	if !slices.Equal(r.late, []string{b}) {
		t.Errorf("late: %v", r.late)
	}
	for _, report := range r.reports {
		if report.Status != "ok" || report.Format != "stream" || report.Bytes == 0 {
			t.Errorf("report %+v", report)
		}
	}
}

func TestOneByteAtATime(t *testing.T) {
	for name, b := range map[string][]byte{
		"stream": sample().MustEncode(arrowtest.Encoding{}),
		"gzip":   wrappers["gzip"](sample().MustEncode(arrowtest.Encoding{})),
		"file":   sample().MustEncode(arrowtest.Encoding{File: true}),
	} {
		path := fifo(t, name)
		go func() {
			w, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return
			}
			defer w.Close()
			for i := range b {
				w.Write(b[i : i+1])
				if i%200 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
		}()
		r, err := read([]string{path}, Options{})
		wantRows(t, r, err, rowsOf(sample()))
	}
}

func TestOneWriterFillsOneFIFOBeforeTheOther(t *testing.T) {
	// More than pipes, budgets and read-ahead memory hold; in both orders.
	big := large(20, 60_000)
	if len(big) < aheadMemory {
		t.Fatalf("only %d bytes", len(big))
	}
	for _, order := range []string{"ab", "ba"} {
		t.Run(order, func(t *testing.T) {
			a, b := fifo(t, "a"), fifo(t, "b")
			written := make(chan error, 2)
			go func() {
				written <- pour(a, big)
				written <- pour(b, plain(2).MustEncode(arrowtest.Encoding{}))
			}()
			names := []string{a, b}
			if order == "ba" {
				slices.Reverse(names)
			}
			dir := t.TempDir()
			rows, err := countRows(names, Options{InFlight: 1 << 20, TempDir: tempfile.In(dir)})
			if err != nil || rows != 20*60_000+1 {
				t.Errorf("%d rows, %v", rows, err)
			}
			for range 2 {
				if err := <-written; err != nil {
					t.Error(err)
				}
			}
			wantEmptyDir(t, dir)
		})
	}
}

func TestBytesInFlightAreBounded(t *testing.T) {
	b := large(60, 20_000) // 160 kB a batch
	path := fifo(t, "a")
	go pour(path, b)
	s, err := Open(testContext, []string{path}, Options{InFlight: 400_000})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	frames := make(chan *Frame, 100)
	done := make(chan error, 1)
	go func() { done <- s.Produce(testContext, frames, nil) }()
	// Nothing is released: what can be read is the bound, and the batch that
	// passes it.
	var held []*Frame
	for idle := 0; idle < 20; {
		select {
		case f := <-frames:
			held = append(held, f)
			idle = 0
		case <-time.After(5 * time.Millisecond):
			idle++
		}
	}
	var bytes int
	for _, f := range held {
		bytes += len(f.body)
	}
	if bytes < 400_000 || bytes > 400_000+160_064 {
		t.Errorf("%d bytes were read with 400000 allowed", bytes)
	}
	go func() {
		for _, f := range held {
			f.Release()
		}
		for f := range frames {
			f.Release()
		}
	}()
	if err := <-done; err != nil {
		t.Error(err)
	}
	close(frames)
}

func TestDescriptors(t *testing.T) {
	stream := sample().MustEncode(arrowtest.Encoding{})
	pipe := piped(t, stream)
	name := fmt.Sprintf("/dev/fd/%d", number(pipe))
	r, err := read([]string{name}, Options{})
	wantRows(t, r, err, rowsOf(sample()))
	if want := "input 1 (" + name + ")"; r.reports[0].Input != want {
		t.Errorf("called %q, want %q", r.reports[0].Input, want)
	}

	// A file that the shell opened is read from where it stands, and mapped.
	path := write(t, "w1", append([]byte("0123456"), stream...))
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(7, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, err = read([]string{fmt.Sprintf("/dev/fd/%d", number(f))}, Options{})
		wantRows(t, r, err, rowsOf(sample()))
	}
	r, err = read([]string{"-"}, Options{Stdin: f})
	wantRows(t, r, err, rowsOf(sample()))
	if r.reports[0].Bytes != int64(len(stream)) {
		t.Errorf("report %+v", r.reports[0])
	}

	_, err = read([]string{"/dev/fd/1023"}, Options{})
	wantError(t, err, unix.EBADF)
}

func TestSockets(t *testing.T) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "theirs")
	defer ours.Close()
	go func() {
		defer theirs.Close()
		theirs.Write(sample().MustEncode(arrowtest.Encoding{}))
	}()
	r, err := read([]string{"-"}, Options{Stdin: ours})
	wantRows(t, r, err, rowsOf(sample()))
}

func TestDevices(t *testing.T) {
	_, err := read([]string{"/dev/null"}, Options{})
	wantError(t, err, ErrEmpty)
	_, err = read([]string{"/dev/zero"}, Options{})
	wantError(t, err, ErrForeign)
}

func TestCancelWithBlockedPipes(t *testing.T) {
	before := runtime.NumGoroutine()
	for name, c := range map[string]struct {
		begin []byte
		first bool
	}{
		"before anybody writes": {nil, true},
		"inside the schema":     {sample().MustEncode(arrowtest.Encoding{})[:100], true},
		"between two batches":   {sample().MustEncode(arrowtest.Encoding{NoEndMarker: true}), true},
		"inside a later input":  {sample().MustEncode(arrowtest.Encoding{})[:100], false},
		"before a later input":  {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			path := fifo(t, "a")
			if c.begin != nil {
				w, err := os.OpenFile(path, os.O_RDWR, 0) // so that it does not end
				if err != nil {
					t.Fatal(err)
				}
				defer w.Close()
				w.Write(c.begin)
			}
			names := []string{path}
			if !c.first {
				names = []string{write(t, "w1", plain(1).MustEncode(arrowtest.Encoding{})), path}
			}
			ctx, cancel := context.WithCancel(testContext)
			time.AfterFunc(30*time.Millisecond, cancel)
			begun := time.Now()
			_, err := readWith(ctx, names, Options{}, func(*Frame) {})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			if took := time.Since(begun); took > 3*time.Second { // a busy machine is no hang
				t.Errorf("took %v", took)
			}
		})
	}
	wantGoroutines(t, before)
}

func TestCancelWhileFramesWait(t *testing.T) {
	before := runtime.NumGoroutine()
	stream := large(50, 1000)
	for _, opt := range []Options{{}, {unmapped: true}} {
		s, err := Open(testContext, []string{write(t, "w1", stream)}, opt)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(testContext)
		frames := make(chan *Frame)
		done := make(chan error, 1)
		go func() { done <- s.Produce(ctx, frames, nil) }()
		(<-frames).Release()
		why := errors.New("a worker failed")
		cancel(why)
		if err := <-done; !errors.Is(err, why) {
			t.Errorf("error %v", err)
		}
		if used := s.inFlight.used; used != 0 {
			t.Errorf("%d bytes are still counted as in flight", used)
		}
		s.Close()
	}
	wantGoroutines(t, before)
}

// wantGoroutines waits for those of a test to end.
func wantGoroutines(t testing.TB, before int) {
	t.Helper()
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}

func TestBadPipeDoesNotKeepTheOthers(t *testing.T) {
	a, b, c := fifo(t, "a"), fifo(t, "b"), fifo(t, "c")
	stream := sample().MustEncode(arrowtest.Encoding{})
	go pour(a, stream)
	go pour(b, stream[:len(stream)-100])
	go pour(c, []byte("host,minute\n"))
	_, err := read([]string{a, b, c}, Options{})
	wantError(t, err, ErrTruncated)
	wantError(t, err, ErrForeign)
	if strings.Contains(err.Error(), a+":") {
		t.Errorf("a is good: %v", err)
	}
}

func TestEndlessBadPipeIsLeft(t *testing.T) {
	// The writer gets SIGPIPE or EPIPE; nobody reads its rest.
	path := fifo(t, "a")
	written := make(chan error, 1)
	go func() { written <- pour(path, append([]byte("host,minute\n"), make([]byte, 1<<20)...)) }()
	_, err := read([]string{path}, Options{})
	wantError(t, err, ErrForeign)
	if err := <-written; !errors.Is(err, syscall.EPIPE) {
		t.Errorf("writer: %v", err)
	}
}

func TestRepeatNeedsFiles(t *testing.T) {
	path := fifo(t, "a")
	_, err := Open(testContext, []string{path}, Options{Repeat: 2})
	var e *Error
	if !errors.As(err, &e) || !e.Usage() || e.HintText() == "" {
		t.Errorf("error %v", err)
	}
	_, err = Open(testContext, []string{"-"}, Options{Repeat: 2, Stdin: piped(t, nil)})
	wantError(t, err, ErrUsage)
}

func TestGivenTwice(t *testing.T) {
	a := write(t, "w1", sample().MustEncode(arrowtest.Encoding{}))
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(a, link); err != nil {
		t.Fatal(err)
	}
	other := write(t, "w2", plain(1).MustEncode(arrowtest.Encoding{}))
	r, err := read([]string{a, other, link}, Options{})
	wantRows(t, r, err, rowsOf(sample(), plain(1), sample()))
	if got := r.warned("same-input-twice"); !slices.Equal(got, []string{link}) {
		t.Errorf("warned of %v", got)
	}
	path := fifo(t, "a")
	_, err = Open(testContext, []string{path, path}, Options{})
	wantError(t, err, ErrUsage)
	stdin, err := os.Open(a)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	for _, names := range [][]string{{"-", "-"}, {"-", "/dev/stdin"}} {
		_, err = Open(testContext, names, Options{Stdin: stdin})
		wantError(t, err, ErrUsage)
	}
}

func TestUnreadableInputsAreReportedTogether(t *testing.T) {
	dir := t.TempDir()
	secret := write(t, "secret", []byte("x"))
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	empty := write(t, "empty", nil)
	_, err := Open(testContext, []string{dir, dir + "/missing", secret, empty}, Options{})
	want := []string{dir + ": is a directory", dir + "/missing: no such file or directory", empty + ": empty: it has no bytes"}
	if os.Geteuid() != 0 {
		want = append(want, secret+": permission denied")
	}
	for _, line := range want {
		if !slices.Contains(strings.Split(err.Error(), "\n"), line) {
			t.Errorf("no line %q in\n%v", line, err)
		}
	}
}

// TestBodyFromAPipeIsBounded: a file's batch is not read into memory, and so may
// be of any size.
func TestBodyFromAPipeIsBounded(t *testing.T) {
	b := large(1, 10_000)
	opt := Options{Body: int64(len(b)) / 2}
	if rows, err := countRows([]string{write(t, "x", b)}, opt); err != nil || rows != 10_000 {
		t.Errorf("from a file: %d rows, %v", rows, err)
	}
	opt.Stdin = piped(t, b)
	_, err := countRows([]string{"-"}, opt)
	wantError(t, err, ErrLimit)
	opt = Options{Body: int64(len(b)), Stdin: piped(t, b)}
	if rows, err := countRows([]string{"-"}, opt); err != nil || rows != 10_000 {
		t.Errorf("from a pipe: %d rows, %v", rows, err)
	}
}
