package planner

import (
	"errors"
	"fmt"
	"strings"

	"arrowagg/internal/groupby"
	"arrowagg/internal/syntax"
)

// Flags is the query as the command line has it, one string per flag value.
type Flags struct {
	GroupBy     []string // -g; nil: not given
	NoKeys      bool     // --no-keys
	Aggregates  []string // -a
	Exclude     []string // -x
	UnionByName bool     // --union-by-name
	IntSum      string   // --int-sum: "int64" (also "") or "decimal"
	Where       string   // -w; "": all rows
	Having      string   // --having; "": all groups
	Sort        []string // -s
	Limit       *int     // -n; nil: not given
	Source      string   // --source; "": not given
	Zone        string   // --tz; "": the columns' own
	Partial     bool     // --partial
}

// Query is the parsed query: names and calls, not yet columns. It does not
// change once parsed.
type Query struct {
	keys        []keyItem // nil: the default rule's
	noKeys      bool
	aggregates  []aggregateItem // nil: the default rule's
	exclude     []*syntax.Name
	unionByName bool
	decimalSums bool
	where       *condition // nil: all rows
	having      *condition // nil: all groups
	sort        []sortItem
	limit       *int
	source      string // the name of the key that is the input's name, or ""
	zone        string // whose dates are cut, "" for the columns' own
	partial     bool   // the result is to be merged by a later run
}

// aggregateItem is one entry of -a, its function looked up.
type aggregateItem struct {
	syntax.Item
	call     *syntax.Call
	function *groupby.Function
	columns  []*syntax.Name
}

// Parse reads the flags. What is wrong with any of them comes back in one
// error, an errors.Join of *UsageError.
func Parse(f Flags) (*Query, error) {
	q := &Query{noKeys: f.NoKeys, unionByName: f.UnionByName, partial: f.Partial}
	var errs []error
	for _, src := range f.GroupBy {
		items, err := parseKeys(src)
		q.keys = append(q.keys, items...)
		errs = append(errs, err...)
	}
	for _, src := range f.Aggregates {
		items, err := parseAggregates(src)
		q.aggregates = append(q.aggregates, items...)
		errs = append(errs, err...)
	}
	for _, src := range f.Exclude {
		names, err := syntax.ParseNames(src)
		if err != nil {
			errs = append(errs, flagError("-x", err))
		}
		q.exclude = append(q.exclude, names...)
	}
	if f.NoKeys && len(f.GroupBy) > 0 {
		errs = append(errs, &UsageError{Text: "-g and --no-keys exclude each other"})
	}
	switch f.IntSum {
	case "", intSumInt64:
	case intSumDecimal:
		q.decimalSums = true
	default:
		errs = append(errs, &UsageError{
			Text: fmt.Sprintf("--int-sum: unknown type %q", f.IntSum),
			Hint: didYouMean(f.IntSum, "types", []string{intSumInt64, intSumDecimal}),
		})
	}
	errs = append(errs, q.parseClauses(f)...)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return q, nil
}

const (
	intSumInt64   = "int64"
	intSumDecimal = "decimal"
)

// flagError gives an error of the grammar the flag that it is about.
func flagError(flag string, err error) error {
	var s *syntax.Error
	if !errors.As(err, &s) {
		return err
	}
	return &UsageError{Text: flag + ": " + s.Error(), Hint: s.Hint}
}

// parseAggregates reads one value of -a and looks its functions up.
func parseAggregates(src string) ([]aggregateItem, []error) {
	items, err := syntax.ParseItems(src)
	if err != nil {
		return nil, []error{flagError("-a", err)}
	}
	var list []aggregateItem
	var errs []error
	for _, item := range items {
		a, err := newAggregateItem(src, item)
		if err != nil {
			errs = append(errs, flagError("-a", err))
			continue
		}
		list = append(list, a)
	}
	return list, errs
}

func newAggregateItem(src string, item syntax.Item) (aggregateItem, error) {
	call, ok := item.Expr.(*syntax.Call)
	if !ok {
		at, end := item.Expr.Span()
		err := syntax.ErrorAt(src, at, end, "expected a function of a column")
		err.Hint = fmt.Sprintf("write it as sum(%s) or with another function: %s",
			item.Expr, strings.Join(functionNames(), ", "))
		return aggregateItem{}, err
	}
	at, end := call.Head()
	f, ok := groupby.Lookup(call.Function)
	if !ok {
		err := syntax.ErrorAt(src, at, end, fmt.Sprintf("unknown function %q", call.Function))
		err.Hint = functionHint(call.Function)
		return aggregateItem{}, err
	}
	columns, parameters := call.Arguments, 0
	if f.Parameter != "" {
		parameters = 1
	}
	if n := len(columns) - parameters; n < f.MinArguments || n > f.MaxArguments {
		at, end := call.Span()
		return aggregateItem{}, syntax.ErrorAt(src, at, end, arity(f, call))
	}
	a := aggregateItem{Item: item, call: call, function: f}
	if parameters > 0 {
		last := len(columns) - 1
		var err *syntax.Error
		if a.function, err = withParameter(src, f, columns[last]); err != nil {
			return aggregateItem{}, err
		}
		columns = columns[:last]
	}
	for _, e := range columns {
		name, ok := e.(*syntax.Name)
		if !ok {
			at, end := e.Span()
			return aggregateItem{}, syntax.ErrorAt(src, at, end, f.Name+" takes columns, not functions")
		}
		a.columns = append(a.columns, name)
	}
	return a, nil
}

// withParameter is the function for the literal that is its last argument.
func withParameter(src string, f *groupby.Function, e syntax.Expr) (*groupby.Function, *syntax.Error) {
	at, end := e.Span()
	name, ok := e.(*syntax.Name)
	if !ok || name.Quoted {
		return nil, syntax.ErrorAt(src, at, end, fmt.Sprintf("%s takes a number for %s", f.Name, f.Parameter))
	}
	bound, err := f.With(name.Text)
	if err != nil {
		return nil, syntax.ErrorAt(src, at, end, fmt.Sprintf("%s: %s", f.Name, err))
	}
	return bound, nil
}

// arity says how many columns a function takes.
func arity(f *groupby.Function, call *syntax.Call) string {
	if f.Parameter != "" {
		return fmt.Sprintf("%s takes a column and %s, as %s(lat, 0.99)", f.Name, f.Parameter, f.Name)
	}
	takes := fmt.Sprintf("%d", f.MaxArguments)
	switch {
	case f.MinArguments == 0:
		takes = "at most " + takes
	case f.MinArguments < f.MaxArguments:
		takes = fmt.Sprintf("%d to %s", f.MinArguments, takes)
	}
	plural := "s"
	if f.MaxArguments == 1 {
		plural = ""
	}
	given := fmt.Sprintf("%d", len(call.Arguments))
	if call.Star {
		given = "*"
	}
	return fmt.Sprintf("%s takes %s column%s, not %s", f.Name, takes, plural, given)
}

func functionNames() []string {
	names := make([]string, len(groupby.Functions))
	for i := range groupby.Functions {
		names[i] = groupby.Functions[i].Name
	}
	return names
}

// Flags is Parse's inverse: flag values that parse into an equal query.
func (q *Query) Flags() Flags {
	f := Flags{NoKeys: q.noKeys, UnionByName: q.unionByName, IntSum: intSumInt64, Partial: q.partial}
	if q.decimalSums {
		f.IntSum = intSumDecimal
	}
	if q.keys != nil {
		f.GroupBy = []string{join(q.keys)}
	}
	if q.aggregates != nil {
		f.Aggregates = []string{join(q.aggregates)}
	}
	if q.exclude != nil {
		f.Exclude = []string{join(q.exclude)}
	}
	q.clauseFlags(&f)
	return f
}

// String writes the query as flags, for people.
func (q *Query) String() string {
	f := q.Flags()
	var words []string
	for _, flag := range []struct {
		name   string
		values []string
	}{{"-g", f.GroupBy}, {"-a", f.Aggregates}, {"-x", f.Exclude}} {
		for _, v := range flag.values {
			words = append(words, flag.name, shellQuote(v))
		}
	}
	if q.noKeys {
		words = append(words, "--no-keys")
	}
	if q.unionByName {
		words = append(words, "--union-by-name")
	}
	if q.decimalSums {
		words = append(words, "--int-sum", intSumDecimal)
	}
	if q.partial {
		words = append(words, "--partial")
	}
	words = append(words, clauseWords(f)...)
	return strings.Join(words, " ")
}

func join[T fmt.Stringer](list []T) string {
	words := make([]string, len(list))
	for i, e := range list {
		words[i] = e.String()
	}
	return strings.Join(words, ", ")
}

// shellQuote quotes a word as POSIX shells read it.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
