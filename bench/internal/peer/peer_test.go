package peer

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"arrowagg/bench/internal/dataset"
	"arrowagg/bench/internal/job"
	"arrowagg/bench/internal/measure"
	"arrowagg/bench/internal/query"
	"arrowagg/bench/internal/result"
)

// TestEnginesAgree runs every query in every engine that is set up over a small
// table, each a process that loads its engine: a minute in all, so -short takes
// three queries. The Go map is the reference: it is the one that cannot be
// absent.
func TestEnginesAgree(t *testing.T) {
	dirs, err := Enter("")
	if err != nil {
		t.Fatal(err)
	}
	dirs.Bin = t.TempDir()
	reference, err := Select([]string{"gomap"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Build(dirs, reference); err != nil {
		t.Fatal(err)
	}
	linkBuilt(t, dirs.Bin)
	queries := query.Queries
	if testing.Short() {
		if queries, err = query.Select([]string{"q3", "s1", "start"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range queries {
		input, err := dataset.Ensure(q.Data(30_000, 1), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		want := answer(t, dirs, reference[0], q, input[0])
		if q.Empty != (want.Rows == 0) {
			t.Errorf("%s: %d groups", q.Name, want.Rows)
		}
		for _, p := range Peers {
			if p.Subject || p.Floor || p.Name == reference[0].Name {
				continue
			}
			t.Run(q.Name+"/"+p.Name, func(t *testing.T) {
				if _, err := p.Version(dirs); err != nil {
					t.Skip(err)
				}
				got := answer(t, dirs, p, q, input[0])
				for _, d := range result.Diff(want, got, result.Options{Keys: q.Keys, Approximate: q.Approximate()}) {
					t.Error(d)
				}
			})
		}
	}
}

// linkBuilt makes DuckDB's program, which takes a minute to link, that of
// setup.sh where it is there.
func linkBuilt(t *testing.T, bin string) {
	t.Helper()
	built, err := filepath.Abs(filepath.Join("data", "bin", "duckdbgo"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(built); err == nil {
		if err := os.Symlink(built, filepath.Join(bin, "duckdbgo")); err != nil {
			t.Fatal(err)
		}
	}
}

func answer(t *testing.T, d Dirs, p Peer, q query.Query, input string) *result.Table {
	t.Helper()
	output := filepath.Join(t.TempDir(), "result.arrows")
	if _, err := measure.Run(context.Background(), p.Command(d, q.Job(input, output))); err != nil {
		t.Fatal(err)
	}
	table, err := result.Load(output)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestSubjectCommand(t *testing.T) {
	j := job.Job{
		Input: "in", Output: "out", Keys: []string{"a", "b"},
		Aggregates: []job.Aggregate{
			{Function: "sum", Column: "n_sum", Name: "n_sum"},
			{Function: "count", Name: "rows"},
		},
	}
	want := []string{"bin/arrowagg", "-g", "a,b", "-a", "sum(n_sum),count(*) as rows", "-f", "arrows", "in"}
	got := Peers[0].Command(Dirs{Bin: "bin"}, j)
	if !slices.Equal(got.Args, want) || got.Stdout != "out" {
		t.Errorf("have %q > %s, want %q > out", got.Args, got.Stdout, want)
	}
}

func TestSelect(t *testing.T) {
	two, err := Select([]string{"polars", "arrowagg"})
	if err != nil || len(two) != 2 || !two[0].Subject || two[1].Name != "polars" {
		t.Errorf("have %v, %v", two, err)
	}
	if _, err := Select([]string{"oracle"}); err == nil {
		t.Error("an engine that is not there was found")
	}
}
