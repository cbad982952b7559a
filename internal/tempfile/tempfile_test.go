package tempfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestFileIsReadBackAndLeavesNothing(t *testing.T) {
	path := t.TempDir()
	d := In(path)
	f, err := d.Create()
	if err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte("states"), 100_000)
	for part := range slices.Chunk(want, 7777) {
		if _, err := f.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if unlinkable && len(names(t, path)) > 0 {
		t.Errorf("an open file has the name %v", names(t, path))
	}
	for range 2 {
		got, err := f.Map()
		if err != nil || !bytes.Equal(got, want) || f.Size() != int64(len(want)) {
			t.Fatalf("mapped %d bytes (%v), want %d", len(got), err, len(want))
		}
		f.Forget()
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left := names(t, path); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestAnEmptyFileMaps(t *testing.T) {
	f, err := In(t.TempDir()).Create()
	if err != nil {
		t.Fatal(err)
	}
	if b, err := f.Map(); err != nil || len(b) > 0 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestRemoveWhileWriting: what a signal does to files that have names.
func TestRemoveWhileWriting(t *testing.T) {
	path := t.TempDir()
	d := In(path)
	f, err := d.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d.Remove()
	if left := names(t, path); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestDirectoriesThatWillNotDo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "missing"), file} {
		d := In(path)
		_, created := d.Create()
		for _, err := range []error{d.Check(), created} {
			var e *Error
			if !errors.As(err, &e) || !e.Limit() || e.Dir != path || e.HintText() == "" {
				t.Errorf("%s: error %v", path, err)
			}
		}
	}
}

// TestStale: a file whose maker is gone is named; one in use, a young one and
// other people's are not.
func TestStale(t *testing.T) {
	if !unlinkable {
		t.Skip("this system does not tell")
	}
	path := t.TempDir()
	old := time.Now().Add(-time.Hour)
	make := func(name string, at time.Time) *os.File {
		f, err := os.Create(filepath.Join(path, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		if err := os.Chtimes(f.Name(), at, at); err != nil {
			t.Fatal(err)
		}
		return f
	}
	make("arrowagg-1.tmp", old)
	make("arrowagg-2.tmp", time.Now())
	lock(make("arrowagg-3.tmp", old))
	make("other.tmp", old)
	d := In(path)
	if got, want := d.Stale(), []string{filepath.Join(path, "arrowagg-1.tmp")}; !slices.Equal(got, want) {
		t.Errorf("stale: %v, want %v", got, want)
	}
}
