package main

import (
	"reflect"
	"testing"

	"github.com/spf13/pflag"
)

// TestEveryFlagCompletes: whoever adds a flag with a value says what shells
// offer for it, be it nothing.
func TestEveryFlagCompletes(t *testing.T) {
	root := newCommand(console{})
	defineCompletions(root)
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() == "bool" || f.Hidden {
			return
		}
		if _, ok := root.GetFlagCompletionFunc(f.Name); !ok {
			t.Errorf("--%s: nothing is said of its completion", f.Name)
		}
	})
}

func TestCutList(t *testing.T) {
	for _, c := range []struct {
		typed  string
		before []string
		last   string
	}{
		{"", nil, ""},
		{"ho", nil, "ho"},
		{"host,", []string{"host"}, ""},
		{"host ,  se", []string{"host"}, "se"},
		{"a,b,c", []string{"a", "b"}, "c"},
		{`"a,b",c`, []string{`"a,b"`}, "c"},
		{`"a,b`, nil, `"a,b`},
		{`"a""b",c`, []string{`"a""b"`}, "c"},
		{"date_trunc(hour, ts", nil, "date_trunc(hour, ts"},
		{"date_trunc(hour, ts), ho", []string{"date_trunc(hour, ts)"}, "ho"},
		{`f("(", x), y`, []string{`f("(", x)`}, "y"},
	} {
		got := cutList(c.typed)
		if !reflect.DeepEqual(got.before, c.before) || got.last != c.last {
			t.Errorf("cutList(%q) = %q and %q, want %q and %q", c.typed, got.before, got.last, c.before, c.last)
		}
		// What is offered goes on where the user stands.
		if words, _ := got.offer([]string{c.last + "x"}); len(words) != 1 || words[0] != c.typed+"x" {
			t.Errorf("after %q: %q", c.typed, words)
		}
	}
}
