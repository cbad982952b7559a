// Package measure runs a program as a whole process and says what it cost.
//
//	wall     from before the start to after the wait, so exec and exit count
//	CPU      user and system time, as the kernel accounts them at the end (wait4)
//	PeakRSS  the largest resident set, likewise; pages of mapped files are in it
//	PeakAnon the largest anonymous and shared memory, what the process allocated:
//	         read from /proc/PID/status every 5 ms, so a shorter peak is missed
//
// A child made by vfork inherits the high-water mark of its parent's resident
// set, so PeakRSS cannot be below that of this process: whoever measures must
// stay small, and what needs memory (comparing results) is a process of its own.
package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Command is a program to run.
type Command struct {
	Args []string // Args[0] is the program
	// Env is added to the environment.
	Env []string
	// Stdout is the file that standard output goes to, made anew; empty: dropped.
	Stdout string
	// Pipe is a file that cat writes to standard input; cat's CPU time does not
	// count, its wall time is in that of the program.
	Pipe string
}

// String is the command as one would type it in a shell.
func (c Command) String() string {
	var words []string
	if c.Pipe != "" {
		words = append(words, "cat", quote(c.Pipe), "|")
	}
	for _, e := range c.Env {
		words = append(words, e)
	}
	for _, a := range c.Args {
		words = append(words, quote(a))
	}
	if c.Stdout != "" {
		words = append(words, ">", quote(c.Stdout))
	}
	return strings.Join(words, " ")
}

func quote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n\"'`$&|;<>()*?[]#~!\\{}") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Usage is what one run cost.
type Usage struct {
	Wall, User, System time.Duration
	PeakRSS, PeakAnon  int64 // bytes
	Stderr             string
}

// CPU is user and system time.
func (u Usage) CPU() time.Duration { return u.User + u.System }

// Run runs the command to its end. A program that exits with another status
// than 0 is an error with the last lines of what it wrote to standard error.
func Run(ctx context.Context, c Command) (Usage, error) {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Env = append(os.Environ(), c.Env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if c.Stdout != "" {
		f, err := os.Create(c.Stdout)
		if err != nil {
			return Usage{}, err
		}
		defer f.Close()
		cmd.Stdout = f
	}
	var cat *exec.Cmd
	if c.Pipe != "" {
		cat = exec.CommandContext(ctx, "cat", c.Pipe)
		read, write, err := os.Pipe()
		if err != nil {
			return Usage{}, err
		}
		cat.Stdout, cmd.Stdin = write, read
		defer read.Close()
		defer write.Close()
	}
	start := time.Now()
	if cat != nil {
		if err := cat.Start(); err != nil {
			return Usage{}, err
		}
		cat.Stdout.(io.Closer).Close()
	}
	if err := cmd.Start(); err != nil {
		return Usage{}, err
	}
	if cat != nil {
		cmd.Stdin.(io.Closer).Close()
	}
	watch := watchMemory(cmd.Process.Pid)
	err := cmd.Wait()
	u := Usage{Wall: time.Since(start), PeakAnon: watch(), Stderr: stderr.String()}
	if cat != nil {
		err = errors.Join(err, cat.Wait())
	}
	if rusage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.User, u.System = cmd.ProcessState.UserTime(), cmd.ProcessState.SystemTime()
		u.PeakRSS = rusage.Maxrss * 1024
	}
	if err != nil {
		return u, fmt.Errorf("%s: %w%s", c, err, lastLines(stderr.String(), 5))
	}
	return u, nil
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return ""
	}
	return "\n\t" + strings.Join(lines[max(0, len(lines)-n):], "\n\t")
}

// watchMemory samples a process until the returned function is called, which
// gives the largest sum of anonymous and shared memory seen.
func watchMemory(pid int) func() int64 {
	stop, peak := make(chan struct{}), make(chan int64)
	go func() {
		// The process may be gone before it is looked at: no sample then.
		status, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			<-stop
			peak <- 0
			return
		}
		defer status.Close()
		text := make([]byte, 4096)
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		var most int64
		for {
			if n, err := status.ReadAt(text, 0); err == nil || errors.Is(err, io.EOF) {
				most = max(most, field(text[:n], "RssAnon:")+field(text[:n], "RssShmem:"))
			}
			select {
			case <-stop:
				peak <- most
				return
			case <-tick.C:
			}
		}
	}()
	return func() int64 {
		close(stop)
		return <-peak
	}
}

// field reads "RssAnon:	   1234 kB" of /proc/PID/status, in bytes.
func field(status []byte, name string) int64 {
	_, rest, found := bytes.Cut(status, []byte(name))
	if !found {
		return 0
	}
	words := bytes.Fields(rest[:min(len(rest), 40)])
	if len(words) == 0 {
		return 0
	}
	kilobytes, err := strconv.ParseInt(string(words[0]), 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes * 1024
}

// WarmCache reads files once, so that the first run finds them in memory like
// all others.
func WarmCache(paths ...string) error {
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
