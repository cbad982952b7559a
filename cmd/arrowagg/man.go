package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"arrowagg/internal/expr"
	"arrowagg/internal/groupby"
	"arrowagg/internal/render"
	"arrowagg/internal/warning"
)

// printMan writes the manual page, in the man macros of roff, from the same
// definitions as the help: flags, examples, the rule, and from the tables of
// functions, formats and warnings.
func printMan(w io.Writer, fs *pflag.FlagSet) error {
	var b strings.Builder
	section := func(title string) { fmt.Fprintf(&b, ".SH %s\n", title) }

	fmt.Fprintf(&b, ".TH ARROWAGG 1 \"\" \"arrowagg %s\" \"User Commands\"\n", version)
	section("NAME")
	b.WriteString("arrowagg \\- merge and aggregate Arrow IPC streams\n")
	section("SYNOPSIS")
	b.WriteString(".B arrowagg\n[\\fIflags\\fR] [\\fIFILE\\fR...]\n")
	section("DESCRIPTION")
	b.WriteString("Reads Arrow IPC streams and files, merges their rows by key, and prints one\n" +
		"result. No \\fIFILE\\fR, or \\-, reads standard input.\n.PP\n" + roff(filled(rule)) + "\n")
	for _, g := range flagGroups {
		section(strings.ToUpper(string(g)))
		fs.VisitAll(func(f *pflag.Flag) {
			if groupOf(f) == g {
				b.WriteString(manFlag(f))
			}
		})
	}
	item := func(name, text string) { fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(name), roff(filled(text))) }
	section("FUNCTIONS")
	b.WriteString("Aggregates, for \\fB\\-a\\fR:\n")
	for _, f := range groupby.Functions {
		item(signature(f), f.Help)
	}
	b.WriteString(".PP\nOf a row, for \\fB\\-g\\fR and \\fB\\-w\\fR:\n")
	for _, f := range expr.Functions {
		item(f.Name+"(WIDTH, x)", f.Help+": "+strings.Join(f.Widths, ", "))
	}
	item("cast(x as TYPE)", "the value in another type, as in cast(ts as timestamp[s])")
	section("FORMATS")
	for _, f := range render.Formats {
		item(f.Name, f.Help+"; chosen by "+strings.Join(f.Suffixes, " "))
	}
	section("WARNINGS")
	b.WriteString("The id in brackets at the end of a warning is what \\fB\\-\\-allow\\fR takes.\n")
	for _, k := range warning.Kinds {
		item(k.ID, k.Help)
	}
	section("EXIT STATUS")
	b.WriteString(roff(filled(exitHelp)) + "\n")
	section("EXAMPLES")
	for i, e := range examples {
		if i > 0 { // a section begins a paragraph by itself
			b.WriteString(".PP\n")
		}
		fmt.Fprintf(&b, "%s:\n.PP\n.nf\n.RS\n%s\n.RE\n.fi\n", roff(e.what), roff(e.command))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// signature is how a function is called.
func signature(f groupby.Function) string {
	arguments := []string{"*", "x", "x, y"}[f.MaxArguments]
	if f.MinArguments == 0 {
		arguments = "*), " + f.Name + "(" + arguments
	}
	if f.Parameter != "" {
		arguments += ", " + f.Parameter
	}
	return f.Name + "(" + arguments + ")"
}

func manFlag(f *pflag.Flag) string {
	value, usage := pflag.UnquoteUsage(f)
	name := "\\-\\-" + roff(f.Name)
	if f.Shorthand != "" {
		name = "\\-" + f.Shorthand + ", " + name
	}
	if value != "" {
		value = " \\fI" + roff(value) + "\\fR"
	}
	return fmt.Sprintf(".TP\n\\fB%s\\fR%s\n%s\n", name, value, roff(filled(usage)))
}

// filled breaks text into lines of less than 70 characters.
// What roff makes of a page does not depend on it, but its checkers and people
// who read the source ask for it.
func filled(text string) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		switch n := utf8.RuneCountInString(word); {
		case column == 0:
			column = n
		case column+1+n < 70:
			b.WriteByte(' ')
			column += 1 + n
		default:
			b.WriteByte('\n')
			column = n
		}
		b.WriteString(word)
	}
	return b.String()
}

// roff escapes text: hyphens that must be copyable, backslashes, and lines
// that would begin with a control character.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
