package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"arrowagg/bench/internal/dataset"
	"arrowagg/bench/internal/measure"
	"arrowagg/bench/internal/peer"
	"arrowagg/bench/internal/query"
	"arrowagg/bench/internal/report"
	"arrowagg/bench/internal/sample"
)

type scale struct {
	dirs    peer.Dirs
	rows    int64
	runs    int
	output  string
	timeout time.Duration
	keep    bool
}

// experiment measures every variant on every query and returns its table: a
// row for each variant, wall time and cost per row for each query.
func (s scale) experiment(ctx context.Context, e experiment) (string, error) {
	t := report.Table{Header: []string{"variant"}, Rows: make([][]string, len(e.variants))}
	for i, v := range e.variants {
		t.Rows[i] = []string{v.label}
	}
	for _, name := range e.queries {
		q, ok := query.Find(name)
		if !ok {
			return "", fmt.Errorf("no query %q", name)
		}
		runs, rows, err := s.variants(ctx, q, e.variants)
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		t.Header = append(t.Header, name+", s", "ns a row", "ratio", "MB")
		base := perRow(runs[0], rows[0])
		for i := range e.variants {
			cost := perRow(runs[i], rows[i])
			t.Rows[i] = append(t.Rows[i], report.Seconds(runs[i].Wall()), fmt.Sprintf("%.1f", cost),
				fmt.Sprintf("%.2f", cost/base), report.Megabytes(runs[i].Anon()))
		}
	}
	return fmt.Sprintf("\n### %s\n\n%s", e.title, t.String()), nil
}

// perRow is the median wall time of a row in nanoseconds.
func perRow(runs sample.Runs, rows int64) float64 { return float64(runs.Wall()) / float64(rows) }

// variants runs the query on every variant in turn, a warm-up round first, in
// which the variants' results are compared.
func (s scale) variants(
	ctx context.Context, q query.Query, variants []variant,
) (runs []sample.Runs, rows []int64, err error) {
	var commands []measure.Command
	if !s.keep {
		// All variants' files at once would be more than a disk is asked for.
		defer func() { err = errors.Join(err, os.RemoveAll(variantsDirectory)) }()
	}
	result := filepath.Join(s.output, "scale.arrows")
	for _, v := range variants {
		spec := q.Data(s.rows, 0)
		if v.change != nil {
			v.change(&spec)
		}
		command, err := s.command(ctx, q, v, spec, result)
		if err != nil {
			return nil, nil, err
		}
		commands = append(commands, command)
		rows = append(rows, spec.Rows*v.times())
	}
	runs = make([]sample.Runs, len(variants))
	var first [sha256.Size]byte
	for round := range s.runs + 1 {
		for i, v := range variants {
			u, err := s.run(ctx, commands[i])
			if err != nil {
				return nil, nil, err
			}
			if round > 0 {
				runs[i] = append(runs[i], u)
				progress("%-6s %d/%d %-24s %8.3f s", q.Name, round, s.runs, v.label, u.Wall.Seconds())
				continue
			}
			sum, err := digest(result)
			if err != nil {
				return nil, nil, err
			}
			if i == 0 {
				first = sum
			} else if sum != first && !v.otherRows {
				return nil, nil, fmt.Errorf("%q gives other bytes than %q on the same rows", v.label, variants[0].label)
			}
		}
	}
	return runs, rows, os.Remove(result)
}

// variantsDirectory has the tables that are not those of the comparison.
var variantsDirectory = filepath.Join("data", "scale")

// command makes the variant's files and the command line over them.
func (s scale) command(
	ctx context.Context, q query.Query, v variant, spec dataset.Spec, result string,
) (measure.Command, error) {
	dir := "data"
	if v.change != nil {
		dir = variantsDirectory
	}
	files, err := peer.Generate(ctx, s.dirs, spec, dir)
	if err != nil {
		return measure.Command{}, err
	}
	if err := measure.WarmCache(files...); err != nil {
		return measure.Command{}, err
	}
	subject, err := peer.Select([]string{"arrowagg"})
	if err != nil {
		return measure.Command{}, err
	}
	command := subject[0].Command(s.dirs, q.Job(files[0], result))
	command.Args = slices.Insert(command.Args, len(command.Args)-1, v.args...)
	if v.piped {
		command.Pipe = files[0]
		command.Args[len(command.Args)-1] = "-"
	} else {
		command.Args = append(command.Args, files[1:]...)
	}
	return command, nil
}

func (s scale) run(ctx context.Context, command measure.Command) (measure.Usage, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	return measure.Run(ctx, command)
}

func digest(path string) (sum [sha256.Size]byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return sum, err
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
