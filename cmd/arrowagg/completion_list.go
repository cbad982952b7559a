package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/spf13/cobra"

	"arrowagg/internal/expr"
	"arrowagg/internal/groupby"
	"arrowagg/internal/ipcread"
	"arrowagg/internal/planner"
	"arrowagg/internal/syntax"
	"arrowagg/internal/warning"
)

// completionTime bounds how long a person at the keyboard waits for a schema.
const completionTime = time.Second

// schemaOf is the schema of the first of the files named so far that has one.
// Whatever is wrong with them is for the run to say.
func schemaOf(files []string) *arrow.Schema {
	ctx, cancel := context.WithTimeout(context.Background(), completionTime)
	defer cancel()
	for _, name := range files {
		if schema, err := ipcread.ReadSchema(ctx, name); err == nil {
			return schema
		}
	}
	return arrow.NewSchema(nil, nil)
}

// completeKeys completes the last of a list of keys: columns, and functions of
// times with their width and their column.
func completeKeys(_ *cobra.Command, files []string, typed string) ([]string, cobra.ShellCompDirective) {
	schema, list := schemaOf(files), cutList(typed)
	times := planner.TimeCandidates(schema)
	name, arguments, open := strings.Cut(list.last, "(")
	if open {
		var words []string
		if f, known := expr.Lookup(strings.ToLower(name)); known {
			words = bucketWords(f, name+"(", arguments, times)
		}
		return list.offer(words)
	}
	words := columnWords(list, planner.KeyCandidates(schema))
	if len(times) > 0 {
		for _, f := range expr.Functions {
			words = append(words, described(f.Name+"(", f.Help))
		}
	}
	return list.offer(words)
}

// bucketWords are the widths of a call, or its columns once the width is there
// or there is only one.
func bucketWords(f expr.Function, call, arguments string, times []planner.Candidate) []string {
	inner := cutList(arguments)
	call += arguments[:len(arguments)-len(inner.last)]
	switch len(inner.before) {
	case 0:
		var words []string
		for _, w := range f.Widths {
			if strings.HasPrefix(w, inner.last) {
				words = append(words, call+w+",")
			}
		}
		if len(words) != 1 {
			return words
		}
		call, inner.last = words[0]+" ", ""
	case 1:
	default:
		return nil
	}
	var words []string
	for _, c := range times {
		words = append(words, described(call+write(c.Name, inner.last)+")", c.Type))
	}
	return words
}

func completeColumns(_ *cobra.Command, files []string, typed string) ([]string, cobra.ShellCompDirective) {
	list := cutList(typed)
	return list.offer(columnWords(list, planner.ColumnCandidates(schemaOf(files))))
}

// columnWords are the columns that a list does not have yet.
func columnWords(list typedList, columns []planner.Candidate) []string {
	var words []string
	for _, c := range columns {
		if !slices.Contains(list.before, syntax.Column(c.Name)) {
			words = append(words, described(write(c.Name, list.last), c.Type))
		}
	}
	return words
}

// completeAggregates completes the last of a list of calls: the function, then
// the columns that it takes.
func completeAggregates(_ *cobra.Command, files []string, typed string) ([]string, cobra.ShellCompDirective) {
	list := cutList(typed)
	function, arguments, open := strings.Cut(list.last, "(")
	if only := onlyFunction(function); !open && only != "" {
		function, open = only, true // there is nothing to choose but columns
	}
	var words []string
	switch f, known := groupby.Lookup(strings.ToLower(function)); {
	case !open:
		for _, f := range groupby.Functions {
			words = append(words, described(f.Name+"(", f.Help))
		}
	case known:
		inner := cutList(arguments)
		head := function + "(" + arguments[:len(arguments)-len(inner.last)]
		if f.MinArguments == 0 && arguments == inner.last {
			words = append(words, described(head+"*)", "rows"))
		}
		end := ")"
		if len(inner.before)+1 < f.MinArguments || f.Parameter != "" {
			end = ", "
		}
		if f.Parameter != "" && len(inner.before) == f.MaxArguments {
			return list.offer(parameterWords(f, head, inner.last))
		}
		for _, c := range planner.ArgumentCandidates(schemaOf(files), f.Name) {
			words = append(words, described(head+write(c.Name, inner.last)+end, c.Type))
		}
	}
	return list.offer(words)
}

// parameterWords are values that a function's parameter often has, as examples.
func parameterWords(f *groupby.Function, head, begun string) []string {
	var words []string
	for _, p := range []string{"0.5", "0.9", "0.95", "0.99", "0.999"} {
		if strings.HasPrefix(p, begun) {
			words = append(words, described(head+p+")", f.Parameter))
		}
	}
	return words
}

// onlyFunction is the function that begins so, if it is the only one.
func onlyFunction(begun string) string {
	only := ""
	for _, f := range groupby.Functions {
		if strings.HasPrefix(f.Name, begun) {
			if only != "" {
				return ""
			}
			only = f.Name
		}
	}
	return only
}

func completeWarnings(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	list := cutList(typed)
	var words []string
	for _, k := range warning.Kinds {
		if !slices.Contains(list.before, k.ID) {
			words = append(words, described(k.ID, k.Help))
		}
	}
	return list.offer(words)
}

// write is a column's name as the user began to write it: in quotes if there
// is one, else only where it needs them.
func write(name, begun string) string {
	if strings.HasPrefix(begun, `"`) {
		return syntax.Quote(name)
	}
	return syntax.Column(name)
}

// described is a candidate with a word about it, as cobra takes them.
func described(candidate, about string) string { return candidate + "\t" + about }

// typedList is a comma-separated list whose last element is being typed.
type typedList struct {
	text   string
	before []string // the elements before the last
	last   string
}

// cutList cuts a list at its commas, those in quotes and parentheses aside.
// What is being typed may end in the middle of either.
func cutList(text string) typedList {
	list := typedList{text: text}
	begin, depth, quoted := 0, 0, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			list.before = append(list.before, strings.TrimSpace(text[begin:i]))
			begin = i + 1
		}
	}
	list.last = strings.TrimLeft(text[begin:], " ")
	return list
}

// offer is the whole list with each of the words in the last place that goes on
// as the user began. The cursor stays behind it, for the next comma.
func (l typedList) offer(words []string) ([]string, cobra.ShellCompDirective) {
	head := l.text[:len(l.text)-len(l.last)]
	var whole []string
	for _, w := range words {
		if strings.HasPrefix(w, l.last) {
			whole = append(whole, head+w)
		}
	}
	return whole, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace |
		cobra.ShellCompDirectiveKeepOrder
}
