package planner

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/scan"
	"arrowagg/internal/syntax"
	"arrowagg/internal/warning"
)

// merging is what a plan over partial results knows of them. They come with
// their plan; what is left to the flags is how the finished groups are shown.
type merging struct {
	text    string
	first   string        // the source that the plan was read from
	fields  []arrow.Field // of every source
	sharded bool          // whether the sources are shards
	shards  shardSet      // those that are read
	holder  map[int]string
}

// bindPartials settles the query for sources of which some are partial results.
func (q *Query) bindPartials(sources []Source) (*Plan, []warning.Warning, error) {
	var raw, partial nameList
	for _, s := range sources {
		if isPartial(s.Schema) {
			partial.add(s.Name)
		} else {
			raw.add(s.Name)
		}
	}
	if raw.count > 0 {
		return nil, nil, mixed(raw, partial)
	}
	first, err := readPartial(sources[0])
	if err != nil {
		return nil, nil, err
	}
	planned, err := bindText(first.text, sources[0].Name)
	if err != nil {
		return nil, nil, &ConflictError{Text: fmt.Sprintf("%s: its plan cannot be read: %s", sources[0].Name,
			strings.ReplaceAll(err.Error(), "\n", "; "))}
	}
	for _, a := range planned.aggregates {
		if a.function.Ordered && first.shards.count == 0 {
			return nil, nil, &ConflictError{
				Text: fmt.Sprintf("%s: is of no sharded run, so the order of its rows for %s is unknown", sources[0].Name, a.written),
			}
		}
	}
	exported, err := exporting(planned.spec)
	if err != nil {
		return nil, nil, &ConflictError{Text: sources[0].Name + ": " + err.Error()}
	}
	if err := q.agrees(planned); err != nil {
		return nil, nil, err
	}
	m := &merging{
		text: first.text, first: sources[0].Name, fields: exported.Output.Fields(),
		sharded: first.shards.count > 0, holder: map[int]string{},
	}
	m.shards.count, m.shards.run = first.shards.count, first.shards.run
	var errs []error
	for _, s := range sources {
		errs = append(errs, m.admit(s))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, err
	}
	p, err := q.finishing(planned.query).bind(planned.catalog)
	if err != nil {
		return nil, nil, err
	}
	p.query, p.merging = q.finishing(planned.query), m
	p.query.partial = q.partial
	if q.partial {
		p.spec = exported
	}
	p.spec = p.spec.Merging()
	p.projection = &scan.Projection{}
	for i := range m.fields {
		p.projection.Columns = append(p.projection.Columns, scan.Column{Input: i})
	}
	return p, nil, nil
}

// mixed is the error for raw inputs beside partial results.
func mixed(raw, partial nameList) error {
	verb := "are"
	if partial.count == 1 {
		verb = "is"
	}
	return &ConflictError{
		Text: fmt.Sprintf("%s %s partial and %s not: they cannot be merged in one run", partial, verb, raw),
		Hint: "make partial results of the others with --partial first",
	}
}

// finishing is the query of partial results with the clauses of q that choose
// and order finished groups.
func (q *Query) finishing(planned *Query) *Query {
	f := *planned
	f.having, f.sort, f.limit = q.having, q.sort, q.limit
	return &f
}

// agrees refuses flags that ask for something else than the partial results
// have. Those that repeat their plan are welcome: the same command line serves
// both levels.
func (q *Query) agrees(planned *Plan) error {
	f, has := q.Flags(), planned.query.Flags()
	var errs []error
	refuse := func(format string, args ...any) {
		errs = append(errs, &UsageError{
			Text: fmt.Sprintf(format, args...), Hint: "partial results know their plan; leave the flag out",
		})
	}
	for _, flag := range []struct{ name, given, planned string }{
		{"-g", strings.Join(f.GroupBy, ", "), strings.Join(has.GroupBy, ", ")},
		{"-a", strings.Join(f.Aggregates, ", "), strings.Join(has.Aggregates, ", ")},
		{"-w", f.Where, has.Where},
		{"--tz", f.Zone, has.Zone},
		{"--source", f.Source, has.Source},
	} {
		switch {
		case flag.given == "" || flag.given == flag.planned:
		case flag.planned == "":
			refuse("%s: the partial results were made without it", flag.name)
		default:
			refuse("%s: the partial results were made with %s %s", flag.name, flag.name, flag.planned)
		}
	}
	if f.IntSum == intSumDecimal && has.IntSum != intSumDecimal {
		refuse("--int-sum: the partial results were made without it")
	}
	if f.NoKeys && !has.NoKeys {
		refuse("--no-keys: the partial results were made without it")
	}
	for _, name := range q.exclude {
		column := syntax.Column(name.Text)
		if planned.catalog.byName[name.Text] != nil && !slices.Contains(planned.excludedInputs(), column) {
			refuse("-x: the partial results were made with column %s", column)
		}
	}
	return errors.Join(errs...)
}

// partial is what a partial result says of itself.
type partial struct {
	text   string
	shards shardSet
}

func readPartial(s Source) (partial, error) {
	var p partial
	md := s.Schema.Metadata()
	if v, _ := md.GetValue(partialKey); v != partialVersion {
		return p, &ConflictError{
			Text: fmt.Sprintf("%s: a partial result of format %s, and this version reads format %s", s.Name, v, partialVersion),
			Hint: "merge it with the version of arrowagg that wrote it",
		}
	}
	p.text, _ = md.GetValue(planKey)
	run, _ := md.GetValue(runKey)
	if text, ok := md.GetValue(shardsKey); ok {
		var err error
		if p.shards, err = parseShards(text, run); err != nil {
			return p, &ConflictError{Text: fmt.Sprintf("%s: %s: %s", s.Name, shardsKey, err)}
		}
	}
	return p, nil
}

// admit takes in one more source, or says why it does not go with the others.
func (m *merging) admit(s Source) error {
	refuse := func(format string, args ...any) error {
		return &ConflictError{Text: s.Name + ": " + fmt.Sprintf(format, args...)}
	}
	if !isPartial(s.Schema) {
		return mixed(nameList{[]string{s.Name}, 1}, nameList{[]string{m.first}, 1})
	}
	p, err := readPartial(s)
	switch {
	case err != nil:
		return err
	case p.text != m.text:
		return &ConflictError{
			Text: fmt.Sprintf("%s: a partial result of another plan than %s: %s", s.Name, m.first, difference(m.text, p.text)),
			Hint: "give every worker the same -g and -a, and columns of the same types",
		}
	case !m.fits(s.Schema):
		return refuse("its columns are not those of its plan")
	case (p.shards.count > 0) != m.sharded:
		if m.sharded {
			return refuse("is of no sharded run, and %s is", m.first)
		}
		return refuse("is of a sharded run, and %s is not", m.first)
	case p.shards.count != m.shards.count:
		return refuse("is of a run of %d shards, and %s of one of %d", p.shards.count, m.first, m.shards.count)
	case p.shards.run != m.shards.run:
		return refuse("is of a run over other inputs than %s", m.first)
	}
	for _, i := range p.shards.held {
		if other, taken := m.holder[i]; taken {
			return refuse("holds shard %d of %d, which %s holds too", i, p.shards.count, other)
		}
	}
	for _, i := range p.shards.held {
		m.holder[i] = s.Name
	}
	if !s.Unread {
		m.shards.add(p.shards)
	}
	return nil
}

// fits reports whether a schema has the columns of the plan's partial results.
func (m *merging) fits(schema *arrow.Schema) bool {
	if schema.NumFields() != len(m.fields) {
		return false
	}
	for i, f := range schema.Fields() {
		if f.Name != m.fields[i].Name || !arrow.TypeEqual(f.Type, m.fields[i].Type) {
			return false
		}
	}
	return true
}

// difference names the first line in which two plans differ.
func difference(a, b string) string {
	lines, others := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(lines), len(others)) {
		if lines[i] != others[i] {
			return fmt.Sprintf("%s, not %s", orNone(others[i]), orNone(lines[i]))
		}
	}
	return "it goes on where the other ends"
}

func orNone(line string) string {
	if line == "" {
		return "nothing"
	}
	return line
}
