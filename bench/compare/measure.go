package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"arrowagg/bench/internal/measure"
	"arrowagg/bench/internal/peer"
	"arrowagg/bench/internal/query"
	"arrowagg/bench/internal/sample"
)

// comparison is one whole measurement: engines × queries.
type comparison struct {
	dirs    peer.Dirs
	rows    int64
	seed    uint64
	runs    int
	queries []query.Query
	peers   []peer.Peer
	output  string
	timeout time.Duration

	load     string            // of the machine before the first run
	versions map[string]string // by engine
	absent   []string          // engines that are not set up, and why
	outcomes []outcome         // by query
}

// outcome is one query on all engines.
type outcome struct {
	query    query.Query
	input    string
	groups   int64
	runs     map[string]sample.Runs     // by engine
	commands map[string]measure.Command // by engine
	failures map[string]string          // engines that gave no or another answer
}

// setUp builds the programs and asks every engine for its version. Engines
// that were named must be there; of all, those are taken that are.
func (c *comparison) setUp(names []string) error {
	peers, err := peer.Select(names)
	if err != nil {
		return err
	}
	notes, err := peer.Build(c.dirs, peers)
	if err != nil {
		return err
	}
	for _, note := range notes {
		progress("%s", note)
	}
	c.versions = map[string]string{}
	for _, p := range peers {
		version, err := p.Version(c.dirs)
		if err != nil {
			if len(names) > 0 || p.Subject {
				return err
			}
			c.absent = append(c.absent, err.Error())
			continue
		}
		c.versions[p.Name] = version
		c.peers = append(c.peers, p)
	}
	if len(c.peers) == 0 {
		return errors.New("no engine is set up")
	}
	return nil
}

func (c *comparison) measure(ctx context.Context) error {
	for _, q := range c.queries {
		paths, err := peer.Generate(ctx, c.dirs, q.Data(c.rows, c.seed), "data")
		if err != nil {
			return err
		}
		o, err := c.query(ctx, q, paths[0])
		if err != nil {
			return err
		}
		c.outcomes = append(c.outcomes, o)
	}
	return nil
}

func (c *comparison) query(ctx context.Context, q query.Query, input string) (outcome, error) {
	o := outcome{
		query: q, input: input,
		runs:     map[string]sample.Runs{},
		commands: map[string]measure.Command{},
		failures: map[string]string{},
	}
	if err := measure.WarmCache(input); err != nil {
		return o, err
	}
	for _, p := range c.peers {
		o.commands[p.Name] = p.Command(c.dirs, q.Job(input, filepath.Join(c.output, q.Name+"."+p.Name+".arrows")))
	}
	if err := c.firstRound(ctx, &o); err != nil {
		return o, err
	}
	for round := range c.runs {
		for _, p := range c.peers {
			if o.failures[p.Name] != "" {
				continue
			}
			u, err := c.run(ctx, o.commands[p.Name])
			if err := errors.Join(err, os.Remove(c.result(o, p))); err != nil {
				return o, err
			}
			o.runs[p.Name] = append(o.runs[p.Name], u)
			progress("%-6s %d/%d %-10s %8.3f s  %6.0f MB", q.Name, round+1, c.runs, p.Name,
				u.Wall.Seconds(), float64(u.PeakRSS)/1e6)
		}
	}
	return o, nil
}

func (c *comparison) run(ctx context.Context, command measure.Command) (measure.Usage, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	return measure.Run(ctx, command)
}

func (c *comparison) result(o outcome, p peer.Peer) string {
	return filepath.Join(c.output, o.query.Name+"."+p.Name+".arrows")
}

// firstRound runs every engine once, compares its result with the first one's
// and notes those that fail.
func (c *comparison) firstRound(ctx context.Context, o *outcome) error {
	reference := ""
	for _, p := range c.peers {
		result := c.result(*o, p)
		_, err := c.run(ctx, o.commands[p.Name])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case err != nil:
			o.failures[p.Name] = err.Error()
		case p.Floor:
		case reference == "":
			if o.groups, err = c.groups(result); err != nil {
				return err
			}
			reference = result
		default:
			if differences, err := c.compare(o.query, reference, result); err != nil {
				o.failures[p.Name] = "another answer: " + differences
			}
		}
		if why := o.failures[p.Name]; why != "" {
			progress("%s: %s: %s", o.query.Name, p.Name, why)
		}
		if result != reference {
			// A failed run may have left nothing.
			if err := os.RemoveAll(result); err != nil {
				return err
			}
		}
	}
	if reference == "" {
		return nil
	}
	return os.Remove(reference)
}

// groups and compare run the program check: this process must stay small, see
// package measure.
func (c *comparison) groups(result string) (int64, error) {
	out, err := exec.Command(filepath.Join(c.dirs.Bin, "check"), result).Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", result, err)
	}
	return strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
}

func (c *comparison) compare(q query.Query, want, got string) (differences string, err error) {
	out, err := exec.Command(filepath.Join(c.dirs.Bin, "check"), "-keys", strings.Join(q.Keys, ","),
		"-approximate", strings.Join(q.Approximate(), ","), want, got).CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
