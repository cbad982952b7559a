package allowance

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// Memory returns the bytes of memory that this process may use in all, and
// false where the system does not tell.
func Memory() (int64, bool) { return memory(os.DirFS("/")) }

// memory reads the limits from a tree that looks like the root file system.
func memory(root fs.FS) (int64, bool) {
	least, known := int64(0), false
	consider := func(n int64, ok bool) {
		if ok && (!known || n < least) {
			least, known = n, true
		}
	}
	consider(machineTotal(root))
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return least, known
	}
	for _, line := range strings.Split(strings.TrimSpace(string(groups)), "\n") {
		// hierarchy-ID:controllers:path; v2 is the line with ID 0 and no controllers.
		parts := strings.SplitN(line, ":", 3)
		if len(parts) != 3 {
			continue
		}
		base, file := "sys/fs/cgroup", "memory.max"
		if parts[0] != "0" || parts[1] != "" {
			if !hasController(parts[1], "memory") {
				continue
			}
			base, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		}
		for at := path.Clean("/" + parts[2]); ; at = path.Dir(at) {
			consider(limitFile(root, path.Join(base, at, file)))
			if at == "/" {
				break
			}
		}
	}
	return least, known
}

func hasController(list, name string) bool {
	for _, c := range strings.Split(list, ",") {
		if c == name {
			return true
		}
	}
	return false
}

// limitFile reads one limit; "max" and absent files are no limit.
func limitFile(root fs.FS, name string) (int64, bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil && n > 0
}

func machineTotal(root fs.FS) (int64, bool) {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0, false
	}
	for _, line := range bytes.Split(text, []byte("\n")) {
		rest, ok := bytes.CutPrefix(line, []byte("MemTotal:"))
		if !ok {
			continue
		}
		fields := bytes.Fields(rest)
		if len(fields) < 1 {
			return 0, false
		}
		kib, err := strconv.ParseInt(string(fields[0]), 10, 64)
		return kib << 10, err == nil
	}
	return 0, false
}
