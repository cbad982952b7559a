package planner

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// Source is one stream's schema with the name that errors call it by
// ("w1.arrows", "standard input", "w1.arrows: stream 2").
type Source struct {
	Name   string
	Schema *arrow.Schema
	// Unread: only the schema counts, since the rows are another shard's.
	Unread bool
}

// variant is a schema and the sources that have it. Runs have many inputs but
// few schemas, so everything is worked out per variant.
type variant struct {
	schema *arrow.Schema
	names  nameList
}

// catalog is all variants side by side, and their columns by name, in order of
// appearance: the first source's columns first.
type catalog struct {
	variants []*variant
	columns  []*column
	byName   map[string]*column
}

// column is a column of that name in the variants that have one.
type column struct {
	name   string
	fields []int         // per variant: its index there, -1 where missing
	also   map[int][]int // per variant: further columns of that name
	common common        // over all variants
}

func newCatalog(sources []Source) *catalog {
	c := &catalog{byName: map[string]*column{}}
	for _, s := range sources {
		c.add(s)
	}
	return c
}

// with returns a catalog that has one more source. The receiver stays as it
// is, but for the names of a variant that both share.
func (c *catalog) with(s Source) *catalog {
	d := &catalog{byName: make(map[string]*column, len(c.byName)), variants: slices.Clone(c.variants)}
	for _, col := range c.columns {
		col := col.clone()
		d.columns = append(d.columns, col)
		d.byName[col.name] = col
	}
	d.add(s)
	return d
}

func (c *column) clone() *column {
	d := *c
	d.fields = slices.Clone(c.fields)
	d.also = maps.Clone(c.also)
	return &d
}

// find returns the variant with that schema, nil if there is none yet.
func (c *catalog) find(schema *arrow.Schema) *variant {
	for _, v := range c.variants {
		if sameSchema(v.schema, schema) {
			return v
		}
	}
	return nil
}

// sameSchema tells whether two schemas cannot make a difference to a plan: all
// fields equal, metadata included. Schema.Equal would also ask for the same
// byte order of the writer.
func sameSchema(a, b *arrow.Schema) bool {
	if a.NumFields() != b.NumFields() {
		return false
	}
	for i := range a.NumFields() {
		if !a.Field(i).Equal(b.Field(i)) {
			return false
		}
	}
	return true
}

func (c *catalog) add(s Source) {
	if v := c.find(s.Schema); v != nil {
		v.names.add(s.Name)
		return
	}
	v := &variant{schema: s.Schema}
	v.names.add(s.Name)
	number := len(c.variants)
	c.variants = append(c.variants, v)
	for _, col := range c.columns {
		col.fields = append(col.fields, -1)
	}
	for i := range s.Schema.NumFields() {
		f := s.Schema.Field(i)
		col := c.byName[f.Name]
		if col == nil {
			col = &column{name: f.Name, fields: slices.Repeat([]int{-1}, number+1)}
			c.columns = append(c.columns, col)
			c.byName[f.Name] = col
		}
		if col.fields[number] < 0 {
			col.fields[number] = i
		} else {
			if col.also == nil {
				col.also = map[int][]int{}
			}
			col.also[number] = append(col.also[number], i)
		}
		col.common.add(valueType(f))
	}
}

// each calls f with every field that the column is in some variant, repeated
// names included.
func (c *catalog) each(col *column, f func(v *variant, field arrow.Field)) {
	for number, v := range c.variants {
		if col.fields[number] >= 0 {
			f(v, v.schema.Field(col.fields[number]))
		}
		for _, i := range col.also[number] {
			f(v, v.schema.Field(i))
		}
	}
}

func (c *catalog) names() []string {
	names := make([]string, len(c.columns))
	for i, col := range c.columns {
		names[i] = col.name
	}
	return names
}

// nameList counts sources and remembers the names of the first few.
type nameList struct {
	first []string
	count int
}

// namesShown is how many sources an error names before "and N more".
const namesShown = 3

func (l *nameList) add(name string) {
	l.count++
	if len(l.first) < namesShown {
		l.first = append(l.first, name)
	}
}

func (l *nameList) addAll(other nameList) {
	l.count += other.count
	l.first = append(l.first[:len(l.first):len(l.first)], other.first...)
	l.first = l.first[:min(len(l.first), namesShown)]
}

// String is "a", "a and b", "a, b and c", or "a, b, c and 4 more".
func (l nameList) String() string {
	list := l.first
	last := ""
	switch more := l.count - len(list); {
	case more > 0:
		last = fmt.Sprintf("%d more", more)
	case len(list) > 1:
		last, list = list[len(list)-1], list[:len(list)-1]
	default:
		return strings.Join(list, ", ")
	}
	return strings.Join(list, ", ") + " and " + last
}
