package measure

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRunMeasures(t *testing.T) {
	// The shell holds 40 MB in a variable for half a second, then works.
	script := `x=$(head -c 40000000 /dev/zero | tr '\0' a); sleep 0.5; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done`
	u, err := Run(context.Background(), Command{Args: []string{"sh", "-c", script}})
	if err != nil {
		t.Fatal(err)
	}
	if u.Wall < 500*time.Millisecond {
		t.Errorf("wall time %s", u.Wall)
	}
	if u.CPU() <= 0 || u.CPU() > time.Minute {
		t.Errorf("processor time %s", u.CPU())
	}
	if u.PeakRSS < 40e6 {
		t.Errorf("peak of %d resident bytes, want 40 MB", u.PeakRSS)
	}
	if u.PeakAnon < 40e6 || u.PeakAnon > u.PeakRSS {
		t.Errorf("peak of %d allocated bytes, want 40 MB, and no more than %d resident", u.PeakAnon, u.PeakRSS)
	}
}

func TestRunRedirects(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, []byte("some text"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := Command{Args: []string{"sh", "-c", "cat; echo $WORD"}, Pipe: in, Stdout: out, Env: []string{"WORD=more"}}
	if _, err := Run(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != "some textmore\n" {
		t.Errorf("output %q", got)
	}
	if text := c.String(); !strings.HasPrefix(text, "cat ") || !strings.Contains(text, "'cat; echo $WORD' > ") {
		t.Errorf("command line %q", text)
	}
}

func TestFailureSaysWhy(t *testing.T) {
	_, err := Run(context.Background(), Command{Args: []string{"sh", "-c", "echo one >&2; echo the reason >&2; exit 3"}})
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "the reason") {
		t.Errorf("error %v", err)
	}
	if _, err := Run(context.Background(), Command{Args: []string{"/no/such/program"}}); err == nil {
		t.Error("a program that is not there ran")
	}
}

func TestTimeoutEndsTheProgram(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := Run(ctx, Command{Args: []string{"sleep", "60"}}); err == nil {
		t.Error("no error")
	}
	if time.Since(start) > 10*time.Second {
		t.Error("the program was not ended")
	}
}
