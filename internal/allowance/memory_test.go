package allowance

import (
	"testing"
	"testing/fstest"
)

func TestMemory(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	machine := file("MemFree: 1 kB\nMemTotal:       1000 kB\n")
	for _, c := range []struct {
		name  string
		files fstest.MapFS
		want  int64
		known bool
	}{
		{"nothing known", fstest.MapFS{}, 0, false},
		{"the machine alone", fstest.MapFS{"proc/meminfo": machine}, 1000 << 10, true},
		{"version 2, its own group", fstest.MapFS{
			"proc/meminfo":                   machine,
			"proc/self/cgroup":               file("0::/a/b\n"),
			"sys/fs/cgroup/a/b/memory.max":   file("5000\n"),
			"sys/fs/cgroup/a/memory.max":     file("max\n"),
			"sys/fs/cgroup/other/memory.max": file("1\n"),
		}, 5000, true},
		{"version 2, an ancestor binds", fstest.MapFS{
			"proc/self/cgroup":             file("0::/a/b\n"),
			"sys/fs/cgroup/a/b/memory.max": file("5000"),
			"sys/fs/cgroup/a/memory.max":   file("4000"),
		}, 4000, true},
		{"version 1", fstest.MapFS{
			"proc/self/cgroup": file("3:cpu:/x\n7:hugetlb,memory:/job\n"),
			"sys/fs/cgroup/memory/job/memory.limit_in_bytes": file("3000"),
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes":   file("1"),
		}, 3000, true},
		{"the machine is less than the group", fstest.MapFS{
			"proc/meminfo":             machine,
			"proc/self/cgroup":         file("0::/\n"),
			"sys/fs/cgroup/memory.max": file("9223372036854771712"),
		}, 1000 << 10, true},
	} {
		got, known := memory(c.files)
		if got != c.want || known != c.known {
			t.Errorf("%s: %d, %v; want %d, %v", c.name, got, known, c.want, c.known)
		}
	}
}
