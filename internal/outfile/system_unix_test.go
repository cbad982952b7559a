//go:build unix

package outfile

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// killedWriter is set in the process that TestKilledProcess starts.
const killedWriter = "OUTFILE_TEST_WRITE"

func TestMain(m *testing.M) {
	if path := os.Getenv(killedWriter); path != "" {
		writeForever(path)
	}
	os.Exit(m.Run())
}

func writeForever(path string) {
	f, err := create(path)
	if err != nil {
		panic(err)
	}
	for line := []byte("half of the new content\n"); ; {
		if _, err := f.Write(line); err != nil {
			panic(err)
		}
		os.Stdout.Write(line)
	}
}

func TestKilledProcessLeavesTheOldContent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	put(t, path, "old\n", 0o644)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), killedWriter+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Errorf("the child wrote nothing: %v", err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait()
	if got, err := os.ReadFile(path); err != nil || string(got) != "old\n" {
		t.Errorf("after the kill the file holds %q (%v)", got, err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".out.csv.*.tmp"))
	if err != nil || len(left) != 1 {
		t.Fatalf("left behind: %v (%v), want one temporary file", left, err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(left[0], old, old); err != nil {
		t.Fatal(err)
	}
	f := write(t, path, "new")
	defer f.Abort()
	if err := os.Chtimes(f.temp, old, old); err != nil {
		t.Fatal(err)
	}
	if got := Stale(path); !slices.Equal(got, left) {
		t.Errorf("stale: %v, want %v, and not what is being written", got, left)
	}
}

func TestModes(t *testing.T) {
	old := unix.Umask(0o027)
	defer unix.Umask(old)
	for mode, want := range map[fs.FileMode]fs.FileMode{
		0: 0o640, 0o600: 0o600, 0o666: 0o666, 0o755: 0o755, 0o200: 0o200,
	} {
		path := filepath.Join(t.TempDir(), "out.csv")
		if mode != 0 {
			put(t, path, "old", mode)
		}
		commit(t, write(t, path, "new"))
		if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != want {
			t.Errorf("old mode %o gives %o, want %o (%v)", mode, fi.Mode().Perm(), want, err)
		}
	}
}

func TestFIFOIsWrittenStraight(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	read := make(chan string)
	go func() {
		content, _ := os.ReadFile(path)
		read <- string(content)
	}()
	commit(t, write(t, path, "through the pipe"))
	if got := <-read; got != "through the pipe" {
		t.Errorf("read %q", got)
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the FIFO is gone: %v %v", fi, err)
	}
}

// A reader that takes nothing blocks the writer; Abort, called by whoever gets
// the signal, must not wait for it.
func TestAbortDoesNotWaitForABlockedWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	reader, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	defer reader.Close()
	f, err := create(path)
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error)
	go func() {
		_, err := f.Write(make([]byte, 1<<20))
		failed <- err
	}()
	time.Sleep(20 * time.Millisecond)
	begun := time.Now()
	f.Abort()
	if took := time.Since(begun); took > time.Second {
		t.Errorf("Abort took %v", took)
	}
	if err := <-failed; !errors.Is(err, ErrAborted) {
		t.Errorf("the blocked write: %v", err)
	}
}

func TestFullDevice(t *testing.T) {
	f, err := create("/dev/full")
	if err != nil {
		t.Skip(err)
	}
	_, err = f.Write([]byte("x"))
	if !errors.Is(err, syscall.ENOSPC) || err.Error() != "/dev/full: no space left on device" {
		t.Errorf("Write: %v", err)
	}
	if again := f.Commit(); again != err {
		t.Errorf("Commit: %v", again)
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Error(err)
	}
}

// A limit on the size of files fails a write half-way, as a full disk does.
func TestWriteThatFailsHalfWay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	put(t, path, "old\n", 0o644)
	signal.Ignore(unix.SIGXFSZ)
	defer signal.Reset(unix.SIGXFSZ)
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		t.Skip(err)
	}
	limit := old
	const most = 1 << 20 // and more than the test's own log has
	limit.Cur = most
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Skip(err)
	}
	defer unix.Setrlimit(unix.RLIMIT_FSIZE, &old)
	f := write(t, path, "fits\n")
	n, err := f.Write(make([]byte, 2*most))
	if n != most-len("fits\n") || !errors.Is(err, syscall.EFBIG) {
		t.Errorf("Write: %d, %v", n, err)
	}
	if again := f.Commit(); again != err {
		t.Errorf("Commit: %v", again)
	}
	holds(t, path, "old\n", "out.csv")
}

// The shell's redirection target keeps what others wrote to it.
func TestDescriptorsShareThePosition(t *testing.T) {
	path := filepath.Join(t.TempDir(), "redirected")
	shell, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer shell.Close()
	io.WriteString(shell, "before ")
	link := filepath.Join(t.TempDir(), "link")
	name := "/dev/fd/" + strconv.Itoa(int(shell.Fd()))
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	commit(t, write(t, name, "the result "))
	commit(t, write(t, link, "by a link "))
	io.WriteString(shell, "after")
	holds(t, path, "before the result by a link after", "redirected")
}

func TestDescriptorsThatCannotBeWritten(t *testing.T) {
	reader, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for _, c := range []struct{ path, want string }{
		{"/dev/fd/" + strconv.Itoa(int(reader.Fd())), "is not open for writing"},
		{"/dev/fd/99999", "bad file descriptor"},
	} {
		if _, err := create(c.path); err == nil || err.Error() != c.path+": "+c.want {
			t.Errorf("Create(%s): %v, want %s", c.path, err, c.want)
		}
	}
}
