// Command check tells whether two results hold the same rows, in any order.
//
//	check -keys id1,id2 -approximate v3_sum WANT GOT
//	check RESULT
//
// It prints the number of rows; with two results it names the differences and
// exits 1 if there are any.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"arrowagg/bench/internal/result"
)

func main() {
	differ, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "check:", err)
		os.Exit(2)
	}
	if differ {
		os.Exit(1)
	}
}

func run() (differ bool, err error) {
	keys := flag.String("keys", "", "key columns, comma-separated")
	approximate := flag.String("approximate", "", "float columns in which rounding is forgiven")
	ordered := flag.Bool("ordered", false, "compare row by row")
	flag.Parse()
	if n := flag.NArg(); n != 1 && n != 2 {
		return false, fmt.Errorf("want one or two results, have %d", n)
	}
	var tables []*result.Table
	for _, path := range flag.Args() {
		t, err := result.Load(path)
		if err != nil {
			return false, err
		}
		tables = append(tables, t)
	}
	fmt.Println(tables[0].Rows)
	if len(tables) == 1 {
		return false, nil
	}
	differences := result.Diff(tables[0], tables[1], result.Options{
		Keys: list(*keys), Approximate: list(*approximate), Ordered: *ordered,
	})
	for _, text := range differences {
		fmt.Fprintln(os.Stderr, text)
	}
	return len(differences) > 0, nil
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
