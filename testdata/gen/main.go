// Command gen writes the inputs that the tests and the README run on.
//
//	go run ./testdata/gen                     testdata/workers and testdata/special, anew
//	go run ./testdata/gen -C DIR              the same, below DIR instead of testdata
//	go run ./testdata/gen -rows 10000000 -out big.arrows -batch 65536 -codec zstd
//
// The committed files are a function of this program alone: running it again
// writes the same bytes, so a clean tree stays clean.
//
//	workers/w1 … w6.arrows   what six workers saw of one hour, as each one's software writes it:
//	                         plain, LZ4, ZSTD, dictionaries, the file format, and another column
//	                         order with string views and a narrower integer
//	special/*.arrows         small inputs that are easy to get wrong; special.go says why
//
// With -rows it writes one input of any size to -out in the columns of the
// workers. Large inputs are never committed.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	dir := flag.String("C", "testdata", "directory of workers/ and special/")
	var l large
	flag.Int64Var(&l.rows, "rows", 0, "write one large input of that many rows instead")
	flag.StringVar(&l.out, "out", "", "file of the large input")
	flag.IntVar(&l.batch, "batch", 65536, "rows a record batch")
	flag.StringVar(&l.codec, "codec", "none", "none, lz4 or zstd")
	flag.BoolVar(&l.file, "file", false, "the IPC file format instead of a stream")
	flag.IntVar(&l.hosts, "hosts", 1000, "distinct hosts")
	flag.IntVar(&l.minutes, "minutes", 60, "distinct minutes")
	flag.Uint64Var(&l.seed, "seed", 1, "another seed, other rows")
	flag.Parse()
	if err := generate(*dir, l); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func generate(dir string, l large) error {
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	if l.rows > 0 || l.out != "" {
		return l.write()
	}
	if err := writeAll(filepath.Join(dir, "workers"), workers); err != nil {
		return err
	}
	return writeAll(filepath.Join(dir, "special"), special)
}

// input is one committed file and the function that makes its bytes.
type input struct {
	name string
	make func() ([]byte, error)
}

func writeAll(dir string, inputs []input) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, in := range inputs {
		b, err := in.make()
		if err != nil {
			return fmt.Errorf("%s: %w", in.name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, in.name), b, 0o666); err != nil {
			return err
		}
	}
	return nil
}
