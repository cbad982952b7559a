package main

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"arrowagg/internal/groupby"
	"arrowagg/internal/render"
	"arrowagg/internal/warning"
)

// TestReadmeNamesEverything: what a table of the program offers and the README
// does not name is as good as absent.
func TestReadmeNamesEverything(t *testing.T) {
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(b)
	named := func(kind, text string) {
		if !strings.Contains(readme, text) {
			t.Errorf("the README does not name the %s %s", kind, text)
		}
	}
	for _, f := range groupby.Functions {
		named("function", "`"+f.Name)
	}
	for _, f := range render.Formats {
		named("format", "`"+f.Name+"`")
		for _, suffix := range f.Suffixes {
			named("suffix", "`"+suffix+"`")
		}
	}
	for _, k := range warning.Kinds {
		named("warning", "`"+k.ID+"`")
	}
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	defineFlags(fs, &options{})
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if f.Shorthand == "" || !strings.Contains(readme, "-"+f.Shorthand+" ") && !strings.Contains(readme, "`-"+f.Shorthand) {
			named("flag", "--"+f.Name)
		}
	})
}
