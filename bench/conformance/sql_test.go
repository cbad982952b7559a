package conformance

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"arrowagg/bench/internal/result"
)

var plans = 150 // random ones, over as many random tables

// notForIt is how the SQL begins that an engine cannot run.
var notForIt = map[string]string{
	"duckdb":     "-- DataFusion only",
	"datafusion": "-- DuckDB only",
}

// sameRows runs the plan in arrowagg and its SQL in every engine; rows and
// their order must be the same.
func sameRows(t *testing.T, e *engines, p plan, inputs ...string) {
	t.Helper()
	sameRowsIn(t, e, []string{"duckdb", "datafusion"}, p, inputs...)
}

func sameRowsIn(t *testing.T, e *engines, engines []string, p plan, inputs ...string) {
	t.Helper()
	dir := t.TempDir()
	want := filepath.Join(dir, "want.arrows")
	// A warning is not what is tested.
	args := slices.Concat([]string{"-q"}, p.args, inputs)
	arrowagg(t, append([]string{"-f", "arrows", "-o", want}, args...)...)
	text := arrowagg(t, append([]string{"--sql"}, args...)...)
	expected, err := result.Load(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range engines {
		if strings.HasPrefix(text, notForIt[engine]) {
			continue
		}
		output := filepath.Join(dir, engine+".arrows")
		_, err := e.ask(question{Op: "sql", Engine: engine, Inputs: inputs, SQL: text, Output: output})
		if err != nil {
			t.Errorf("%s: %v\n%s", engine, err, describe(p, text))
			continue
		}
		got, err := result.Load(output)
		if err != nil {
			t.Errorf("%s: %v\n%s", engine, err, describe(p, text))
			continue
		}
		differences := result.Diff(expected, got, result.Options{Ordered: true, Approximate: p.approximate})
		if len(differences) > 0 {
			t.Errorf("%s: %s\n%s", engine, strings.Join(differences, "\n"), describe(p, text))
		}
	}
}

func describe(p plan, text string) string { return fmt.Sprintf("arrowagg %q\n%s", p.args, text) }

func TestSQLOverTestdata(t *testing.T) {
	e := start(t)
	testdata := filepath.Join("..", "..", "testdata")
	worker := func(i int) string { return filepath.Join(testdata, "workers", fmt.Sprintf("w%d.arrows", i)) }
	special := func(name string) string { return filepath.Join(testdata, "special", name+".arrows") }
	const aggregates = "sum(bytes_sum), min(lat_min), max(lat_max), mean(lat_max) as m, count(*)"
	chosen := plan{args: []string{"-g", "service", "-a", aggregates}, approximate: []string{"m"}}
	encodings := []string{worker(1), worker(4), worker(5), worker(6)}
	distinct := plan{args: []string{"-g", "host,service", "-x", "bytes_sum,req_count,lat_min,lat_max"}}
	// (special/float-sums is not here: it holds what only an exact sum gets right.)
	for name, c := range map[string]struct {
		plan   plan
		inputs []string
	}{
		"one worker, the rule":        {plan{}, []string{worker(1)}},
		"three workers, the rule":     {plan{}, []string{worker(1), worker(2), worker(3)}},
		"all encodings, the rule":     {plan{}, encodings},
		"all encodings, chosen":       {chosen, encodings},
		"one row":                     {plan{args: []string{"--no-keys"}}, []string{worker(2)}},
		"dictionaries":                {plan{}, []string{special("dictionaries")}},
		"no batches":                  {plan{}, []string{special("no-batches")}},
		"no batches, one row":         {plan{args: []string{"--no-keys"}}, []string{special("no-batches")}},
		"null keys":                   {plan{}, []string{special("null-keys")}},
		"integer sums as decimals":    {plan{args: []string{"--int-sum", "decimal"}}, []string{worker(1)}},
		"distinct keys, no aggregate": {distinct, []string{worker(1)}},
	} {
		t.Run(name, func(t *testing.T) { sameRows(t, e, c.plan, c.inputs...) })
	}
}

func TestSQLOverRandomTables(t *testing.T) {
	e := start(t)
	r := source(t)
	n := plans
	if testing.Short() {
		n /= 10
	}
	for i := range n {
		tab := randomTable(t, r, filepath.Join(t.TempDir(), "table.arrows"))
		engines := []string{"duckdb", "datafusion"}
		p := randomPlan(r, tab)
		if tab.hasNaN() || p.coarse {
			engines = engines[:1]
		}
		sameRowsIn(t, e, engines, p, tab.path)
		if t.Failed() {
			t.Fatalf("plan %d over columns %s", i, tab)
		}
	}
}
