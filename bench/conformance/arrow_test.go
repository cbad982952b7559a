package conformance

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"arrowagg/bench/internal/result"
)

// readers are implementations of the Arrow format that are not arrow-go's, nor
// each other's: Arrow C++ under full validation, polars-arrow, arrow-rs, and
// ClickHouse.
var readers = []string{"pyarrow", "polars", "datafusion", "clickhouse"}

// outputs are the Arrow formats that arrowagg writes.
var outputs = []struct {
	format, suffix, compression string
}{
	{"arrows", ".arrows", "none"},
	{"arrows", ".arrows", "lz4"},
	{"arrows", ".arrows", "zstd"},
	{"arrow", ".arrow", "none"},
	{"arrow", ".arrow", "lz4"},
	{"arrow", ".arrow", "zstd"},
}

// readable has every implementation read every format of the result, and
// compares what they read with what arrow-go reads.
func readable(t *testing.T, e *engines, engines []string, args ...string) {
	t.Helper()
	dir := t.TempDir()
	for i, o := range outputs {
		path := filepath.Join(dir, fmt.Sprintf("result%d%s", i, o.suffix))
		arrowagg(t, append([]string{"-q", "-f", o.format, "--compression", o.compression, "-o", path}, args...)...)
		want, err := result.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, engine := range engines {
			output := path + "." + engine
			rows, err := e.ask(question{Op: "read", Engine: engine, Inputs: []string{path}, Output: output})
			if err != nil {
				t.Errorf("%s, %s, %s: %v", engine, o.format, o.compression, err)
				continue
			}
			if rows != int64(want.Rows) {
				t.Errorf("%s, %s, %s: %d rows, want %d", engine, o.format, o.compression, rows, want.Rows)
			}
			got, err := result.Load(output)
			if err != nil {
				t.Errorf("%s, %s, %s: %v", engine, o.format, o.compression, err)
				continue
			}
			if d := result.Diff(want, got, result.Options{Ordered: true}); len(d) > 0 {
				t.Errorf("%s, %s, %s: %s", engine, o.format, o.compression, strings.Join(d, "\n"))
			}
		}
	}
}

func TestArrowOutputIsValidElsewhere(t *testing.T) {
	e := start(t)
	worker := func(i int) string {
		return filepath.Join("..", "..", "testdata", "workers", fmt.Sprintf("w%d.arrows", i))
	}
	for name, args := range map[string][]string{
		"workers":         {worker(1), worker(4), worker(6)},
		"one row":         {"--no-keys", worker(1)},
		"no rows":         {filepath.Join("..", "..", "testdata", "special", "no-batches.arrows")},
		"null keys":       {filepath.Join("..", "..", "testdata", "special", "null-keys.arrows")},
		"decimal sums":    {"--int-sum", "decimal", worker(1)},
		"keys of numbers": {"-g", "lat_min,req_count", worker(1)},
	} {
		t.Run(name, func(t *testing.T) { readable(t, e, readers, args...) })
	}
}

func TestArrowOutputOfRandomPlans(t *testing.T) {
	e := start(t)
	r := source(t)
	n := plans / 5
	if testing.Short() {
		n /= 10
	}
	for range n {
		tab := randomTable(t, r, filepath.Join(t.TempDir(), "table.arrows"))
		// ClickHouse has no decimals past 76 digits or instants before 1900, and
		// takes nanoseconds for less than they are: the others read every type.
		readable(t, e, slices.DeleteFunc(slices.Clone(readers), func(s string) bool { return s == "clickhouse" }),
			append(randomPlan(r, tab).args, tab.path)...)
		if t.Failed() {
			t.Fatalf("columns %s", tab)
		}
	}
}
