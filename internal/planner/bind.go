package planner

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/expr"
	"arrowagg/internal/groupby"
	"arrowagg/internal/syntax"
	"arrowagg/internal/warning"
)

// Bind settles the query for the sources, first listed first. All that is
// wrong comes back in one error, an errors.Join of *UsageError (exit 2) and
// *ConflictError (exit 1).
func (q *Query) Bind(sources []Source) (*Plan, []warning.Warning, error) {
	if slices.ContainsFunc(sources, func(s Source) bool { return isPartial(s.Schema) }) {
		return q.bindPartials(sources)
	}
	p, err := q.bind(newCatalog(sources))
	if err != nil {
		return nil, nil, err
	}
	return p, p.warnings(p.found), nil
}

func (q *Query) bind(c *catalog) (*Plan, error) {
	b := &binder{query: q, catalog: c, plan: &Plan{query: q, catalog: c}, mixed: map[*column]bool{}}
	b.nameKeys()
	b.nameAggregates()
	b.nameExcluded()
	b.bindWhere()
	b.suggest()
	b.applyRules()
	b.settleTypes()
	b.checkComputed()
	b.bindFunctions()
	b.nameOutputs()
	if len(b.errs) == 0 && len(b.plan.keys)+len(b.plan.aggregates) == 0 {
		b.usage("there is no column to group by and none to aggregate", "name them with -g and -a")
	}
	if len(b.errs) == 0 { // else columns of the result are missing, or of no type
		b.bindArrangement()
	}
	if len(b.errs) == 0 {
		b.checkZone()
	}
	if err := errors.Join(b.errs...); err != nil {
		return nil, err
	}
	b.plan.spec = b.plan.newSpec()
	if q.partial {
		if err := b.plan.export(); err != nil {
			return nil, err
		}
	}
	return b.plan, nil
}

// binder carries what Bind has found so far. Its steps run in the order in
// which bind calls them; a step leaves out what an earlier one found wrong, so
// that every fault is told once.
type binder struct {
	query   *Query
	catalog *catalog
	plan    *Plan
	errs    []error

	keyed    map[*column]bool // named by -g
	argument map[*column]bool // used in -a
	excluded map[*column]bool // named by -x
	mixed    map[*column]bool // its inputs give it different roles
	unknown  []unknownColumn
}

// key is a group key: a column of the inputs, made of some, or the source.
type key struct {
	columns  []*column      // the column, or those it is made of; none of the source
	computed *expr.Computed // nil: the column itself
	expr     syntax.Expr    // what computed was bound from
	written  string         // "host", "date_trunc(hour, ts)"
	name     string         // of the output
	rule     string
	dataType arrow.DataType
}

// plain tells whether the key is a column as it is.
func (k *key) plain() bool { return k.computed == nil && len(k.columns) > 0 }

// aggregate is a function over columns.
type aggregate struct {
	function *groupby.Function
	columns  []*column
	name     string // of the output
	rule     string
	call     *syntax.Call // nil: the rule's
	written  string       // "max(lat)"
	flagged  bool         // -a names it
	dataType arrow.DataType
}

// unused is a column that the result does not depend on.
type unused struct {
	column *column
	role   string
	rule   string
}

func (b *binder) usage(text, hint string) {
	b.errs = append(b.errs, &UsageError{Text: text, Hint: hint})
}

func (b *binder) conflict(text, hint string) {
	b.errs = append(b.errs, &ConflictError{Text: text, Hint: hint})
}

func (b *binder) warn(id string, col *column) {
	b.plan.found = append(b.plan.found, finding{id, col.name})
}

// unknownColumn is a name that no input has, and the error that says so.
type unknownColumn struct {
	name string
	err  *UsageError
}

// lookUp finds a column by name, or notes that no input has it. where is the
// flag, and the expression if the name is only a part of it.
func (b *binder) lookUp(name *syntax.Name, where string) *column {
	if col := b.catalog.byName[name.Text]; col != nil {
		return col
	}
	err := &UsageError{Text: fmt.Sprintf("%s: unknown column %s", where, syntax.Column(name.Text))}
	b.unknown = append(b.unknown, unknownColumn{name.Text, err})
	b.errs = append(b.errs, err)
	return nil
}

// suggest gives the unknown columns their hints. One line of hint is all that
// a run prints, so several slips share it.
func (b *binder) suggest() {
	names := b.columnNames()
	if len(b.unknown) == 1 {
		b.unknown[0].err.Hint = didYouMean(b.unknown[0].name, "columns", names)
		return
	}
	var pairs []string
	for _, u := range b.unknown {
		near := Nearest(u.name, names)
		if pair := near + " for " + syntax.Column(u.name); near != "" && !slices.Contains(pairs, pair) {
			pairs = append(pairs, pair)
		}
	}
	if len(pairs) == 0 {
		return
	}
	for _, u := range b.unknown {
		u.err.Hint = "did you mean " + strings.Join(pairs, ", ") + "?"
	}
}

// columnNames are the inputs' columns as a user would type them.
func (b *binder) columnNames() []string {
	names := make([]string, len(b.catalog.columns))
	for i, col := range b.catalog.columns {
		names[i] = syntax.Column(col.name)
	}
	return names
}

func (b *binder) nameKeys() {
	b.keyed = map[*column]bool{}
	named := map[string]bool{}
	for _, item := range b.query.keys {
		name, ok := item.Expr.(*syntax.Name)
		if !ok {
			b.computeKey(item)
			continue
		}
		if named[name.Text] && item.As == nil {
			b.usage("-g: names "+name.String()+" twice", "")
			continue
		}
		named[name.Text] = true
		k := key{name: name.Text, written: syntax.Column(name.Text), rule: "-g"}
		if item.As != nil {
			k.name = item.As.Text
		}
		if name.Text != b.query.source || name.Text == "" {
			col := b.lookUp(name, "-g")
			if col == nil {
				continue
			}
			b.keyed[col] = true
			k.columns = []*column{col}
		}
		b.plan.keys = append(b.plan.keys, k)
	}
	if b.query.source != "" {
		b.addSource(named[b.query.source])
	}
}

// addSource makes the input's name a key, the first one unless -g has placed
// it.
func (b *binder) addSource(placed bool) {
	name := syntax.Column(b.query.source)
	if b.catalog.byName[b.query.source] != nil {
		b.usage("--source: the inputs have a column named "+name, "give the source another name")
		return
	}
	source := key{name: b.query.source, written: name, rule: "--source"}
	if !placed {
		b.plan.keys = slices.Insert(b.plan.keys, 0, source)
	}
	for i := range b.plan.keys {
		if k := &b.plan.keys[i]; len(k.columns) == 0 {
			k.rule, k.dataType = source.rule, arrow.BinaryTypes.String
		}
	}
}

func (b *binder) nameAggregates() {
	b.argument = map[*column]bool{}
	for _, item := range b.query.aggregates {
		a := aggregate{function: item.function, rule: "-a", call: item.call, written: item.call.String(), flagged: true}
		if len(item.columns) == 0 {
			a.written = a.function.Name + "(*)"
		}
		known := true
		for _, name := range item.columns {
			col := b.lookUp(name, fmt.Sprintf("-a: at %q", item.call.String()))
			if col == nil {
				known = false
				continue
			}
			b.argument[col] = true
			a.columns = append(a.columns, col)
		}
		a.name = outputName(a.function, a.columns)
		if item.As != nil {
			a.name = item.As.Text
		}
		if known {
			b.plan.aggregates = append(b.plan.aggregates, a)
		}
	}
}

func (b *binder) nameExcluded() {
	b.excluded = map[*column]bool{}
	for _, name := range b.query.exclude {
		col := b.lookUp(name, "-x")
		switch {
		case col == nil:
		case b.keyed[col]:
			b.usage("-x: leaves out "+name.String()+", which -g names", "")
		case b.argument[col]:
			b.usage("-x: leaves out "+name.String()+", which -a uses", "")
		default:
			b.excluded[col] = true
		}
	}
}

// outputName is what an aggregate without `as` is called: the first column and
// the function, which is not repeated where the column is named for it already.
func outputName(f *groupby.Function, columns []*column) string {
	if len(columns) == 0 {
		return f.Name
	}
	name := columns[0].name
	if suffix := "_" + f.Name; !strings.HasSuffix(name, suffix) {
		name += suffix
	}
	return name
}

// nameOutputs refuses two output columns of one name.
func (b *binder) nameOutputs() {
	from := map[string]string{}
	claim := func(name, source, hint string) {
		if other, taken := from[name]; taken {
			b.usage(fmt.Sprintf("two output columns are named %s: %s and %s", syntax.Column(name), other, source), hint)
			return
		}
		from[name] = source
	}
	for _, k := range b.plan.keys {
		claim(k.name, "key "+k.written, "rename one with as")
	}
	for _, a := range b.plan.aggregates {
		claim(a.name, a.written, "rename one with as")
	}
}
