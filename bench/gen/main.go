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
	spec := dataset.Spec{Rows: 10_000_000}
	spec.Flags(flag.CommandLine)
	dir := flag.String("dir", "data", "directory of the files")
	output := flag.String("o", "", "one file of this name instead")
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	paths := []string{*output}
	var err error
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
