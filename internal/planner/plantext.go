package planner

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/syntax"
)

// The text of a plan is what a partial result carries of it: the flags that say
// what is computed, in canonical form, and the columns that they use, as all
// inputs together gave them. Bound again, to those columns, it is the plan.
//
//	group-by "host"
//	agg "sum(bytes), max(lat) as worst"
//	where "status >= 500"
//	column "host" "utf8"
//	column "bytes" "int64"
//	column "lat" "float64"
//	column "status" "int16"
//
// Columns may be followed by metadata, as "key"="value". They stand in the inputs'
// order, which the default rule goes by, or, where -g and -a leave nothing to it, in
// that of their names: then inputs in which they come otherwise have the same plan.
// Flags that choose and order finished groups are not in it.

// text writes the plan down.
func (p *Plan) text() string {
	var b strings.Builder
	f := p.query.Flags()
	line := func(flag, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s %s\n", flag, strconv.Quote(value))
		}
	}
	line("group-by", strings.Join(f.GroupBy, ", "))
	if f.NoKeys {
		b.WriteString("no-keys\n")
	}
	line("agg", strings.Join(f.Aggregates, ", "))
	line("exclude", strings.Join(p.excludedInputs(), ", "))
	line("where", f.Where)
	line("tz", f.Zone)
	line("source", f.Source)
	if f.IntSum != intSumInt64 {
		line("int-sum", f.IntSum)
	}
	for _, col := range p.writtenInputs() {
		fmt.Fprintf(&b, "column %s %s", strconv.Quote(col.name), strconv.Quote(typeName(p.types[col])))
		md := p.settledMetadata(col)
		for i, key := range md.Keys() {
			fmt.Fprintf(&b, " %s=%s", strconv.Quote(key), strconv.Quote(md.Values()[i]))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// writtenInputs are the plan's columns in the order that its text has them in.
func (p *Plan) writtenInputs() []*column {
	f := p.query.Flags()
	if (len(f.GroupBy) == 0 && !f.NoKeys) || len(f.Aggregates) == 0 {
		return p.inputs
	}
	return slices.SortedFunc(slices.Values(p.inputs), func(a, b *column) int { return strings.Compare(a.name, b.name) })
}

// excludedInputs are the columns that -x leaves out and the filter reads: the
// others are not among the plan's columns.
func (p *Plan) excludedInputs() []string {
	var names []string
	for _, col := range p.writtenInputs() {
		named := slices.ContainsFunc(p.query.exclude, func(n *syntax.Name) bool { return n.Text == col.name })
		if named {
			names = append(names, syntax.Column(col.name))
		}
	}
	return names
}

// settledMetadata is what is left of a column's metadata: what a key shows, or
// how the rule was told to merge the column.
func (p *Plan) settledMetadata(col *column) arrow.Metadata {
	for _, k := range p.keys {
		if k.plain() && k.columns[0] == col {
			return p.keyMetadata(k)
		}
	}
	for _, a := range p.aggregates {
		if a.rule == mergeKey && a.columns[0] == col {
			return arrow.NewMetadata([]string{mergeKey}, []string{a.function.Name})
		}
	}
	return arrow.Metadata{}
}

// bindText binds the text of a plan. Whatever is wrong with it is its writer's
// fault, not the user's.
func bindText(text, name string) (*Plan, error) {
	flags, schema, err := parseText(text)
	if err != nil {
		return nil, err
	}
	q, err := Parse(flags)
	if err != nil {
		return nil, err
	}
	p, err := q.bind(newCatalog([]Source{{Name: name, Schema: schema}}))
	if err != nil {
		return nil, err
	}
	if p.text() != text {
		return nil, errors.New("it means another plan than it says")
	}
	return p, nil
}

// parseText reads flags and columns.
func parseText(text string) (f Flags, schema *arrow.Schema, err error) {
	var fields []arrow.Field
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		values, err := quotedWords(rest)
		if err != nil {
			return f, nil, fmt.Errorf("line %q: %w", line, err)
		}
		switch {
		case word == "column" && len(values) >= 2 && len(values)%2 == 0:
			dt, err := readType(values[1])
			if err != nil {
				return f, nil, err
			}
			field := arrow.Field{Name: values[0], Type: dt, Nullable: true}
			var keys, texts []string
			for i := 2; i < len(values); i += 2 {
				keys, texts = append(keys, values[i]), append(texts, values[i+1])
			}
			if keys != nil {
				field.Metadata = arrow.NewMetadata(keys, texts)
			}
			fields = append(fields, field)
		case word == "no-keys" && len(values) == 0:
			f.NoKeys = true
		case len(values) != 1 || !f.setLine(word, values[0]):
			return f, nil, fmt.Errorf("unknown line %q", line)
		}
	}
	return f, arrow.NewSchema(fields, nil), nil
}

// setLine sets the flag of a line, false if there is none of that name.
func (f *Flags) setLine(flag, value string) bool {
	switch flag {
	case "group-by":
		f.GroupBy = []string{value}
	case "agg":
		f.Aggregates = []string{value}
	case "exclude":
		f.Exclude = []string{value}
	case "where":
		f.Where = value
	case "tz":
		f.Zone = value
	case "source":
		f.Source = value
	case "int-sum":
		f.IntSum = value
	default:
		return false
	}
	return true
}

// quotedWords reads quoted words with a blank or an equals sign between them.
func quotedWords(text string) ([]string, error) {
	var words []string
	for text != "" {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return nil, err
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		words = append(words, word)
		text = text[len(quoted):]
		if text != "" {
			text = text[1:]
		}
	}
	return words, nil
}
