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

// SQL returns the query as one SELECT over a table named input, which stands
// for the inputs one after the other, columns matched by name (DuckDB's UNION
// ALL BY NAME). It runs unchanged in DuckDB and in DataFusion. Two names that
// differ only in case are a *UsageError: DuckDB takes them for one.
//
// Casts are written where the inputs' types are not the settled one, or where
// a function's own type or overflow would be another than here. Both engines
// name all types used for it alike; where they do not (unsigned integers,
// instants with a zone, times), the values group and compare the same without.
func (p *Plan) SQL() (string, error) {
	if p.merging != nil {
		return "", &UsageError{Text: "--sql: partial results are no table", Hint: "give it with the raw inputs"}
	}
	if err := p.foldedNames(); err != nil {
		return "", err
	}
	notes := p.notes()
	var columns, groups []string
	for _, ref := range p.order() {
		if ref.Aggregate {
			a := &p.aggregates[ref.Index]
			columns = append(columns, named(p.aggregateSQL(a), a.name))
		} else {
			k := p.keys[ref.Index]
			columns = append(columns, named(p.keySQL(&k, &notes), k.name))
		}
	}
	for _, k := range p.keys {
		groups = append(groups, p.keySQL(&k, &notes))
	}
	text := "SELECT\n  " + strings.Join(columns, ",\n  ") + "\nFROM input"
	if w := p.query.where; w != nil {
		text += "\nWHERE " + p.inputSQL(&notes).condition(w.expr)
	}
	if len(groups) > 0 {
		text += "\nGROUP BY " + strings.Join(groups, ", ")
	}
	if h := p.query.having; h != nil {
		text += "\nHAVING " + p.outputSQL(&notes).condition(h.expr)
	}
	text += p.orderSQL() + p.limitSQL() + ";\n"
	if err := unanswered(notes); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, note := range ordered(notes) {
		b.WriteString("-- " + note + "\n")
	}
	return b.String() + text, nil
}

// unanswered is the error for a query that neither engine can run as a whole.
func unanswered(notes []string) error {
	var reasons []string
	engines := map[string]bool{}
	for _, note := range notes {
		if strings.HasPrefix(note, neither) {
			return &UsageError{Text: "--sql: no engine can run this: " + strings.TrimPrefix(note, neither)}
		}
		if engine, _, ok := strings.Cut(note, " only: "); ok && !engines[engine] {
			engines[engine] = true
			reasons = append(reasons, note)
		}
	}
	if len(engines) < 2 {
		return nil
	}
	slices.Sort(reasons)
	return &UsageError{Text: "--sql: no engine can run this: " + strings.Join(reasons, "; ")}
}

// neither begins a note about what no engine can do.
const neither = "neither DuckDB nor DataFusion: "

// named gives an expression its output name, which a column of that name has
// already.
func named(expr, name string) string {
	if quoted := syntax.Quote(name); quoted != expr {
		return expr + " AS " + quoted
	}
	return expr
}

// foldedNames refuses names that only case tells apart: among the inputs'
// columns where one of them is used, and among the outputs.
func (p *Plan) foldedNames() error {
	var errs []error
	check := func(what string, names []string, matters map[string]bool) {
		folded := map[string]string{}
		for _, name := range names {
			low := strings.ToLower(name)
			other, taken := folded[low]
			if !taken {
				folded[low] = name
				continue
			}
			if matters[low] {
				errs = append(errs, &UsageError{
					Text: fmt.Sprintf("--sql: the %s %s and %s differ only in case, and DuckDB takes them for one",
						what, syntax.Column(other), syntax.Column(name)),
					Hint: "rename one of them where it is written",
				})
			}
		}
	}
	inputs, outputs := map[string]bool{}, map[string]bool{}
	for _, col := range p.inputs {
		inputs[strings.ToLower(col.name)] = true
	}
	var names []string
	for _, f := range p.spec.Output.Fields() {
		names = append(names, f.Name)
		outputs[strings.ToLower(f.Name)] = true
	}
	check("columns", p.catalog.names(), inputs)
	if len(errs) == 0 {
		check("output columns", names, outputs)
	}
	return errors.Join(errs...)
}

func (p *Plan) aggregateSQL(a *aggregate) string {
	arguments := make([]string, len(a.columns))
	types, _ := p.argumentTypes(a)
	for i, col := range a.columns {
		arguments[i] = p.columnSQL(col)
	}
	return a.function.SQL(arguments, types, a.dataType)
}

// keySQL is the key, with the two float zeros made one: neither engine
// promises which of them a group shows.
func (p *Plan) keySQL(k *key, notes *[]string) string {
	switch {
	case k.plain():
		return oneZero(p.columnSQL(k.columns[0]), k.dataType)
	case k.computed != nil:
		return p.inputSQL(notes).value(k.expr).text
	}
	note := "DuckDB only: input needs the column filename, which its readers add for filename = true"
	if !slices.Contains(*notes, note) {
		*notes = append(*notes, note)
	}
	return syntax.Quote("filename")
}

// ordered puts first which engine alone can run the query.
func ordered(notes []string) []string {
	var first, rest []string
	for _, note := range notes {
		if strings.Contains(note, " only: ") {
			first = append(first, note)
		} else {
			rest = append(rest, note)
		}
	}
	return append(first, rest...)
}

// columnSQL is the quoted column, cast to its settled type if some input has
// it in another and both engines have a name for the type.
func (p *Plan) columnSQL(col *column) string {
	settled, differs := p.types[col], false
	p.catalog.each(col, func(_ *variant, f arrow.Field) {
		differs = differs || !arrow.TypeEqual(f.Type, settled)
	})
	name := sqlType(settled)
	if !differs || name == "" {
		return syntax.Quote(col.name)
	}
	return "CAST(" + syntax.Quote(col.name) + " AS " + name + ")"
}

// sqlTypes are the types that DuckDB and DataFusion call alike.
var sqlTypes = map[arrow.Type]string{
	arrow.BOOL:    "BOOLEAN",
	arrow.INT8:    "TINYINT",
	arrow.INT16:   "SMALLINT",
	arrow.INT32:   "INTEGER",
	arrow.INT64:   "BIGINT",
	arrow.FLOAT32: "REAL",
	arrow.FLOAT64: "DOUBLE",
	arrow.STRING:  "VARCHAR",
	arrow.BINARY:  "BYTEA",
	arrow.DATE32:  "DATE",
}

// sqlType names a type for both engines, "" if there is no such name. A
// timestamp with a zone has none that keeps its unit, decimals end at 38
// digits.
func sqlType(dt arrow.DataType) string {
	switch dt := dt.(type) {
	case arrow.DecimalType:
		if dt.GetPrecision() <= 38 && dt.GetScale() >= 0 {
			return fmt.Sprintf("DECIMAL(%d, %d)", dt.GetPrecision(), dt.GetScale())
		}
	case *arrow.TimestampType:
		if dt.TimeZone == "" {
			return fmt.Sprintf("TIMESTAMP(%d)", 3*int(dt.Unit))
		}
	}
	return sqlTypes[dt.ID()]
}

// notes say which of the two engines cannot run the query, and why. They are
// comments, so names are escaped: a line end in one would end the comment.
func (p *Plan) notes() []string {
	var notes []string
	for _, col := range p.inputs {
		switch dt := p.types[col]; dt.ID() {
		case arrow.FLOAT16, arrow.DECIMAL256, arrow.DURATION:
			notes = append(notes, fmt.Sprintf("DataFusion only: column %s is %s, which DuckDB lacks",
				strconv.Quote(col.name), typeName(dt)))
		}
	}
	unnamed := func(f arrow.Field) bool { return f.Name == "" }
	if slices.ContainsFunc(p.inputs, func(col *column) bool { return col.name == "" }) ||
		slices.ContainsFunc(p.spec.Output.Fields(), unnamed) {
		notes = append(notes, "DataFusion only: DuckDB has no column with an empty name")
	}
	for _, a := range p.aggregates {
		if note := a.function.SQLNote; note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}
