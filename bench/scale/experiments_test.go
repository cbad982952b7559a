package main

import (
	"testing"

	"arrowagg/bench/internal/query"
)

func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		rows, most int64
		variants   int
	}{{1_000_000, 1_000_000_000, 4}, {1, 1, 1}, {10, 9, 0}, {1, 1e15, 16}} {
		if got := len(repeats(c.rows, c.most)); got != c.variants {
			t.Errorf("%d rows to %d: %d variants, want %d", c.rows, c.most, got, c.variants)
		}
	}
}

// Every experiment names queries that there are, tables that can be made, and a
// first variant for the others to be compared with.
func TestExperimentsCanRun(t *testing.T) {
	for _, e := range experiments(10_000_000, 1_000_000_000) {
		if len(e.variants) < 2 || e.title == "" {
			t.Errorf("%s: nothing to compare", e.name)
		}
		for _, name := range e.queries {
			q, ok := query.Find(name)
			if !ok {
				t.Errorf("%s: no query %q", e.name, name)
			}
			for _, v := range e.variants {
				spec := q.Data(10_000_000, 0)
				if v.change != nil {
					v.change(&spec)
				}
				if _, err := spec.WithDefaults(); err != nil {
					t.Errorf("%s, %s, %s: %v", e.name, name, v.label, err)
				}
			}
		}
	}
}

func TestSelectExperiments(t *testing.T) {
	chosen, err := selectExperiments("skew,rows", 1000, 1000)
	if err != nil || len(chosen) != 2 || chosen[0].name != "skew" {
		t.Errorf("have %v, %v", chosen, err)
	}
	if _, err := selectExperiments("colour", 1000, 1000); err == nil {
		t.Error("an experiment that is not there was found")
	}
}
