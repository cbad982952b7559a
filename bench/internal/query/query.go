// Package query is the table of benchmark queries, said once for all engines.
package query

import (
	"fmt"
	"strings"

	"arrowagg/bench/internal/dataset"
	"arrowagg/bench/internal/job"
)

// Query is one query over one generated table.
type Query struct {
	Name  string
	Title string // for the report
	Set   string // of dataset.Sets
	Codec string // of dataset.Codecs
	Empty bool   // over no rows: what is left is start-up

	Keys       []string
	Aggregates []job.Aggregate
}

var (
	allIDs   = []string{"id1", "id2", "id3", "id4", "id5", "id6"}
	partials = []job.Aggregate{sum("bytes_sum"), sum("req_count"), minimum("lat_min"), maximum("lat_max")}
)

// Queries is the table. The names q1 … q10 are those of H2O.ai's benchmark;
// s1 and s2 merge partial aggregates as arrowagg's default rule does.
var Queries = []Query{
	{
		Name: "q1", Title: "`sum(v1)` by id1", Set: "h2o",
		Keys: []string{"id1"}, Aggregates: []job.Aggregate{sum("v1")},
	},
	{
		Name: "q2", Title: "`sum(v1)` by id1, id2", Set: "h2o",
		Keys: []string{"id1", "id2"}, Aggregates: []job.Aggregate{sum("v1")},
	},
	{
		Name: "q3", Title: "`sum(v1), mean(v3)` by id3", Set: "h2o",
		Keys: []string{"id3"}, Aggregates: []job.Aggregate{sum("v1"), mean("v3")},
	},
	{
		Name: "q5", Title: "`sum(v1), sum(v2), sum(v3)` by id6", Set: "h2o",
		Keys: []string{"id6"}, Aggregates: []job.Aggregate{sum("v1"), sum("v2"), sum("v3")},
	},
	{
		Name: "q10", Title: "`sum(v3), count(*)` by all six ids", Set: "h2o",
		Keys: allIDs, Aggregates: []job.Aggregate{sum("v3"), aggregate("count", "")},
	},
	{
		Name: "s1", Title: "sensor: sum, sum, min, max by region, host, minute", Set: "sensor",
		Keys: []string{"region", "host", "minute"}, Aggregates: partials,
	},
	{
		Name: "s2", Title: "sensor: the same by region, minute", Set: "sensor",
		Keys: []string{"region", "minute"}, Aggregates: partials,
	},
	{
		Name: "s1zstd", Title: "s1 on zstd bodies", Set: "sensor", Codec: "zstd",
		Keys: []string{"region", "host", "minute"}, Aggregates: partials,
	},
	{
		Name: "start", Title: "start-up: q1 on an empty stream", Set: "h2o", Empty: true,
		Keys: []string{"id1"}, Aggregates: []job.Aggregate{sum("v1")},
	},
}

func aggregate(function, column string) job.Aggregate {
	return job.Aggregate{Function: function, Column: column, Name: job.DefaultName(function, column)}
}

func sum(column string) job.Aggregate     { return aggregate("sum", column) }
func mean(column string) job.Aggregate    { return aggregate("mean", column) }
func minimum(column string) job.Aggregate { return aggregate("min", column) }
func maximum(column string) job.Aggregate { return aggregate("max", column) }

// Select returns the queries with these names, all for no name.
func Select(names []string) ([]Query, error) {
	if len(names) == 0 {
		return Queries, nil
	}
	var chosen []Query
	for _, name := range names {
		q, ok := Find(name)
		if !ok {
			return nil, fmt.Errorf("no query %q; there are %s", name, strings.Join(Names(), ", "))
		}
		chosen = append(chosen, q)
	}
	return chosen, nil
}

// Find returns the query of that name.
func Find(name string) (Query, bool) {
	for _, q := range Queries {
		if q.Name == name {
			return q, true
		}
	}
	return Query{}, false
}

// Names are the queries' names in order.
func Names() []string {
	var names []string
	for _, q := range Queries {
		names = append(names, q.Name)
	}
	return names
}

// Data is the table that the query runs over, at the scale of rows.
func (q Query) Data(rows int64, seed uint64) dataset.Spec {
	if q.Empty {
		rows = 0
	}
	return dataset.Spec{Set: q.Set, Rows: rows, Seed: seed, Codec: q.Codec}
}

// Approximate are the result's columns in which engines may round differently:
// sums and means of floats.
func (q Query) Approximate() []string {
	var names []string
	for _, a := range q.Aggregates {
		if a.Function == "mean" || a.Function == "sum" && a.Column == "v3" {
			names = append(names, a.Name)
		}
	}
	return names
}

// Job is the query over an input file.
func (q Query) Job(input, output string) job.Job {
	return job.Job{Input: input, Output: output, Keys: q.Keys, Aggregates: q.Aggregates}
}
