package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"arrowagg/internal/planner"
	"arrowagg/internal/warning"
)

func TestReportErrors(t *testing.T) {
	var many []error
	for i := range 25 {
		many = append(many, fmt.Errorf("w%02d: truncated", i))
	}
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"one", errors.New("w1: empty"), "arrowagg: w1: empty\n"},
		{"escaped", errors.New("a\nb\x1b[31m: empty"), `arrowagg: a\nb\x1b[31m: empty` + "\n"},
		{
			"joined and nested, each once",
			errors.Join(errors.New("a"), errors.Join(errors.New("b"), errors.New("a"))), "arrowagg: a\narrowagg: b\n",
		},
		{
			"a cancellation is only a consequence",
			errors.Join(context.Canceled, errors.New("a"), context.Canceled), "arrowagg: a\n",
		},
		{
			"the first hint, under its line", errors.Join(errors.New("a"), usagef("try x", "b"), usagef("try y", "c")),
			"arrowagg: a\narrowagg: b\nhint: try x\narrowagg: c\n",
		},
	} {
		var b strings.Builder
		reportErrors(&b, c.err)
		if b.String() != c.want {
			t.Errorf("%s: got\n%swant\n%s", c.name, b.String(), c.want)
		}
	}
	var b strings.Builder
	reportErrors(&b, errors.Join(many...))
	if got := b.String(); strings.Count(got, "\n") != shownErrors+1 || !strings.HasSuffix(got, "arrowagg: and 5 more\n") {
		t.Errorf("25 errors: got\n%s", got)
	}
}

func TestExitCode(t *testing.T) {
	usage, input := usagef("", "x"), errors.New("y")
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, exitDone},
		{input, exitInput},
		{usage, exitUsage},
		{errors.Join(input, usage), exitUsage},
		{fmt.Errorf("more: %w", usage), exitUsage},
		{&planner.ConflictError{Text: "z"}, exitInput},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("exitCode(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}

func TestWarnings(t *testing.T) {
	found := []warning.Warning{
		{ID: "no-end-marker", Subject: "a"},
		{ID: "no-end-marker", Subject: "b"},
		{ID: "no-end-marker", Subject: "c"},
		{ID: "no-end-marker", Subject: "d"},
	}
	for _, c := range []struct {
		name string
		w    warnings
		text string
		code int
	}{
		{"told", warnings{}, "arrowagg: warning: 4 inputs have no end-of-stream marker: a, b and 2 more [no-end-marker]\n", 0},
		{"quiet", warnings{quiet: true}, "", 0},
		{"allowed", warnings{strict: true, allow: map[string]bool{"no-end-marker": true}}, "", 0},
		{"strict", warnings{strict: true}, "", exitInput},
	} {
		var b strings.Builder
		c.w.w = &b
		if code := exitCode(c.w.tell(found)); b.String() != c.text || code != c.code {
			t.Errorf("%s: %q and code %d, want %q and %d", c.name, b.String(), code, c.text, c.code)
		}
	}
	strict := warnings{w: &strings.Builder{}, strict: true}
	if code := exitCode(strict.tell([]warning.Warning{{ID: "summed-key", Subject: "port"}})); code != exitUsage {
		t.Errorf("a plan warning under --strict: code %d, want %d", code, exitUsage)
	}
}
