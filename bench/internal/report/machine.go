package report

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Machine describes the machine in one line.
func Machine() string {
	model := field("/proc/cpuinfo", "model name")
	if model == "" {
		model = runtime.GOARCH
	}
	memory := strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB")
	var kilobytes float64
	if _, err := fmt.Sscan(memory, &kilobytes); err != nil {
		kilobytes = 0
	}
	kernel, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		kernel = []byte("unknown")
	}
	return fmt.Sprintf("%d × %s (family %s, model %s), %.0f GiB, %s %s, %s", runtime.NumCPU(), model,
		field("/proc/cpuinfo", "cpu family"), field("/proc/cpuinfo", "model"), kilobytes/(1<<20),
		runtime.GOOS, strings.TrimSpace(string(kernel)), goVersion())
}

// Load is the load average of the last minute: on a quiet machine below 0.5.
func Load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// field is the value of the first "name : value" line.
func field(path, name string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// goVersion is that of the go command that builds the programs.
func goVersion() string {
	out, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		return runtime.Version()
	}
	return strings.TrimSpace(string(out))
}

// MemoryDirectory is where a file is written to memory, so that no disk takes
// part: the write-back of one run would be in the time of the next.
func MemoryDirectory() string {
	if stat, err := os.Stat("/dev/shm"); err == nil && stat.IsDir() {
		return "/dev/shm/arrowagg-bench"
	}
	return filepath.Join("data", "out")
}
