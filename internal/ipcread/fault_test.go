//go:build unix

package ipcread

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"arrowagg/internal/arrowtest"
)

// whileReading adds up a file of one int64 column and calls act once, when the
// first frame is there.
func whileReading(t *testing.T, path string, opt Options, act func()) error {
	t.Helper()
	s, err := Open(testContext, []string{path}, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	frames := make(chan *Frame, 1)
	var worker sync.WaitGroup
	worker.Go(func() {
		d := s.NewDecoder()
		var once sync.Once
		for f := range frames {
			once.Do(act)
			err := s.Guard(func() error {
				arrays, err := d.Decode(f, []int{0})
				if err == nil {
					addUp(arrays[0])
				}
				return err
			})
			if err != nil {
				s.Fail(f, err)
			}
			f.Release()
		}
	})
	err = s.Produce(testContext, frames, nil)
	close(frames)
	worker.Wait()
	if err == nil {
		err = s.Verify()
	}
	return err
}

func addUp(a arrow.ArrayData) (sum int64) {
	for _, v := range array.NewInt64Data(a).Int64Values() {
		sum += v
	}
	return sum
}

func TestFileThatChangesWhileItIsRead(t *testing.T) {
	stream := large(40, 20_000) // 6.4 MB
	later := func(path string) {
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	for name, act := range map[string]func(path string){
		"shrinks to nothing":       func(path string) { os.Truncate(path, 0) },
		"shrinks by its last page": func(path string) { os.Truncate(path, int64(len(stream)-10)) },
		"shrinks to its half":      func(path string) { os.Truncate(path, int64(len(stream)/2)) },
		"grows":                    func(path string) { appendTo(t, path, stream) },
		"is written to":            func(path string) { overwrite(t, path, int64(len(stream)-100), []byte("hello")); later(path) },
		"gets another schema":      func(path string) { overwrite(t, path, 40, make([]byte, 100)); later(path) },
		"is replaced":              func(path string) { os.WriteFile(path+".new", stream, 0o644); os.Rename(path+".new", path) },
		"is removed":               func(path string) { os.Remove(path) },
	} {
		for _, opt := range []Options{{}, {Repeat: 3}, {unmapped: true}} {
			t.Run(name, func(t *testing.T) {
				path := write(t, "w1", stream)
				err := whileReading(t, path, opt, func() { act(path) })
				if err == nil {
					t.Fatal("nobody noticed")
				}
				if kindOf(err) != ErrChanged {
					t.Errorf("error %v", err)
				}
			})
		}
	}
}

func appendTo(t *testing.T, path string, b []byte) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Write(b)
}

func overwrite(t *testing.T, path string, at int64, b []byte) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.WriteAt(b, at)
}

func TestGuardTellsFaultsFromBugs(t *testing.T) {
	path := write(t, "w1", large(4, 20_000))
	s, err := Open(testContext, []string{path}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	mapped := s.mappings[0].bytes
	var sum byte
	err = s.Guard(func() error {
		for i := range mapped {
			sum += mapped[i]
		}
		return nil
	})
	wantError(t, err, ErrChanged)
	copied := make([]byte, len(mapped))
	err = s.Guard(func() error { copy(copied, mapped); return nil }) // in the runtime's own code
	wantError(t, err, ErrChanged)

	broken := errors.New("an ordinary error")
	if err := s.Guard(func() error { return broken }); err != broken {
		t.Errorf("error %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a nil pointer is a bug and must not be swallowed")
		}
	}()
	s.Guard(func() error {
		var nothing *Stream
		sum += byte(nothing.Number)
		return nil
	})
}

func TestScanOfAFileThatShrinks(t *testing.T) {
	// Cut between mapping and framing: the walk meets missing pages.
	path := write(t, "w1", large(40, 20_000))
	s := &Set{opt: Options{}.withDefaults(), inFlight: newInFlight(1), spooler: newSpooler(nil)}
	s.ctx, s.cancel = testContext, func() {}
	in, err := s.openInput(0, path)
	if err != nil {
		t.Fatal(err)
	}
	s.inputs = append(s.inputs, in)
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	s.scanAll()
	wantError(t, s.problems(), ErrChanged)
	s.mappings[0].unmap()
}

// In a child process, so that the limit is its own: 500 files with room for 64
// descriptors.
func TestManyFilesWithFewDescriptors(t *testing.T) {
	if os.Getenv("ARROWAGG_TEST_FILES") != "" {
		readManyFiles(t)
		return
	}
	dir := t.TempDir()
	for i := range 500 {
		b := plain(i).MustEncode(arrowtest.Encoding{File: i%5 == 0, NoEndMarker: i%5 != 0 && i%50 == 1})
		if i%7 == 0 {
			b = wrappers[[]string{"gzip", "zstd", "lz4"}[i%3]](b)
		}
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, unmapped := range []string{"", "unmapped"} {
		child := exec.Command(os.Args[0], "-test.run=^TestManyFilesWithFewDescriptors$", "-test.v")
		child.Env = append(os.Environ(), "ARROWAGG_TEST_FILES="+dir, "ARROWAGG_TEST_UNMAPPED="+unmapped)
		if out, err := child.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("%v:\n%s", err, out)
		}
	}
}

func readManyFiles(t *testing.T) {
	limit := syscall.Rlimit{Cur: 64, Max: 64}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	dir := os.Getenv("ARROWAGG_TEST_FILES")
	var names, want []string
	for i := range 500 {
		names = append(names, filepath.Join(dir, strconv.Itoa(i)))
		want = append(want, rowsOf(plain(i))...)
	}
	r, err := read(names, Options{unmapped: os.Getenv("ARROWAGG_TEST_UNMAPPED") != ""})
	wantRows(t, r, err, want)
	if n := len(r.warned("no-end-marker")); n != 10 {
		t.Errorf("%d inputs without end marker, want 10", n)
	}
}

func TestConsumedPagesAreGivenBack(t *testing.T) {
	sequential(t)
	stream := large(300, 20_000) // 48 MB
	path := write(t, "w1", stream)
	for _, opt := range []Options{{reclaimFrom: 1}, {reclaimFrom: 1, Repeat: 2}} {
		rows, err := countRows([]string{path}, opt)
		if err != nil || rows != int64(300*20_000*max(opt.Repeat, 1)) {
			t.Errorf("%d rows, %v", rows, err)
		}
	}
	s, err := Open(testContext, []string{path}, Options{reclaimFrom: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	frames := make(chan *Frame, 1000)
	if err := s.Produce(testContext, frames, nil); err != nil {
		t.Fatal(err)
	}
	close(frames)
	var all []*Frame
	for f := range frames {
		for i := 0; i < len(f.body); i += 4096 {
			_ = f.body[i]
		}
		all = append(all, f)
	}
	mapped := s.mappings[0].bytes
	before := residentPages(t, path)
	slices.Reverse(all) // released in whatever order
	for _, f := range all {
		f.Release()
	}
	after := residentPages(t, path)
	if before < len(mapped)/2 || after > len(mapped)/4 {
		t.Errorf("%d of %d bytes resident before, %d after", before, len(mapped), after)
	}
}

// residentPages is how many bytes of a mapped file are in the resident set.
func residentPages(t *testing.T, path string) int {
	t.Helper()
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip("no /proc/self/smaps here")
	}
	total, inside := 0, false
	for _, line := range strings.Split(string(smaps), "\n") {
		fields := strings.Fields(line)
		switch {
		case len(fields) >= 6 && fields[len(fields)-1] == path:
			inside = true
		case len(fields) >= 5 && strings.Contains(fields[0], "-"):
			inside = false
		case inside && len(fields) == 3 && fields[0] == "Rss:":
			kb, _ := strconv.Atoi(fields[1])
			total += kb << 10
		}
	}
	return total
}
