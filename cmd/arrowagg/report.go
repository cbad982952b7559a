package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"arrowagg/internal/warning"
)

// shownErrors is how many lines a run prints before "and N more": enough to
// mend a nightly job at once, few enough to read.
const shownErrors = 20

// hinted is implemented by errors that know the way out.
type hinted interface{ HintText() string }

// reportErrors prints one line per error that err joins. The first hint that
// one of them has stands under its line.
func reportErrors(w io.Writer, err error) {
	var text strings.Builder
	hinted := false
	all := flatten(err)
	for i, e := range all {
		if i == shownErrors {
			fmt.Fprintf(&text, "arrowagg: and %d more\n", len(all)-i)
			break
		}
		fmt.Fprintf(&text, "arrowagg: %s\n", printable(e.Error()))
		if hint := hintOf(e); hint != "" && !hinted {
			fmt.Fprintf(&text, "hint: %s\n", printable(hint))
			hinted = true
		}
	}
	io.WriteString(w, text.String())
}

// hintOf is the way out that an error knows, or "".
func hintOf(err error) string {
	var h hinted
	if errors.As(err, &h) {
		return h.HintText()
	}
	return ""
}

// flatten lists the errors that err joins, each text once. A cancellation is
// only the consequence of another error and is dropped where there is one.
func flatten(err error) []error {
	var leaves []error
	seen := map[string]bool{}
	var walk func(error)
	walk = func(e error) {
		if j, ok := e.(interface{ Unwrap() []error }); ok {
			for _, part := range j.Unwrap() {
				walk(part)
			}
			return
		}
		if !seen[e.Error()] {
			seen[e.Error()] = true
			leaves = append(leaves, e)
		}
	}
	walk(err)
	causes := leaves[:0:0]
	for _, e := range leaves {
		if !errors.Is(e, context.Canceled) {
			causes = append(causes, e)
		}
	}
	if len(causes) == 0 {
		return leaves
	}
	return causes
}

// printable escapes what could move the cursor or split the line: names of
// files and columns come from outside.
func printable(s string) string {
	clean := true
	for _, r := range s {
		if !strconv.IsPrint(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// warnings prints what was found, or turns it into an error under --strict.
type warnings struct {
	w      io.Writer
	strict bool
	quiet  bool
	allow  map[string]bool
}

// tell reports one class of findings: nil, or with --strict the error that
// ends the run.
func (t warnings) tell(found []warning.Warning) error {
	var kept []warning.Warning
	for _, f := range found {
		if !t.allow[f.ID] {
			kept = append(kept, f)
		}
	}
	lines := warning.Lines(kept)
	if t.strict {
		return strictError(kept)
	}
	if t.quiet {
		return nil
	}
	var text strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&text, "arrowagg: warning: %s\n", printable(line))
	}
	io.WriteString(t.w, text.String())
	return nil
}

// strictError makes an error of each line, of the class that decides the exit
// code.
func strictError(found []warning.Warning) error {
	const hint = "accept it with --allow and the id in brackets, or run without --strict"
	var errs []error
	for _, line := range warning.Lines(found) {
		if kind, _ := warning.Lookup(found[0].ID); kind.Class == warning.Plan {
			errs = append(errs, usagef(hint, line))
		} else {
			errs = append(errs, &dataWarning{line, hint})
		}
	}
	return errors.Join(errs...)
}

// dataWarning is a warning about the inputs' bytes that --strict made an error.
type dataWarning struct{ text, hint string }

func (w *dataWarning) Error() string    { return w.text }
func (w *dataWarning) HintText() string { return w.hint }
