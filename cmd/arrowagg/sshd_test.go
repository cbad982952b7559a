package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdNodes makes hosts that ssh reaches, NAME…: directories beside each other in
// $WORK, each behind an sshd that a connection starts for itself, without a
// port. Removing bin/NAME takes a host off the network.
func cmdNodes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: nodes NAME…")
	}
	dir := ts.Getenv("WORK")
	ts.Check(makeNodes(dir, ts.Getenv("PATH"), args...))
	ts.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+ts.Getenv("PATH"))
}

// canConnect tells whether this user may start an sshd here and log in to it.
var canConnect = sync.OnceValue(func() bool {
	for _, program := range []string{"ssh", "ssh-keygen", "sshd"} {
		if !installed(program) {
			return false
		}
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	if makeNodes(dir, os.Getenv("PATH"), "node") != nil {
		return false
	}
	return exec.Command(filepath.Join(dir, "bin/ssh"), "node", "true").Run() == nil
})

func makeNodes(dir, path string, names ...string) error {
	ssh, err := exec.LookPath("ssh")
	if err != nil {
		return err
	}
	sshd, err := exec.LookPath("sshd")
	if err != nil {
		sshd = "/usr/sbin/sshd"
	}
	bin, key := filepath.Join(dir, "bin"), filepath.Join(dir, "key")
	if err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).Run(); err != nil {
		return err
	}
	files := map[string]string{
		"config": fmt.Sprintf(`IdentityFile %[1]s/key
IdentitiesOnly yes
UserKnownHostsFile %[1]s/known
StrictHostKeyChecking no
LogLevel ERROR
BatchMode yes
ProxyCommand %[1]s/bin/%%n
`, dir),
		"bin/ssh": fmt.Sprintf("#!/bin/sh\nexec %s -F %s/config \"$@\"\n", ssh, dir),
	}
	for _, name := range names {
		files["bin/"+name] = fmt.Sprintf("#!/bin/sh\nexec %s -i -f %s/%s.conf\n", sshd, dir, name)
		files[name+".conf"] = fmt.Sprintf(`HostKey %[1]s/key
AuthorizedKeysFile %[1]s/key.pub
StrictModes no
UsePAM no
PidFile none
ForceCommand cd %[1]s/%[2]s && exec env PATH=%[3]s:%[4]s sh -c "$SSH_ORIGINAL_COMMAND"
`, dir, name, bin, path)
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(bin, 0o777); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			return err
		}
	}
	return nil
}

// installed tells whether a program is where users or administrators have theirs.
func installed(program string) bool {
	_, err := exec.LookPath(program)
	if err != nil {
		_, err = exec.LookPath("/usr/sbin/" + program)
	}
	return err == nil
}
