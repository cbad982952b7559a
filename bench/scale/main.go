// Command scale measures how arrowagg's cost moves with its input: rows,
// threads, batch size, files, skew, order, width, nulls, encoding, codec, pipe.
//
//	go run ./scale                          # every experiment, 1e7 rows, 5 runs
//	go run ./scale -rows 1e6 -experiments batch,skew
//	go run ./scale -write                   # and put the tables into README.md
//
// The variants of an experiment alternate, A B C A B C …, each a whole process
// writing its result as an Arrow stream to a file in memory. Variants over the
// same rows must write the same bytes, or the program stops.
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
	"arrowagg/bench/internal/report"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	rows := flag.String("rows", "1e7", "rows of the tables")
	repeats := flag.String("most-rows", "1e9", "rows of the largest variant of the experiment rows")
	runs := flag.Int("runs", 5, "counted runs of every variant")
	names := flag.String("experiments", "", "of "+strings.Join(experimentNames(), ",")+"; default all")
	keep := flag.Bool("keep", false, "keep the variants' files in data/ (without it one experiment's at a time)")
	write := flag.Bool("write", false, "put the tables into README.md")
	output := flag.String("out", report.MemoryDirectory(), "directory of the results")
	arrowagg := flag.String("arrowagg", "", "measure this program instead of building one")
	timeout := flag.Duration("timeout", 10*time.Minute, "longest run")
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	if *write && *arrowagg != "" {
		return errors.New("-write is for the arrowagg of this tree, not for another")
	}
	s := scale{runs: *runs, output: *output, timeout: *timeout, keep: *keep}
	var err error
	if s.rows, err = dataset.ParseCount(*rows); err != nil {
		return fmt.Errorf("-rows: %w", err)
	}
	most, err := dataset.ParseCount(*repeats)
	if err != nil {
		return fmt.Errorf("-most-rows: %w", err)
	}
	if most > 1e15 {
		return fmt.Errorf("-most-rows %s: up to 1e15, which takes a month", *repeats)
	}
	chosen, err := selectExperiments(*names, s.rows, most)
	if err != nil {
		return err
	}
	if s.dirs, err = peer.Enter(*arrowagg); err != nil {
		return err
	}
	subject, err := peer.Select([]string{"arrowagg"})
	if err != nil {
		return err
	}
	if _, err := peer.Build(s.dirs, subject); err != nil {
		return err
	}
	if err := os.MkdirAll(s.output, 0o777); err != nil {
		return err
	}
	version, err := subject[0].Version(s.dirs)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s rows unless said otherwise, medians of %d alternating runs. "+
		"Load average before the first run: %s.\n\nMachine: %s.\n",
		version, report.Count(s.rows), s.runs, report.Load(), report.Machine())
	for _, e := range chosen {
		text, err := s.experiment(ctx, e)
		if err != nil {
			return fmt.Errorf("experiment %s: %w", e.name, err)
		}
		b.WriteString(text)
	}
	fmt.Print(b.String())
	if *write {
		return report.Insert("README.md", "scale", b.String())
	}
	return nil
}
