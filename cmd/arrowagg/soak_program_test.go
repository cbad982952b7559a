//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// program is the real binary. Faults of the system strike processes, so the
// soak runs nothing in its own.
type program struct {
	path string
	most time.Duration // that a run may take on however busy a machine
}

// buildProgram builds it as a release is built, or with the race detector where
// SOAK_RACE is set.
func buildProgram(t *testing.T) program {
	t.Helper()
	p := program{path: filepath.Join(t.TempDir(), "arrowagg"), most: 2 * time.Minute}
	args, cgo := []string{"build", "-tags=arrow_json_stdlib", "-o", p.path, "."}, "CGO_ENABLED=0"
	if os.Getenv("SOAK_RACE") != "" {
		args, cgo = []string{"build", "-race", "-o", p.path, "."}, "CGO_ENABLED=1"
		p.most *= 5
	}
	build := exec.Command("go", args...)
	build.Env = append(os.Environ(), cgo)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return p
}

// launch is how a process is started.
type launch struct {
	args   []string
	limits string     // shell commands before it, such as ulimit -n 8
	stdin  *os.File   // nil: /dev/null
	extra  []*os.File // /dev/fd/3 and up
	stdout *os.File   // nil: collected
	temp   string     // TMPDIR
}

// child is a started process.
type child struct {
	command        *exec.Cmd
	stdout, stderr bytes.Buffer
	begun, ended   time.Time
	done           chan struct{}
	hung           atomic.Bool
}

// start runs the program. The files it is given are closed here, so that only
// the process holds them.
func (p program) start(l launch) *child {
	c := &child{done: make(chan struct{})}
	if l.limits == "" {
		c.command = exec.Command(p.path, l.args...)
	} else {
		script := l.limits + ` && exec "$0" "$@"`
		c.command = exec.Command("/bin/sh", append([]string{"-c", script, p.path}, l.args...)...)
	}
	c.command.Env = append(os.Environ(), "TMPDIR="+l.temp)
	if l.stdin != nil {
		c.command.Stdin = l.stdin
	}
	c.command.ExtraFiles = l.extra
	c.command.Stdout, c.command.Stderr = &c.stdout, &c.stderr
	if l.stdout != nil {
		c.command.Stdout = l.stdout
	}
	c.begun = time.Now()
	must(c.command.Start())
	for _, f := range append([]*os.File{l.stdin, l.stdout}, l.extra...) {
		if f != nil {
			f.Close()
		}
	}
	go c.watch(p.most)
	go func() {
		c.command.Wait() // how it ended is in ProcessState
		c.ended = time.Now()
		close(c.done)
	}()
	return c
}

// watch ends a process that hangs: one that for ten seconds has not used the
// processor, or does not come to an end at all.
func (c *child) watch(most time.Duration) {
	before := -1
	for time.Since(c.begun) < most {
		select {
		case <-c.done:
			return
		case <-time.After(10 * time.Second):
		}
		now := c.ticks()
		if now == before {
			break
		}
		before = now
	}
	c.hung.Store(true)
	c.signal(syscall.SIGQUIT) // shows where
	time.Sleep(2 * time.Second)
	c.signal(syscall.SIGKILL)
}

// ticks is how much of the processor was used, in hundredths of a second; where
// the system does not tell, how long it runs.
func (c *child) ticks() int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.command.Process.Pid))
	fields := strings.Fields(string(stat))
	if err != nil || len(fields) < 15 {
		return int(time.Since(c.begun) / (10 * time.Millisecond))
	}
	user, _ := strconv.Atoi(fields[13])
	system, _ := strconv.Atoi(fields[14])
	return user + system
}

// signal does nothing once the process is gone.
func (c *child) signal(s syscall.Signal) { c.command.Process.Signal(s) }

// ending is how a process ended.
type ending struct {
	outcome
	signal syscall.Signal // that it died of; 0: it exited
	hung   bool
	at     time.Time
	took   time.Duration
}

func (c *child) wait() ending {
	<-c.done
	e := ending{hung: c.hung.Load(), at: c.ended, took: c.ended.Sub(c.begun)}
	e.code = c.command.ProcessState.ExitCode()
	e.stdout, e.stderr = c.stdout.String(), c.stderr.String()
	if status := c.command.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		e.signal = status.Signal()
	}
	return e
}

// must is for what fails only where the soak itself is wrong.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
