package conformance

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

var seed = flag.Uint64("seed", 0, "seed of the random tables and plans; 0: a new one each time")

// built is for a tree that does not build at the moment, or to test another
// version.
var built = flag.String("arrowagg", "", "test this arrowagg instead of building one")

// python is the interpreter that setup.sh makes.
const python = "../.venv/bin/python"

// engines is the running engines.py.
type engines struct {
	mu  sync.Mutex
	in  *json.Encoder
	out *bufio.Scanner
}

// running is made once for all tests; the process ends with its standard input,
// that is, with the tests.
var running = sync.OnceValues(func() (*engines, error) {
	if _, err := os.Stat(python); err != nil {
		return nil, fmt.Errorf("no engines: %w", err)
	}
	cmd := exec.Command(python, "engines.py")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	e := &engines{in: json.NewEncoder(in), out: bufio.NewScanner(out)}
	e.out.Buffer(nil, 1<<20)
	_, err = e.reply()
	return e, err
})

// start returns the engines or skips the test.
func start(t *testing.T) *engines {
	t.Helper()
	e, err := running()
	if err != nil {
		t.Skipf("the engines are not set up (run ./setup.sh in bench): %v", err)
	}
	return e
}

// question is a line to engines.py.
type question struct {
	Op     string   `json:"op"`
	Engine string   `json:"engine"`
	Inputs []string `json:"inputs"`
	SQL    string   `json:"sql,omitempty"`
	Output string   `json:"output"`
}

// ask has one question answered.
func (e *engines) ask(q question) (rows int64, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.in.Encode(q); err != nil {
		return 0, err
	}
	return e.reply()
}

func (e *engines) reply() (int64, error) {
	if !e.out.Scan() {
		return 0, errors.Join(errors.New("engines.py ended"), e.out.Err(), io.ErrUnexpectedEOF)
	}
	var reply struct {
		Rows  int64
		Error string
	}
	if err := json.Unmarshal(e.out.Bytes(), &reply); err != nil {
		return 0, err
	}
	if reply.Error != "" {
		return 0, errors.New(reply.Error)
	}
	return reply.Rows, nil
}

// binary is the arrowagg under test, built once.
var binary = sync.OnceValues(func() (string, error) {
	if *built != "" {
		return filepath.Abs(*built)
	}
	dir, err := os.MkdirTemp("", "arrowagg-conformance-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "arrowagg")
	cmd := exec.Command("go", "build", "-o", path, "./cmd/arrowagg")
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build arrowagg: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	flag.Parse()
	status := m.Run()
	if path, err := binary(); err == nil && *built == "" {
		if err := os.RemoveAll(filepath.Dir(path)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status)
}

// arrowagg runs the program, which must succeed, and returns what it printed.
func arrowagg(t *testing.T, args ...string) string {
	t.Helper()
	out, err := tryArrowagg(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func tryArrowagg(t *testing.T, args ...string) (string, error) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("arrowagg %q: %w\n%s", args, err, stderr.String())
	}
	return stdout.String(), nil
}
