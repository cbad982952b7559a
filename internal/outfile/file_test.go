package outfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func create(path string) (*File, error) {
	f := New(path)
	return f, f.Create()
}

// write creates, writes and returns an output, failing the test on errors.
func write(t *testing.T, path, content string) *File {
	t.Helper()
	f, err := create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	return f
}

func commit(t *testing.T, f *File) {
	t.Helper()
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
}

// holds checks the content of a file and that only the named files are in its
// directory.
func holds(t *testing.T, path, content string, names ...string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != content {
		t.Errorf("%s holds %q (%v), want %q", path, got, err, content)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("the directory holds %v, want %v", got, names)
	}
}

func put(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func TestNewFileAppearsAtCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	f := write(t, path, "a,b\n")
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before Commit: %v", err)
	}
	commit(t, f)
	holds(t, path, "a,b\n", "out.csv")
	f.Abort() // as a deferred call would
	holds(t, path, "a,b\n", "out.csv")
}

func TestOldFileIsReplacedWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	put(t, path, "old and much longer\n", 0o644)
	f := write(t, path, "new\n")
	if got, _ := os.ReadFile(path); string(got) != "old and much longer\n" {
		t.Errorf("before Commit: %q", got)
	}
	commit(t, f)
	holds(t, path, "new\n", "out.csv")
}

func TestAbortKeepsTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	put(t, path, "old\n", 0o644)
	f := write(t, path, "new\n")
	f.Abort()
	f.Abort()
	holds(t, path, "old\n", "out.csv")
	if err := f.Commit(); !errors.Is(err, ErrAborted) {
		t.Errorf("Commit after Abort: %v", err)
	}
	if _, err := f.Write([]byte("more")); !errors.Is(err, ErrAborted) {
		t.Errorf("Write after Abort: %v", err)
	}
	holds(t, path, "old\n", "out.csv")
}

func TestFailedWriteKeepsTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	put(t, path, "old\n", 0o644)
	f := write(t, path, "new\n")
	f.out.Close() // the next write fails, as on a disk that is full
	_, first := f.Write([]byte("more\n"))
	if first == nil || !strings.HasPrefix(first.Error(), path+": ") {
		t.Errorf("failed write: %v", first)
	}
	if err := f.Commit(); err != first {
		t.Errorf("Commit says %v, want the failed write's %v", err, first)
	}
	holds(t, path, "old\n", "out.csv")
}

func TestWhatCannotBeWrittenIsKnownAtOnce(t *testing.T) {
	directory := t.TempDir()
	loop := filepath.Join(directory, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]string{
		"":                                     "no name",
		directory:                              "is a directory",
		directory + "/":                        "is a directory",
		filepath.Join(directory, "no", "file"): "no such file or directory",
		loop:                                   "too many symbolic links",
	} {
		f, err := create(path)
		if err == nil {
			f.Abort()
			t.Errorf("Create(%q) succeeded", path)
			continue
		}
		if text := err.Error(); !strings.Contains(text, want) || strings.Contains(strings.ReplaceAll(text, directory, ""), ".tmp") {
			t.Errorf("Create(%q): %v, want %s", path, err, want)
		}
	}
}

func TestLinksAreFollowed(t *testing.T) {
	root := t.TempDir()
	directory := filepath.Join(root, "real")
	if err := os.Mkdir(directory, 0o755); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(directory, "target.csv")
	for link, to := range map[string]string{
		"direct":   target,
		"relative": "real/target.csv",
		"chain":    "relative",
		"dangling": "real/../real/target.csv",
	} {
		link = filepath.Join(root, link)
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{"dangling", "direct", "relative", "chain"} {
		link := filepath.Join(root, name)
		commit(t, write(t, link, name))
		holds(t, target, name, "target.csv")
		if fi, err := os.Lstat(link); err != nil || fi.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", name)
		}
	}
}

func TestLongNames(t *testing.T) {
	name := strings.Repeat("é", 127)
	path := filepath.Join(t.TempDir(), name)
	commit(t, write(t, path, "x"))
	holds(t, path, "x", name)
}

func TestManyAtOnce(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "out.csv")
	first, second := write(t, path, "first"), write(t, path, "second")
	commit(t, second)
	commit(t, first)
	holds(t, path, "first", "out.csv")
}

// A signal may come while the temporary file is made.
func TestAbortDuringCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	put(t, path, "old\n", 0o644)
	created := 0
	for range 200 {
		f := New(path)
		aborted := make(chan struct{})
		go func() {
			f.Abort()
			close(aborted)
		}()
		switch err := f.Create(); {
		case err == nil:
			created++
		case !errors.Is(err, ErrAborted):
			t.Fatal(err)
		}
		<-aborted
		holds(t, path, "old\n", "out.csv")
	}
	f := New(path)
	f.Abort()
	if err := f.Create(); !errors.Is(err, ErrAborted) {
		t.Errorf("Create after Abort: %v", err)
	}
	t.Logf("%d of 200 were created first", created)
}

// Whichever comes first, the target is old or new as a whole and nothing is
// left beside it.
func TestAbortDuringCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	put(t, path, "old\n", 0o644)
	want := "old\n"
	for range 50 {
		f := write(t, path, "new\n")
		aborted := make(chan struct{})
		go func() {
			f.Abort()
			close(aborted)
		}()
		if err := f.Commit(); err == nil {
			want = "new\n"
		} else if !errors.Is(err, ErrAborted) {
			t.Fatal(err)
		}
		<-aborted
		holds(t, path, want, "out.csv")
		put(t, path, "old\n", 0o644)
		want = "old\n"
	}
}
