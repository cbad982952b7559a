package tempfile

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestNoMomentWithAName: nothing can be left by a process that is killed while
// it makes a file, for it makes no name. Where the file system wants one, the
// other way gives as good a file.
func TestNoMomentWithAName(t *testing.T) {
	path := t.TempDir()
	probe, err := unnamed(path)
	if err != nil {
		t.Skip(err)
	}
	probe.Close()
	d := In(path)
	for _, c := range []struct {
		create func() (*File, error)
		name   string
	}{{d.Create, path + "/#"}, {d.createNamed, path + "/" + prefix}} {
		f, err := c.create()
		if err != nil {
			t.Fatal(err)
		}
		link, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.File().Fd()))
		if err != nil || !strings.HasPrefix(link, c.name) || !strings.HasSuffix(link, " (deleted)") {
			t.Errorf("made %q (%v), want %s…", link, err, c.name)
		}
		if _, err := f.Write([]byte("states")); err != nil {
			t.Error(err)
		}
		if b, err := f.Map(); err != nil || string(b) != "states" {
			t.Errorf("%q, %v", b, err)
		}
		if left := names(t, path); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
