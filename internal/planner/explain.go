package planner

import (
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"arrowagg/internal/syntax"
)

// explainSchema is one row per output column, in order, then one per flag that
// chooses rows and their order, and then one per column that no output shows.
var explainSchema = arrow.NewSchema([]arrow.Field{
	{Name: "column", Type: arrow.BinaryTypes.String, Nullable: true},      // of the inputs, or what is made of some; * for count(*)
	{Name: "type", Type: arrow.BinaryTypes.String, Nullable: true},        // in the inputs, all that occur
	{Name: "role", Type: arrow.BinaryTypes.String, Nullable: true},        // key, a function, or why it is unused
	{Name: "rule", Type: arrow.BinaryTypes.String, Nullable: true},        // what gave it the role
	{Name: "output", Type: arrow.BinaryTypes.String, Nullable: true},      // the name in the result
	{Name: "output_type", Type: arrow.BinaryTypes.String, Nullable: true}, // the type in the result
}, nil)

// Explain returns the plan as a result, for any format. The caller releases
// it.
func (p *Plan) Explain() arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, explainSchema)
	defer b.Release()
	row := func(cells ...string) {
		for i := range explainSchema.NumFields() {
			column := b.Field(i).(*array.StringBuilder)
			if i < len(cells) && cells[i] != "" {
				column.Append(cells[i])
			} else {
				column.AppendNull()
			}
		}
	}
	for _, ref := range p.order() {
		if ref.Aggregate {
			a := p.aggregates[ref.Index]
			names, types := []string{}, []string{}
			for _, col := range a.columns {
				names, types = append(names, syntax.Column(col.name)), append(types, p.typesIn(col))
			}
			if len(names) == 0 {
				names = []string{"*"}
			}
			row(strings.Join(names, ", "), strings.Join(types, ", "), a.function.Name, a.rule,
				syntax.Column(a.name), typeName(a.dataType))
			continue
		}
		k := p.keys[ref.Index]
		var types []string
		for _, col := range k.columns {
			types = append(types, p.typesIn(col))
		}
		row(k.written, strings.Join(types, ", "), "key", k.rule, syntax.Column(k.name), typeName(k.dataType))
	}
	for _, c := range p.clauses() {
		row(c.text, "", c.role, c.flag)
	}
	for _, u := range p.unused {
		if p.reads(u.column) {
			row(syntax.Column(u.column.name), p.typesIn(u.column), "filter", "-w")
			continue
		}
		row(syntax.Column(u.column.name), p.typesIn(u.column), u.role, u.rule)
	}
	return b.NewRecordBatch()
}

// clause is what a flag other than -g, -a and -x asks for.
type clause struct{ text, role, flag string }

// clauses lists them in the order in which they take effect.
func (p *Plan) clauses() []clause {
	f := p.query.Flags()
	list := []clause{
		{f.Where, "where", "-w"},
		{f.Having, "having", "--having"},
		{strings.Join(f.Sort, ", "), "sort", "-s"},
	}
	if f.Limit != nil {
		list = append(list, clause{strconv.Itoa(*f.Limit), "limit", "-n"})
	}
	return slices.DeleteFunc(list, func(c clause) bool { return c.text == "" })
}

// typesIn is the type of a column, or all its types where inputs differ.
func (p *Plan) typesIn(col *column) string { return strings.Join(p.catalog.typesOf(col), " | ") }
