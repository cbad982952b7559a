// Package peer is the table of engines: how each is asked its version and
// how it runs a job as one process.
package peer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"arrowagg/bench/internal/job"
	"arrowagg/bench/internal/measure"
)

// Peer is an engine.
type Peer struct {
	Name string // as -engines has it
	// Subject marks arrowagg itself, Floor what is no engine; neither is among
	// those of which the fastest is sought.
	Subject, Floor bool
	// Command runs the job.
	Command func(d Dirs, j job.Job) measure.Command
	// version is the command that prints the engine's name and version.
	version func(d Dirs) []string
	built   bool   // a Go program of this module
	tags    string // with these build tags
}

// Dirs is where things are, relative to the working directory.
type Dirs struct {
	Bench string // this module
	Bin   string // the built programs
	// Arrowagg is a program that is there already; empty: built into Bin.
	Arrowagg string
}

func (d Dirs) arrowagg() string {
	if d.Arrowagg != "" {
		return d.Arrowagg
	}
	return filepath.Join(d.Bin, "arrowagg")
}

// Enter looks for this module from the working directory upwards and makes it
// the working directory, so that every command is printed as one can type it
// there. The path of an arrowagg, if not empty, is one relative to the working
// directory before.
func Enter(arrowagg string) (Dirs, error) {
	if arrowagg != "" {
		var err error
		if arrowagg, err = filepath.Abs(arrowagg); err != nil {
			return Dirs{}, err
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return Dirs{}, err
	}
	for {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil &&
			strings.HasPrefix(string(text), "module arrowagg/bench\n") {
			return Dirs{Bench: ".", Bin: filepath.Join("data", "bin"), Arrowagg: arrowagg}, os.Chdir(dir)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return Dirs{}, errors.New("the working directory is not below the module arrowagg/bench")
		}
		dir = parent
	}
}

// Python is the interpreter that setup.sh prepares.
func (d Dirs) Python() string { return filepath.Join(d.Bench, ".venv", "bin", "python") }

// Peers is the table: arrowagg, the floor, then the engines.
var Peers = []Peer{
	{
		Name: "arrowagg", Subject: true,
		Command: arrowagg,
		version: func(d Dirs) []string { return []string{d.arrowagg(), "--version"} },
	},
	inGo("touch", Peer{Floor: true}),
	inGo("duckdbgo", Peer{tags: "duckdb_arrow"}),
	inPython("duckdb"),
	inPython("clickhouse"),
	inPython("polars"),
	inPython("datafusion"),
	inPython("acero"),
	inGo("gomap", Peer{}),
}

// inGo is a peer that is a program of this module, under peers/NAME.
func inGo(name string, p Peer) Peer {
	p.Name, p.built = name, true
	p.Command = func(d Dirs, j job.Job) measure.Command {
		return measure.Command{Args: append([]string{filepath.Join(d.Bin, name)}, j.Arguments()...)}
	}
	p.version = func(d Dirs) []string { return []string{filepath.Join(d.Bin, name), "--version"} }
	return p
}

// inPython is a peer that is a script, peers/python/run_NAME.py.
func inPython(name string) Peer {
	script := func(d Dirs) string { return filepath.Join(d.Bench, "peers", "python", "run_"+name+".py") }
	return Peer{
		Name: name,
		Command: func(d Dirs, j job.Job) measure.Command {
			return measure.Command{Args: append([]string{d.Python(), script(d)}, j.Arguments()...)}
		},
		version: func(d Dirs) []string { return []string{d.Python(), script(d), "--version"} },
	}
}

// arrowagg's output goes through standard output: with -o it would be synced to
// the disk, which no other engine does.
func arrowagg(d Dirs, j job.Job) measure.Command {
	var calls []string
	for _, a := range j.Aggregates {
		column := a.Column
		if column == "" {
			column = "*"
		}
		call := a.Function + "(" + column + ")"
		if a.Name != job.DefaultName(a.Function, a.Column) {
			call += " as " + a.Name
		}
		calls = append(calls, call)
	}
	return measure.Command{
		Args: []string{
			d.arrowagg(), "-g", strings.Join(j.Keys, ","), "-a", strings.Join(calls, ","),
			"-f", "arrows", j.Input,
		},
		Stdout: j.Output,
	}
}

// Version asks the engine for its name and version. An error says that it is
// not set up.
func (p Peer) Version(d Dirs) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	args := p.version(d)
	out, err := exec.CommandContext(ctx, args[0], args[1:]...).Output()
	if err != nil {
		return "", fmt.Errorf("%s is not set up (run ./setup.sh): %w", p.Name, err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return first, nil
}

// Select returns the peers with these names, all for no name, in the table's order.
func Select(names []string) ([]Peer, error) {
	if len(names) == 0 {
		return Peers, nil
	}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	var chosen []Peer
	for _, p := range Peers {
		if wanted[p.Name] {
			chosen = append(chosen, p)
			delete(wanted, p.Name)
		}
	}
	for name := range wanted {
		return nil, fmt.Errorf("no engine %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return chosen, nil
}

// Names are the peers' names in order.
func Names() []string {
	var names []string
	for _, p := range Peers {
		names = append(names, p.Name)
	}
	return names
}
