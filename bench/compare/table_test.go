package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"arrowagg/bench/internal/measure"
	"arrowagg/bench/internal/peer"
	"arrowagg/bench/internal/query"
	"arrowagg/bench/internal/sample"
)

// measured is a comparison as it is after its runs.
func measured(t *testing.T) *comparison {
	t.Helper()
	peers, err := peer.Select([]string{"arrowagg", "touch", "duckdb", "polars"})
	if err != nil {
		t.Fatal(err)
	}
	q, _ := query.Find("q1")
	start, _ := query.Find("start")
	walls := func(milliseconds ...int) sample.Runs {
		var r sample.Runs
		for _, ms := range milliseconds {
			r = append(r, measure.Usage{Wall: time.Duration(ms) * time.Millisecond, PeakRSS: 2e6, PeakAnon: 1e6})
		}
		return r
	}
	return &comparison{
		rows: 1e7, runs: 3, peers: peers, queries: []query.Query{q, start},
		versions: map[string]string{"duckdb": "DuckDB 0"},
		outcomes: []outcome{
			{query: q, groups: 100, failures: map[string]string{"polars": "another answer"}, runs: map[string]sample.Runs{
				"arrowagg": walls(50, 40, 90), "touch": walls(1), "duckdb": walls(200, 210, 190),
			}},
			{query: start, failures: map[string]string{}, runs: map[string]sample.Runs{
				"arrowagg": walls(10), "touch": walls(1), "duckdb": walls(400), "polars": walls(20),
			}},
		},
	}
}

func TestRatios(t *testing.T) {
	c := measured(t)
	if name, wall := c.fastest(c.outcomes[0]); name != "duckdb" || wall != 200*time.Millisecond {
		t.Errorf("the fastest is %s with %s: arrowagg, the floor and what failed do not count", name, wall)
	}
	if r, ok := c.ratio(c.outcomes[0]); !ok || r != 0.25 {
		t.Errorf("ratio %g, want 0.25", r)
	}
	if mean := c.meanRatio(); mean != "0.25" {
		t.Errorf("mean %s: start-up does not count", mean)
	}
	delete(c.outcomes[0].runs, "duckdb")
	if _, ok := c.ratio(c.outcomes[0]); ok {
		t.Error("a ratio to nobody")
	}
}

func TestMarkdownSaysWhatFailed(t *testing.T) {
	text := measured(t).markdown()
	for _, want := range []string{
		"| failed |", "polars failed on q1: another answer", "**0.25**", "10,000,000 rows", "1.0 / 2.0",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not have %q:\n%s", want, text)
		}
	}
}

func TestRawHasALineARun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raw", "runs.tsv")
	if err := measured(t).writeRaw(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines != 1+7+4 {
		t.Errorf("%d lines, want a header and 11 runs:\n%s", lines, text)
	}
}
