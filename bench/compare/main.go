// Command compare measures arrowagg against the engines that people would use
// otherwise.
//
//	./setup.sh                              # once: the engines
//	go run ./compare                        # everything, 1e7 rows, 5 runs
//	go run ./compare -rows 1e6 -runs 3 -queries q1,q2 -engines arrowagg,duckdb
//	go run ./compare -write                 # and put the tables into README.md
//
// Every run is a whole process from start to exit that reads the same Arrow
// IPC stream (in the page cache) and writes its result as an Arrow IPC stream
// to a file in memory. The engines alternate, A B C A B C …; a round before
// the counted ones warms up, and in it each result is compared with the first
// engine's: an engine with another answer is not timed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"arrowagg/bench/internal/dataset"
	"arrowagg/bench/internal/peer"
	"arrowagg/bench/internal/query"
	"arrowagg/bench/internal/report"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	rows := flag.String("rows", "1e7", "rows of the tables")
	seed := flag.Uint64("seed", 0, "seed of the tables")
	runs := flag.Int("runs", 5, "counted runs of every engine on every query")
	queries := flag.String("queries", "", "of "+strings.Join(query.Names(), ",")+"; default all")
	engines := flag.String("engines", "", "of "+strings.Join(peer.Names(), ",")+"; default all that are set up")
	write := flag.Bool("write", false, "put the tables into README.md")
	raw := flag.String("raw", "data/compare.tsv", "file that gets a line for every run")
	output := flag.String("out", report.MemoryDirectory(), "directory of the results while they are compared")
	arrowagg := flag.String("arrowagg", "", "measure this program instead of building one")
	timeout := flag.Duration("timeout", 5*time.Minute, "longest run")
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	if *write && *arrowagg != "" {
		return errors.New("-write is for the arrowagg of this tree, not for another")
	}
	dirs, err := peer.Enter(*arrowagg)
	if err != nil {
		return err
	}
	c := comparison{dirs: dirs, seed: *seed, runs: *runs, output: *output, timeout: *timeout}
	if c.rows, err = dataset.ParseCount(*rows); err != nil {
		return fmt.Errorf("-rows: %w", err)
	}
	if c.queries, err = query.Select(list(*queries)); err != nil {
		return err
	}
	if c.runs < 1 {
		return fmt.Errorf("-runs %d: at least 1", c.runs)
	}
	if err := c.setUp(list(*engines)); err != nil {
		return err
	}
	if err := os.MkdirAll(c.output, 0o777); err != nil {
		return err
	}
	c.load = report.Load()
	if err := c.measure(ctx); err != nil {
		return err
	}
	if err := c.writeRaw(*raw); err != nil {
		return err
	}
	text := c.markdown()
	fmt.Print(text)
	if *write {
		return report.Insert("README.md", "compare", text)
	}
	return nil
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
