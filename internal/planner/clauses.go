package planner

import (
	"fmt"
	"strconv"
	"strings"

	"arrowagg/internal/expr"
	"arrowagg/internal/groupby"
	"arrowagg/internal/syntax"
	"arrowagg/internal/zone"
)

// condition is the text of -w or --having and what it was parsed into.
type condition struct {
	src  string
	expr syntax.Expr
}

// keyItem is one entry of -g, and the value of -g that it stands in, which
// errors point into.
type keyItem struct {
	syntax.Item
	src string
}

// sortItem is one entry of -s, likewise.
type sortItem struct {
	syntax.SortKey
	src string
}

// parseClauses reads the flags that are no lists of columns.
func (q *Query) parseClauses(f Flags) []error {
	var errs []error
	clause := func(flag, src string, c **condition) {
		if src == "" {
			return
		}
		e, err := syntax.ParseCondition(src)
		if err != nil {
			errs = append(errs, flagError(flag, err))
			return
		}
		*c = &condition{src, e}
	}
	clause("-w", f.Where, &q.where)
	clause("--having", f.Having, &q.having)
	for _, src := range f.Sort {
		keys, err := syntax.ParseSort(src)
		if err != nil {
			errs = append(errs, flagError("-s", err))
		}
		for _, k := range keys {
			q.sort = append(q.sort, sortItem{k, src})
		}
	}
	if f.Limit != nil {
		limit := *f.Limit
		if limit < 0 {
			errs = append(errs, &UsageError{Text: fmt.Sprintf("-n: %d is less than 0", limit)})
		}
		q.limit = &limit
	}
	if f.Zone != "" {
		if _, err := zone.Load(f.Zone); err != nil {
			errs = append(errs, &UsageError{Text: "--tz: " + err.Error(), Hint: zoneHint(f.Zone)})
		}
		q.zone = f.Zone
	}
	if f.Source != "" && f.NoKeys {
		errs = append(errs, &UsageError{Text: "--source and --no-keys exclude each other: the source is a key"})
	}
	q.source = f.Source
	return append(errs, f.checkPartial()...)
}

// checkPartial refuses clauses over finished groups where no group is finished.
func (f *Flags) checkPartial() []error {
	var errs []error
	for _, clause := range []struct {
		flag  string
		given bool
	}{{"--having", f.Having != ""}, {"-s", len(f.Sort) > 0}, {"-n", f.Limit != nil}} {
		if f.Partial && clause.given {
			errs = append(errs, &UsageError{
				Text: clause.flag + " has no effect with --partial: groups are finished only when all are merged",
				Hint: "give it to the run that merges the partial results",
			})
		}
	}
	return errs
}

// zoneHint is the way out for an unknown zone.
func zoneHint(name string) string {
	if near := Nearest(name, zone.Names()); near != "" {
		return "did you mean " + near + "?"
	}
	return "zones are named as Europe/Paris, or by their offset as +05:30"
}

// parseKeys reads one value of -g.
func parseKeys(src string) ([]keyItem, []error) {
	items, err := syntax.ParseItems(src)
	if err != nil {
		return nil, []error{flagError("-g", err)}
	}
	var list []keyItem
	var errs []error
	for _, item := range items {
		if call, ok := item.Expr.(*syntax.Call); ok {
			if _, known := expr.Lookup(call.Function); !known {
				errs = append(errs, flagError("-g", noKeyFunction(src, call)))
			}
		}
		list = append(list, keyItem{item, src})
	}
	return list, errs
}

// noKeyFunction is the error for a call that gives no key.
func noKeyFunction(src string, call *syntax.Call) error {
	at, end := call.Head()
	if _, ok := groupby.Lookup(call.Function); ok {
		err := syntax.ErrorAt(src, at, end, "a key is a column or made of one, not an aggregate")
		err.Hint = "aggregates are named with -a"
		return err
	}
	text, hint := unknownFunction(call)
	err := syntax.ErrorAt(src, at, end, text)
	err.Hint = hint
	return err
}

// clauseFlags is the inverse of parseClauses.
func (q *Query) clauseFlags(f *Flags) {
	if q.where != nil {
		f.Where = q.where.expr.String()
	}
	if q.having != nil {
		f.Having = q.having.expr.String()
	}
	if q.sort != nil {
		f.Sort = []string{join(q.sort)}
	}
	if q.limit != nil {
		limit := *q.limit
		f.Limit = &limit
	}
	f.Zone, f.Source = q.zone, q.source
}

// clauseWords writes the same flags as words of a command.
func clauseWords(f Flags) []string {
	var words []string
	for _, flag := range []struct{ name, value string }{
		{"-w", f.Where},
		{"--having", f.Having},
		{"-s", strings.Join(f.Sort, ", ")},
		{"--tz", f.Zone},
		{"--source", f.Source},
	} {
		if flag.value != "" {
			words = append(words, flag.name, shellQuote(flag.value))
		}
	}
	if f.Limit != nil {
		words = append(words, "-n", strconv.Itoa(*f.Limit))
	}
	return words
}
