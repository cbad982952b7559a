package outfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// asNobody runs check with the file permissions of a user who owns nothing,
// also when the tests run as root, whom nothing is denied.
func asNobody(t *testing.T, check func()) {
	if os.Geteuid() == 0 {
		const nobody = 65534
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if _, err := unix.SetfsuidRetUid(nobody); err != nil {
			t.Skip(err)
		}
		defer unix.SetfsuidRetUid(0)
	}
	check()
}

// openToAll makes a directory that others may use if its mode says so: those
// of the tests are their owner's only.
func openToAll(t *testing.T, mode fs.FileMode) string {
	directory, err := os.MkdirTemp("", "outfile")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		os.Chmod(directory, 0o700)
		os.RemoveAll(directory)
	})
	put(t, filepath.Join(directory, "old.csv"), "old\n", 0o666)
	put(t, filepath.Join(directory, "readonly.csv"), "old\n", 0o444)
	if err := os.Chmod(directory, mode); err != nil {
		t.Fatal(err)
	}
	return directory
}

func TestPermissions(t *testing.T) {
	shut, open := openToAll(t, 0o555), openToAll(t, 0o777)
	asNobody(t, func() {
		for _, c := range []struct{ path, want string }{
			{filepath.Join(shut, "new.csv"), "cannot create a file in " + shut + ": permission denied"},
			{filepath.Join(shut, "old.csv"), "cannot create a file in " + shut + ": permission denied"},
			{filepath.Join(open, "readonly.csv"), "permission denied"},
			{filepath.Join(open, "old.csv"), ""},
		} {
			f, err := create(c.path)
			if err == nil {
				f.Abort()
			}
			switch {
			case c.want == "" && err != nil:
				t.Errorf("Create(%s): %v", c.path, err)
			case c.want != "" && (!errors.Is(err, fs.ErrPermission) || !strings.HasSuffix(err.Error(), ": "+c.want)):
				t.Errorf("Create(%s): %v, want %s", c.path, err, c.want)
			}
		}
	})
}
