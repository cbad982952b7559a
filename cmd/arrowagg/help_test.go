package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"arrowagg/internal/expr"
	"arrowagg/internal/groupby"
	"arrowagg/internal/render"
	"arrowagg/internal/warning"
)

// TestHelpFits: help is read on a terminal, without a pager.
func TestHelpFits(t *testing.T) {
	const mostLines, mostColumns = 76, 100
	lines := strings.Split(strings.TrimSuffix(helpText(t), "\n"), "\n")
	if len(lines) > mostLines {
		t.Errorf("%d lines, more than %d", len(lines), mostLines)
	}
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > mostColumns {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if len(examples) != 5 || strings.Count(rule, "\n") != 4 {
		t.Errorf("%d examples and a rule of %d lines", len(examples), strings.Count(rule, "\n"))
	}
	if last := flagGroups[len(flagGroups)-1]; last != groupTuning {
		t.Errorf("the last flags are not those of tuning but: %s", last)
	}
}

// TestEveryFlagIsExplained: it stands in the help under a heading, in the
// manual page and in the README.
func TestEveryFlagIsExplained(t *testing.T) {
	var man bytes.Buffer
	fs := newCommand(console{}).Flags()
	if err := printMan(&man, fs); err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{
		"the help":        helpText(t),
		"the manual page": strings.NewReplacer(`\-`, "-", `\fB`, "", `\fR`, "").Replace(man.String()),
		"the README":      string(readme),
	}
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if groupOf(f) == "" {
			t.Errorf("--%s stands under no heading", f.Name)
		}
		for where, text := range texts {
			short := where == "the README" && f.Shorthand != "" && mentions(text, "-"+f.Shorthand)
			if !short && !mentions(text, "--"+f.Name) {
				t.Errorf("--%s is not in %s", f.Name, where)
			}
		}
	})
}

// TestManNamesEverything: what a table of the program offers stands in the page.
func TestManNamesEverything(t *testing.T) {
	var b bytes.Buffer
	if err := printMan(&b, newCommand(console{}).Flags()); err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(b.String(), `\-`, "-")
	var names []string
	for _, f := range groupby.Functions {
		names = append(names, "\n.B "+f.Name+"(")
	}
	for _, f := range expr.Functions {
		names = append(names, "\n.B "+f.Name+"(")
	}
	for _, f := range render.Formats {
		names = append(names, "\n.B "+f.Name+"\n")
	}
	for _, k := range warning.Kinds {
		names = append(names, "\n.B "+k.ID+"\n")
	}
	for _, name := range names {
		if !strings.Contains(page, name) {
			t.Errorf("the manual page has no item %q", name)
		}
	}
}

// mentions tells whether a text has the flag, and not only as a part of a longer
// word.
func mentions(text, flag string) bool {
	whole := regexp.MustCompile(`(^|[^-\w])` + regexp.QuoteMeta(flag) + `($|[^-\w])`)
	return whole.MatchString(text)
}

func helpText(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := printHelp(&b, newCommand(console{}).Flags()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestManIsRoff: no line of the page is taken for a request that was meant as
// text, and none is longer than its checkers like.
func TestManIsRoff(t *testing.T) {
	var b bytes.Buffer
	if err := printMan(&b, newCommand(console{}).Flags()); err != nil {
		t.Fatal(err)
	}
	requests := map[string]bool{".TH": true, ".SH": true, ".PP": true, ".TP": true, ".B": true, ".nf": true, ".fi": true, ".RS": true, ".RE": true}
	for line := range strings.Lines(b.String()) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !requests[word] {
			t.Errorf("not a request: %s", line)
		}
		if visible := strings.ReplaceAll(line, `\`, ""); len(visible) > 81 {
			t.Errorf("%d characters: %s", len(visible), line)
		}
	}
}
