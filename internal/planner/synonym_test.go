package planner

import (
	"slices"
	"strings"
	"testing"

	"arrowagg/internal/groupby"
)

func TestFunctionHint(t *testing.T) {
	for name, want := range map[string]string{
		"avg":      "did you mean mean?",
		"AVERAGE":  "did you mean mean?",
		"std":      "did you mean stddev_samp?",
		"stddev":   "did you mean stddev_samp?",
		"var":      "did you mean var_samp?", // not max, which is as near
		"variance": "did you mean var_samp?",
		"every":    "did you mean bool_and?",
		"some":     "did you mean bool_or?",
		"any":      "did you mean bool_or?",
		"maen":     "did you mean mean?",
		"frob":     didYouMean("frob", "functions", functionNames()),
	} {
		if got := functionHint(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	_, err := Parse(Flags{Aggregates: []string{"avg(x)"}})
	wantErrors(t, each(err), `usage: -a: at "avg(": unknown function "avg" (did you mean mean?)`)
}

// No synonym hides a function, is listed twice, or suggests what is not there.
func TestSynonyms(t *testing.T) {
	var seen []string
	for _, s := range synonyms {
		if _, ok := groupby.Lookup(s.other); ok || slices.Contains(seen, s.other) || s.other != strings.ToLower(s.other) {
			t.Errorf("%s is no synonym", s.other)
		}
		seen = append(seen, s.other)
		if _, ok := groupby.Lookup(s.ours); !ok {
			t.Errorf("%s is to be %s, which is no function", s.other, s.ours)
		}
	}
}
