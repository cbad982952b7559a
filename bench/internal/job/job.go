// Package job is what the Go peers have in common: one query on the command
// line, in the same form that the Python peers take.
//
//	PEER INPUT OUTPUT KEYS AGGREGATES     id1,id2  sum:v1:v1_sum,count::count
//	PEER --version
package job

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Aggregate is a function of a column (none for count) and its result's name.
type Aggregate struct {
	Function, Column, Name string
}

// DefaultName is what arrowagg calls an aggregate that is given no name: the
// suffix is not repeated.
func DefaultName(function, column string) string {
	if column == "" {
		return function
	}
	return strings.TrimSuffix(column, "_"+function) + "_" + function
}

// Job is one query over one file.
type Job struct {
	Input, Output string
	Keys          []string
	Aggregates    []Aggregate
}

// Columns are the input columns in use, each once.
func (j Job) Columns() []string {
	names := slices.Clone(j.Keys)
	for _, a := range j.Aggregates {
		if a.Column != "" && !slices.Contains(names, a.Column) {
			names = append(names, a.Column)
		}
	}
	return names
}

// SQL is the query over a table, in the words that all SQL peers share.
func (j Job) SQL(table string) string {
	shown := slices.Clone(j.Keys)
	for _, a := range j.Aggregates {
		function, column := a.Function, a.Column
		if function == "mean" {
			function = "avg"
		}
		if column == "" {
			column = "*"
		}
		shown = append(shown, fmt.Sprintf("%s(%s) AS %s", function, column, a.Name))
	}
	return fmt.Sprintf("SELECT %s FROM %s GROUP BY %s",
		strings.Join(shown, ", "), table, strings.Join(j.Keys, ", "))
}

// Arguments is the command line that Parse reads.
func (j Job) Arguments() []string {
	var aggregates []string
	for _, a := range j.Aggregates {
		aggregates = append(aggregates, a.Function+":"+a.Column+":"+a.Name)
	}
	return []string{j.Input, j.Output, strings.Join(j.Keys, ","), strings.Join(aggregates, ",")}
}

// Parse reads a command line without the program's name.
func Parse(args []string) (Job, error) {
	if len(args) != 4 {
		return Job{}, errors.New("want INPUT OUTPUT KEYS AGGREGATES, or --version")
	}
	j := Job{Input: args[0], Output: args[1], Keys: strings.Split(args[2], ",")}
	for _, text := range strings.Split(args[3], ",") {
		parts := strings.Split(text, ":")
		if len(parts) != 3 {
			return Job{}, fmt.Errorf("aggregate %q: want function:column:name", text)
		}
		j.Aggregates = append(j.Aggregates, Aggregate{parts[0], parts[1], parts[2]})
	}
	return j, nil
}

// Main is the main function of a peer: it prints the version or runs the job.
func Main(version func() (string, error), run func(Job) error) {
	name, err := os.Args[0], error(nil)
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		var text string
		if text, err = version(); err == nil {
			fmt.Println(text)
		}
	} else {
		var j Job
		if j, err = Parse(os.Args[1:]); err == nil {
			err = run(j)
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}
