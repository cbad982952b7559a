package dataset_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"arrowagg/bench/internal/dataset"
	"arrowagg/bench/internal/result"
)

const rows = 20_000

func write(t *testing.T, spec dataset.Spec) []string {
	t.Helper()
	paths, err := dataset.Ensure(spec, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func load(t *testing.T, spec dataset.Spec) *result.Table {
	t.Helper()
	table, err := result.Load(write(t, spec)[0])
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func columns(t *result.Table) []string {
	var names []string
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return names
}

// The rows are the same in the same order, however they are written.
func TestSameRowsHoweverWritten(t *testing.T) {
	for set := range dataset.Sets {
		for _, nulls := range []float64{0, 0.2} {
			plain := dataset.Spec{Set: set, Rows: rows, Nulls: nulls}
			want := load(t, plain)
			for name, change := range map[string]func(*dataset.Spec){
				"small batches": func(s *dataset.Spec) { s.Batch = 777 },
				"one batch":     func(s *dataset.Spec) { s.Batch = 1 << 20 },
				"large_utf8":    func(s *dataset.Spec) { s.Encoding = "large_utf8" },
				"dictionary":    func(s *dataset.Spec) { s.Encoding = "dictionary" },
				"view":          func(s *dataset.Spec) { s.Encoding = "view" },
				"lz4":           func(s *dataset.Spec) { s.Codec = "lz4" },
				"zstd":          func(s *dataset.Spec) { s.Codec = "zstd" },
			} {
				spec := plain
				change(&spec)
				for _, d := range result.Diff(want, load(t, spec), result.Options{Ordered: true}) {
					t.Errorf("%s, nulls %g, %s: %s", set, nulls, name, d)
				}
			}
		}
	}
}

// Another order of writing is another order of the same rows, and it is the
// order asked for.
func TestSortBy(t *testing.T) {
	for set, by := range map[string][]string{"h2o": {"id2", "id6"}, "sensor": {"minute", "host"}} {
		plain := load(t, dataset.Spec{Set: set, Rows: rows})
		sorted := load(t, dataset.Spec{Set: set, Rows: rows, SortBy: by})
		for _, d := range result.Diff(plain, sorted, result.Options{Keys: columns(plain)}) {
			t.Errorf("%s: %s", set, d)
		}
		for row := 1; row < sorted.Rows; row++ {
			c := 0
			for c < len(by) && sorted.Column(by[c]).Compare(row-1, row) == 0 {
				c++
			}
			if c < len(by) && sorted.Column(by[c]).Compare(row-1, row) > 0 {
				t.Fatalf("%s: rows %d and %d are out of order in %s", set, row-1, row, by[c])
			}
		}
	}
}

func TestFilesHoldTheRowsInOrder(t *testing.T) {
	spec := dataset.Spec{Set: "sensor", Rows: 1000}
	want := load(t, spec)
	spec.Files = 7
	var got result.Table
	for _, path := range write(t, spec) {
		part, err := result.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if part.Rows < 142 || part.Rows > 143 {
			t.Errorf("%s has %d rows", path, part.Rows)
		}
		if err := got.Append(part); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range result.Diff(want, &got, result.Options{Ordered: true}) {
		t.Error(d)
	}
}

func TestSeed(t *testing.T) {
	read := func(seed uint64) []byte {
		b, err := os.ReadFile(write(t, dataset.Spec{Set: "h2o", Rows: 1000, Seed: seed})[0])
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if !bytes.Equal(read(1), read(1)) {
		t.Error("one seed gives two files")
	}
	if bytes.Equal(read(1), read(2)) {
		t.Error("two seeds give one file")
	}
}

func TestNullsAndSkew(t *testing.T) {
	table := load(t, dataset.Spec{Set: "h2o", Rows: rows, Nulls: 0.25, Skew: dataset.Skew{Kind: "hot", Value: 0.9}})
	for _, c := range table.Columns {
		nulls := 0
		for row := range table.Rows {
			if c.IsNull(row) {
				nulls++
			}
		}
		if share := float64(nulls) / rows; share < 0.23 || share > 0.27 {
			t.Errorf("%s: %.3f of the rows are null, want 0.25", c.Name, share)
		}
	}
	hot := 0
	table = load(t, dataset.Spec{Set: "sensor", Rows: rows, Skew: dataset.Skew{Kind: "hot", Value: 0.9}})
	for row := range table.Rows {
		if table.Column("host").Show(row) == `"host-00000"` && table.Column("region").Show(row) == `"region-00"` {
			hot++
		}
	}
	if share := float64(hot) / rows; share < 0.89 || share > 0.91 {
		t.Errorf("the hot group has %.3f of the rows, want 0.9", share)
	}
}

func TestArgumentsAreTheSpec(t *testing.T) {
	spec := dataset.Spec{
		Set: "sensor", Rows: 12345, Seed: 7, K: 10, Nulls: 0.125, Skew: dataset.Skew{Kind: "zipf", Value: 1.5},
		Pad: 3, SortBy: []string{"host", "minute"}, Batch: 99, Encoding: "view", Codec: "lz4", Files: 2,
	}
	var got dataset.Spec
	flags := flag.NewFlagSet("gen", flag.ContinueOnError)
	got.Flags(flags)
	if err := flags.Parse(spec.Arguments()); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, spec) {
		t.Errorf("have %+v, want %+v", got, spec)
	}
}

// Two specs must not share a file.
func TestNames(t *testing.T) {
	seen := map[string]dataset.Spec{}
	for _, spec := range []dataset.Spec{
		{Set: "h2o", Rows: 1000}, {Set: "h2o", Rows: 10_000_000}, {Set: "h2o", Rows: 12_000_000},
		{Set: "sensor", Rows: 1000}, {Set: "h2o", Rows: 1000, Seed: 1}, {Set: "h2o", Rows: 1000, K: 10},
		{Set: "h2o", Rows: 1000, Nulls: 0.1}, {Set: "h2o", Rows: 1000, Skew: dataset.Skew{Kind: "hot", Value: 0.5}},
		{Set: "h2o", Rows: 1000, Pad: 1}, {Set: "h2o", Rows: 1000, SortBy: []string{"id1"}},
		{Set: "h2o", Rows: 1000, SortBy: []string{"id1", "id2"}}, {Set: "h2o", Rows: 1000, Batch: 10},
		{Set: "h2o", Rows: 1000, Encoding: "view"}, {Set: "h2o", Rows: 1000, Codec: "lz4"},
		{Set: "h2o", Rows: 1000, Files: 2},
	} {
		spec, err := spec.WithDefaults()
		if err != nil {
			t.Fatal(err)
		}
		path := spec.Paths("data")[0]
		if other, ok := seen[path]; ok {
			t.Errorf("%s is the file of %+v and %+v", path, spec, other)
		}
		seen[path] = spec
	}
}

func TestBadSpecs(t *testing.T) {
	for _, spec := range []dataset.Spec{
		{Set: "x"}, {Set: "h2o", Rows: -1}, {Set: "h2o", Rows: 1 << 33}, {Set: "h2o", Nulls: 2},
		{Set: "h2o", Encoding: "utf16"}, {Set: "h2o", Codec: "snappy"}, {Set: "h2o", SortBy: []string{"v3"}},
		{Set: "h2o", Batch: -1}, {Set: "h2o", K: -1}, {Set: "h2o", Files: -1},
	} {
		if _, err := spec.WithDefaults(); err == nil {
			t.Errorf("%+v is taken", spec)
		}
	}
	for _, text := range []string{"zipf", "hot:2", "uniform:1", "cauchy:1", "zipf:-1", "zipf:inf"} {
		if s, err := dataset.ParseSkew(text); err == nil {
			t.Errorf("skew %q is taken as %s", text, s)
		}
	}
}

func TestParseCount(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "1e6": 1e6, "1_000": 1000, "2.5e3": 2500, "12,345": 12345} {
		if n, err := dataset.ParseCount(text); err != nil || n != want {
			t.Errorf("%q is %d, %v; want %d", text, n, err, want)
		}
	}
	for _, text := range []string{"", "x", "1.5", "1e-3", "1e400"} {
		if n, err := dataset.ParseCount(text); err == nil {
			t.Errorf("%q is taken as %d", text, n)
		}
	}
}

// Nothing of an interrupted or failed write is left.
func TestWriteLeavesNoPart(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "taken")
	if err := os.Mkdir(path, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := dataset.Write(dataset.Spec{Set: "h2o", Rows: 10}, []string{path}); err == nil {
		t.Fatal("a directory was overwritten")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 1 || !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "taken" }) {
		t.Errorf("left: %v", entries)
	}
}
