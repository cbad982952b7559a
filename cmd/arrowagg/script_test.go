package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/rogpeppe/go-internal/testscript"

	"arrowagg/internal/arrowtest"
)

// withoutExitSleep is for the environment of children: a race-enabled process
// otherwise sleeps for a second as it exits.
const withoutExitSleep = "GORACE=atexit_sleep_ms=0"

// TestMain makes the test binary stand in for the programs that scripts run,
// so that they need no build and the race detector sees them.
func TestMain(m *testing.M) {
	os.Setenv("GORACE", withoutExitSleep[len("GORACE="):]) // of the children; this process has read its own
	testscript.Main(m, map[string]func(){
		"arrowagg": main,
		"onebyte":  oneByteAtATime,
		"starving": starving,
		"stubborn": stubborn,
	})
}

// TestScripts runs testdata/script. Beside testscript's own commands they have
//
//	stream [flags] TEXT…      NAME.txt, an arrowtest text → NAME.arrows (-h lists the flags)
//	readback FILE             an Arrow stream or file → its text on stdout
//	ones ROWS FILE            one batch of that many rows, k = "a" and v_sum = 1
//	replace IN OUT OLD NEW    bytes in hex; OLD must occur just once; @N overwrites at offset N
//	exits CODE PROGRAM ARG…   runs it; any other exit code fails the script
//	nodes NAME…               hosts for ssh, if [sshd]
//
// and the programs `onebyte FILE`, which writes a file to a pipe byte by byte;
// `starving FILE`, which gets no memory while it writes FILE as -o does; and
// `stubborn`, which a signal finds unable to remove its temporary files.
// After every exits a script asserts both outputs; TestScriptsAssertBothOutputs
// sees to it. -update rewrites what cmp compares with.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"stream":   cmdStream,
			"readback": cmdReadback,
			"ones":     cmdOnes,
			"replace":  cmdReplace,
			"exits":    cmdExits,
			"nodes":    cmdNodes,
		},
		Condition: func(cond string) (bool, error) {
			if cond != "sshd" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return canConnect(), nil
		},
		Setup: func(env *testscript.Env) error {
			root, err := filepath.Abs("../..")
			env.Setenv("ROOT", root)
			env.Setenv("GORACE", os.Getenv("GORACE")) // scripts begin with few variables
			return err
		},
	})
}

var update = flag.Bool("update", false, "rewrite the expected outputs in the scripts")

func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func cmdStream(ts *testscript.TestScript, neg bool, args []string) {
	fs := flag.NewFlagSet("stream", flag.ContinueOnError)
	out := fs.String("o", "", "output file (default: NAME.arrows of NAME.txt)")
	codec := fs.String("codec", "none", "none, lz4 or zstd")
	file := fs.Bool("file", false, "the IPC file format")
	noEOS := fs.Bool("no-eos", false, "no end-of-stream marker")
	deltas := fs.Bool("delta", false, "send grown dictionaries as deltas")
	slice := fs.Int("slice", 0, "batches are slices that begin at this row of longer ones")
	if err := fs.Parse(args); err != nil || neg || fs.NArg() == 0 || (*out != "" && fs.NArg() != 1) {
		ts.Fatalf("usage: stream [flags] TEXT…")
	}
	encoding := arrowtest.Encoding{Codec: *codec, File: *file, NoEndMarker: *noEOS, Deltas: *deltas}
	for _, name := range fs.Args() {
		s, err := arrowtest.Parse(ts.ReadFile(name))
		if err != nil {
			ts.Fatalf("%s: %v", name, err)
		}
		var b []byte
		if *slice > 0 {
			recs, sliceErr := s.Slices(*slice, 2)
			ts.Check(sliceErr)
			b, err = arrowtest.Encode(s.Schema(), recs, encoding)
		} else {
			b, err = s.Encode(encoding)
		}
		if err != nil {
			ts.Fatalf("%s: %v", name, err)
		}
		target := *out
		if target == "" {
			target = strings.TrimSuffix(name, filepath.Ext(name)) + ".arrows"
		}
		ts.Check(os.WriteFile(ts.MkAbs(target), b, 0o666))
	}
}

func cmdReadback(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: readback FILE")
	}
	s, rest, err := arrowtest.Read([]byte(ts.ReadFile(args[0])))
	if err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	if len(rest) > 0 {
		ts.Fatalf("%s: %d bytes after the end marker", args[0], len(rest))
	}
	fmt.Fprint(ts.Stdout(), s)
}

func cmdReplace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: replace IN OUT OLD NEW")
	}
	b := []byte(ts.ReadFile(args[0]))
	replacement, err := hex.DecodeString(args[3])
	ts.Check(err)
	if offset, ok := strings.CutPrefix(args[2], "@"); ok {
		at, err := strconv.Atoi(offset)
		ts.Check(err)
		copy(b[at:], replacement)
	} else {
		old, err := hex.DecodeString(args[2])
		ts.Check(err)
		if n := bytes.Count(b, old); n != 1 {
			ts.Fatalf("%s holds %s %d times", args[0], args[2], n)
		}
		b = bytes.Replace(b, old, replacement, 1)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b, 0o666))
}

func cmdOnes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: ones ROWS FILE")
	}
	rows, err := strconv.Atoi(args[0])
	ts.Check(err)
	s := arrowtest.Must("k dictionary<int8, utf8> | v_sum int64\n--- k=[\"a\"]\n")
	recs, err := s.Records()
	ts.Check(err)
	indices := memory.NewBufferBytes(make([]byte, rows))
	ones := make([]int64, rows)
	for i := range ones {
		ones[i] = 1
	}
	k := array.NewDictionaryArray(s.Fields[0].Type,
		array.NewInt8Data(array.NewData(arrow.PrimitiveTypes.Int8, rows, []*memory.Buffer{nil, indices}, nil, 0, 0)),
		recs[0].Column(0).(*array.Dictionary).Dictionary())
	v := array.NewInt64Data(array.NewData(arrow.PrimitiveTypes.Int64, rows,
		[]*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(ones))}, nil, 0, 0))
	f, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	defer f.Close()
	w := ipc.NewWriter(f, ipc.WithSchema(s.Schema()))
	ts.Check(w.Write(array.NewRecordBatch(s.Schema(), []arrow.Array{k, v}, int64(rows))))
	ts.Check(w.Close())
}

// oneByteAtATime is a writer that a pipe's reader must not take for the end
// of its input: every read gives one byte, and some wait.
func oneByteAtATime() {
	b, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for i := range b {
		if _, err := os.Stdout.Write(b[i : i+1]); err != nil {
			os.Exit(1)
		}
		if i%100 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
}

// TestScriptsAssertBothOutputs keeps the scripts honest: a run whose output
// nobody looks at proves nothing.
func TestScriptsAssertBothOutputs(t *testing.T) {
	names, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		script, _, _ := strings.Cut("\n"+string(b), "\n-- ")
		for _, run := range strings.Split(script, "\nexits ")[1:] {
			for _, output := range []string{"stdout", "stderr"} {
				if !asserts(run, output) {
					command, _, _ := strings.Cut(run, "\n")
					t.Errorf("%s: nothing is asserted of %s after: exits %s", name, output, command)
				}
			}
		}
	}
}

// asserts tells whether a line of the script looks at that output.
func asserts(script, output string) bool {
	for _, line := range strings.Split(script, "\n")[1:] {
		words := strings.Fields(strings.TrimPrefix(line, "! "))
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case output:
			return true
		case "cmp", "cmpenv", "cp", "grep", "readback", "stdin":
			if strings.Contains(line, " "+output) {
				return true
			}
		}
	}
	return false
}
