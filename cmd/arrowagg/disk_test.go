package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// smallDisk is a file system with room for so much, if one may be mounted.
func smallDisk(t *testing.T, size string) string { return mounted(t, "size="+size) }

// mounted is a file system of those options, if this process may mount one.
func mounted(t *testing.T, options string) string {
	dir := filepath.Join(t.TempDir(), "mounted")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).Run() != nil {
		return ""
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v\n%s", err, out)
		}
	})
	return dir
}
