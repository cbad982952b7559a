package planner

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/warning"
)

// source reads a schema in arrowtest's text form: "host utf8 | v_sum int64".
func source(name, schema string) Source {
	return Source{Name: name, Schema: arrowtest.Must(schema).Schema()}
}

// sources names schemas w1, w2, …
func sources(schemas ...string) []Source {
	list := make([]Source, len(schemas))
	for i, s := range schemas {
		list[i] = source(fmt.Sprintf("w%d", i+1), s)
	}
	return list
}

func mustParse(t *testing.T, f Flags) *Query {
	t.Helper()
	q, err := Parse(f)
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	return q
}

func mustBind(t *testing.T, f Flags, s ...Source) (*Plan, []warning.Warning) {
	t.Helper()
	p, w, err := mustParse(t, f).Bind(s)
	if err != nil {
		t.Fatalf("Bind: %v", err)
	}
	return p, w
}

// bindError binds what must fail and returns the errors one by one.
func bindError(t *testing.T, f Flags, s ...Source) []error {
	t.Helper()
	_, _, err := mustParse(t, f).Bind(s)
	if err == nil {
		t.Fatal("Bind: no error")
	}
	return each(err)
}

func each(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

// outputs writes a plan's result as "host utf8, sum(bytes_sum) bytes_sum int64".
func outputs(p *Plan) string {
	var parts []string
	for i, ref := range p.Spec().Order {
		f := p.Spec().Output.Field(i)
		part := f.Name + " " + typeName(f.Type)
		if ref.Aggregate {
			part = p.aggregates[ref.Index].written + " " + part
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func wantOutputs(t *testing.T, p *Plan, want string) {
	t.Helper()
	if got := outputs(p); got != want {
		t.Errorf("outputs:\n got %s\nwant %s", got, want)
	}
}

// wantErrors compares errors, each written "usage: TEXT (HINT)" or
// "conflict: TEXT (HINT)".
func wantErrors(t *testing.T, errs []error, want ...string) {
	t.Helper()
	var got []string
	for _, err := range errs {
		got = append(got, errorText(err))
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("errors:\n%s\nwant:\n%s", g, w)
	}
}

func errorText(err error) string {
	var usage *UsageError
	var conflict *ConflictError
	kind, hint := "?", ""
	switch {
	case errors.As(err, &usage):
		kind, hint = "usage", usage.HintText()
	case errors.As(err, &conflict):
		kind, hint = "conflict", conflict.HintText()
	}
	if hint != "" {
		hint = " (" + hint + ")"
	}
	return kind + ": " + err.Error() + hint
}

func wantWarnings(t *testing.T, got []warning.Warning, want ...string) {
	t.Helper()
	var list []string
	for _, w := range got {
		if _, ok := warning.Lookup(w.ID); !ok {
			t.Errorf("unknown warning id %q", w.ID)
		}
		list = append(list, w.ID+" "+w.Subject)
	}
	if g, w := strings.Join(list, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("warnings:\n%s\nwant:\n%s", g, w)
	}
}

// permutations calls f with every order of list.
func permutations[T any](list []T, f func([]T)) {
	if len(list) == 0 {
		f(nil)
		return
	}
	for i := range list {
		rest := append(append([]T(nil), list[:i]...), list[i+1:]...)
		permutations(rest, func(tail []T) { f(append([]T{list[i]}, tail...)) })
	}
}
