//go:build unix

package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSlurmRecipe submits the README's array and its merge to a Slurm of one
// node, whose daemons it starts for itself.
func TestSlurmRecipe(t *testing.T) {
	if testing.Short() {
		t.Skip("a scheduler takes its time")
	}
	c := startSlurm(t)
	recipe, err := filepath.Abs("../../testdata/recipes/slurm.sh")
	if err != nil {
		t.Fatal(err)
	}
	// submit runs the recipe in the directory of the run, and returns how its
	// merge ended and what that printed.
	submit := func(shards ...string) (state, printed string) {
		job := strings.TrimSpace(c.run("sh", append([]string{recipe}, shards...)...))
		state = c.ended(job)
		b, err := os.ReadFile(filepath.Join(c.work, "slurm-"+job+".out"))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return state, string(b)
	}
	merged, part := filepath.Join(c.work, "merged.csv"), filepath.Join(c.work, "parts/3.arrows")
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	same := func(when string) {
		t.Helper()
		want := c.run("sh", "-c", "arrowagg -f csv data/*.arrows")
		if got, err := os.ReadFile(merged); err != nil || string(got) != want {
			t.Errorf("%s: not the bytes of one run, but %.300q, %v", when, got, err)
		}
	}

	must(os.CopyFS(filepath.Join(c.work, "data"), os.DirFS("../../testdata/workers")))
	if state, printed := submit(); state != "COMPLETED" || printed != "" {
		t.Fatalf("%s, printing %q", state, printed)
	}
	same("four shards")

	// A worker that cannot write its part: the merge does not start.
	must(os.Remove(merged))
	must(os.Remove(part))
	must(os.Mkdir(part, 0o777))
	if state, printed := submit(); state != "CANCELLED" || printed != "" {
		t.Errorf("with a shard that fails: %s, printing %q", state, printed)
	}
	if _, err := os.Stat(merged); err == nil {
		t.Error("with a shard that fails there is a result")
	}
	must(os.Remove(part))
	if out, err := c.command("sh", "-c", "arrowagg --expect 4 parts/*.arrows").CombinedOutput(); err == nil ||
		string(out) != "arrowagg: --expect 4: missing shards: 3\n" {
		t.Errorf("without it: %v, %s", err, out)
	}
	if state, printed := submit("3"); state != "COMPLETED" || printed != "" {
		t.Errorf("with the shard run again: %s, printing %q", state, printed)
	}
	same("a shard run again")

	// A shard that is there twice.
	must(os.Rename(part, filepath.Join(c.work, "parts/again.arrows")))
	must(os.Remove(merged))
	if state, printed := submit("3"); state != "FAILED" ||
		printed != "arrowagg: parts/again.arrows: holds shard 3 of 4, which parts/3.arrows holds too\n" {
		t.Errorf("with a shard twice: %s, printing %q", state, printed)
	}
	if _, err := os.Stat(merged); err == nil {
		t.Error("with a shard twice there is a result")
	}
}

// slurm is a cluster of one node, and the directory that it works in.
type slurm struct {
	t    *testing.T
	conf string
	work string
}

// startSlurm skips the test where there is no Slurm, or none that runs.
func startSlurm(t *testing.T) *slurm {
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch", "scontrol"} {
		if !installed(program) {
			t.Skip("there is no " + program)
		}
	}
	dir := t.TempDir()
	c := &slurm{t: t, conf: filepath.Join(dir, "slurm.conf"), work: filepath.Join(dir, "work")}
	u, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"work", "state", "spool"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	key := []byte(strings.Repeat("a key that guards nothing but this test. ", 4))
	if err := os.WriteFile(filepath.Join(dir, "key"), key, 0o400); err != nil {
		t.Fatal(err)
	}
	conf := strings.NewReplacer("DIR", dir, "USER", u.Username, "PORT1", freePort(t), "PORT2", freePort(t)).Replace(slurmConf)
	if err := os.WriteFile(c.conf, []byte(conf), 0o666); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	log, err := os.Create(in("log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	c.daemon(log, "munged", "--foreground", "--force", "--key-file="+in("key"), "--socket="+in("socket"),
		"--pid-file="+in("munged.pid"), "--log-file="+in("munged.log"), "--seed-file="+in("seed"))
	c.daemon(log, "slurmctld", "-D")
	c.daemon(log, "slurmd", "-D", "-N", "localhost")
	for range 100 {
		out, err := c.command("scontrol", "show", "node", "localhost", "--oneliner").Output()
		if err == nil && strings.Contains(string(out), "State=IDLE ") {
			return c
		}
		time.Sleep(200 * time.Millisecond)
	}
	said, _ := os.ReadFile(log.Name())
	t.Skipf("Slurm's daemons do not run here: %s", said)
	return nil
}

const slurmConf = `ClusterName=recipe
SlurmctldHost=localhost
SlurmctldPort=PORT1
SlurmdPort=PORT2
SlurmUser=USER
SlurmdUser=USER
AuthInfo=socket=DIR/socket
StateSaveLocation=DIR/state
SlurmdSpoolDir=DIR/spool
SlurmctldPidFile=DIR/slurmctld.pid
SlurmdPidFile=DIR/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
NodeName=localhost CPUs=4
PartitionName=all Nodes=localhost Default=YES
`

// daemon starts a program that runs until the test ends.
func (c *slurm) daemon(log *os.File, name string, args ...string) {
	cmd := c.command(name, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	c.t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			cmd.Process.Kill()
			<-ended
		}
	})
}

func (c *slurm) command(name string, args ...string) *exec.Cmd {
	if _, err := exec.LookPath(name); err != nil {
		name = "/usr/sbin/" + name
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = c.work
	cmd.Env = append(os.Environ(), "SLURM_CONF="+c.conf)
	return cmd
}

func (c *slurm) run(name string, args ...string) string {
	c.t.Helper()
	cmd := c.command(name, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		c.t.Fatalf("%s %v: %v\n%s%s", name, args, err, out, &stderr)
	}
	return string(out)
}

// ended waits for a job's end and returns its state.
func (c *slurm) ended(job string) string {
	c.t.Helper()
	for range 600 {
		_, state, _ := strings.Cut(c.run("scontrol", "show", "job", job, "--oneliner"), " JobState=")
		state, _, _ = strings.Cut(state, " ")
		switch state {
		case "PENDING", "RUNNING", "COMPLETING", "CONFIGURING":
			time.Sleep(100 * time.Millisecond)
		default:
			return state
		}
	}
	c.t.Fatalf("job %s does not end", job)
	return ""
}

// freePort is a port of this machine that nobody listens on.
func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}
