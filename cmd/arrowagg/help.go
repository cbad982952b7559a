package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
)

// examples stand first in the help; a test runs each of them.
var examples = []struct{ what, command string }{
	{"merge the streams of two workers", "arrowagg w1.arrows w2.arrows"},
	{"the same from a pipe, as CSV", "cat w1.arrows | arrowagg -f csv - w2.arrows > merged.csv"},
	{"choose keys and aggregates", "arrowagg -g host -a 'sum(bytes_sum), max(lat_max), count(*)' w1.arrows"},
	{"write Arrow, whole or not at all", "arrowagg -o merged.arrows w1.arrows w2.arrows"},
	{"what would happen, and why", "arrowagg --explain w1.arrows"},
}

const rule = `The rule: strings, timestamps, dates, times and bools are group keys; numbers are
merged by the end of their name: _sum and _count add up, _min and _max keep the
extreme, anything else adds up. -g and -a say otherwise. The result is sorted by
key and is the same bytes whatever the order of rows, files or threads.
`

const exitHelp = `Exit codes: 0 done; 1 an input is bad, does not fit the others, or a sum overflows;
2 the command line is wrong; 3 a limit of memory or disk. Nothing is written to
standard output or -o unless everything was read.
`

// moreHelp says where the tables are that help has no room for.
const moreHelp = "Functions, formats and warnings: man arrowagg, or arrowagg --man | man -l -\n"

func printHelp(w io.Writer, fs *pflag.FlagSet) error {
	var b strings.Builder
	b.WriteString("arrowagg merges and aggregates Arrow IPC streams.\n\n")
	b.WriteString("  arrowagg [flags] [FILE...]      no FILE, or -, reads standard input\n\nExamples:\n")
	for _, e := range examples {
		fmt.Fprintf(&b, "  # %s\n  %s\n", e.what, e.command)
	}
	b.WriteString("\n" + rule)
	for _, g := range flagGroups {
		fmt.Fprintf(&b, "\n%s:\n%s", g, groupUsages(fs, g))
	}
	b.WriteString("\n" + exitHelp + moreHelp)
	_, err := io.WriteString(w, b.String())
	return err
}

// groupUsages lists the flags of one group as pflag prints them.
func groupUsages(fs *pflag.FlagSet, g flagGroup) string {
	group := pflag.NewFlagSet(string(g), pflag.ContinueOnError)
	group.SortFlags = false
	fs.VisitAll(func(f *pflag.Flag) {
		if groupOf(f) == g {
			shown := *f
			if strings.Contains(f.Usage, "(default:") { // the text says it better
				shown.DefValue = map[string]string{"int": "0", "stringArray": "[]"}[f.Value.Type()]
			}
			group.AddFlag(&shown)
		}
	})
	return group.FlagUsagesWrapped(100)
}

func printShortHelp(w io.Writer) {
	fmt.Fprintf(w, "usage: arrowagg [flags] [FILE...]\n\nNo input: name Arrow IPC files, or pipe a stream in.\n\n")
	for _, e := range examples[:3] {
		fmt.Fprintf(w, "  %s\n", e.command)
	}
	fmt.Fprintf(w, "\narrowagg --help says more.\n")
}
