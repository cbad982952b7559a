// Command gen writes a seeded benchmark table as Arrow IPC streams.
//
//	go run ./gen -set h2o -rows 1e7
//	go run ./gen -set sensor -rows 1e7 -codec zstd -encoding dictionary
//	go run ./gen -set h2o -rows 1e6 -o table.arrows
//
// Without -o the file goes to data/ under a name that tells all options, and
// is left alone if it is there already. The names written are printed.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"arrowagg/bench/internal/dataset"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run() error {
	var spec dataset.Spec
	flag.StringVar(&spec.Set, "set", "h2o", "table: h2o or sensor")
	flag.Uint64Var(&spec.Seed, "seed", 0, "seed of the random values")
	flag.IntVar(&spec.K, "k", 100, "h2o: distinct values of the small keys; the large ones have rows/k")
	flag.IntVar(&spec.Batch, "batch", dataset.DefaultBatch, "rows per batch")
	flag.StringVar(&spec.Encoding, "encoding", "utf8", "strings: "+strings.Join(dataset.Encodings, ", "))
	flag.StringVar(&spec.Codec, "codec", "none", "bodies: "+strings.Join(dataset.Codecs, ", "))
	flag.Float64Var(&spec.Nulls, "nulls", 0, "share of nulls in every column, 0 to 1")
	flag.IntVar(&spec.Pad, "pad", 0, "further float64 columns that no query uses")
	flag.IntVar(&spec.Files, "files", 1, "write the rows as so many files")
	rows := flag.String("rows", "1e7", "number of rows")
	skew := flag.String("skew", "uniform", "keys: uniform, zipf:S (weight 1/rank^S), hot:F (one group has the share F)")
	sortBy := flag.String("sort-by", "", "write the rows sorted by these key columns, comma-separated")
	dir := flag.String("dir", "data", "directory of the files")
	output := flag.String("o", "", "one file of this name instead")
	flag.Parse()

	var err error
	if spec.Rows, err = dataset.ParseCount(*rows); err != nil {
		return fmt.Errorf("-rows: %w", err)
	}
	if spec.Skew, err = dataset.ParseSkew(*skew); err != nil {
		return err
	}
	if *sortBy != "" {
		spec.SortBy = strings.Split(*sortBy, ",")
	}
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	paths := []string{*output}
	if *output != "" {
		err = dataset.Write(spec, paths)
	} else {
		paths, err = dataset.Ensure(spec, *dir)
	}
	if err != nil {
		return err
	}
	fmt.Println(strings.Join(paths, "\n"))
	return nil
}
