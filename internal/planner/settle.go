package planner

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/groupby"
	"arrowagg/internal/syntax"
)

// settleTypes gives every used column its one type, in the order of the
// columns, and finds the conflicts between the inputs.
func (b *binder) settleTypes() {
	isKey := map[*column]bool{}
	isUsed := maps.Clone(b.mixed)
	byRule := maps.Clone(b.mixed)
	inKey := map[*column]bool{} // also as a part of one
	for _, k := range b.plan.keys {
		for _, col := range k.columns {
			isUsed[col], inKey[col] = true, true
			isKey[col] = isKey[col] || k.plain()
			byRule[col] = k.rule != "-g"
		}
	}
	for _, a := range b.plan.aggregates {
		for _, col := range a.columns {
			isUsed[col] = true
			byRule[col] = byRule[col] || !a.flagged
		}
	}
	if b.plan.where != nil {
		for _, col := range b.plan.where.columns {
			isUsed[col] = true
		}
	}
	types := map[*column]arrow.DataType{}
	for _, col := range b.catalog.columns {
		if !isUsed[col] {
			continue
		}
		b.plan.inputs = append(b.plan.inputs, col)
		b.checkPresence(col, inKey[col], byRule[col] && !b.plan.reads(col))
		if b.isTwice(col) {
			continue
		}
		dt, ok := col.common.resolve(isKey[col])
		switch {
		case !ok:
			b.typeConflict(col)
		case isKey[col] && !keyable(dt):
			b.usage(fmt.Sprintf("-g: column %s cannot be a key: its type is %s", syntax.Column(col.name), typeName(dt)), "")
		default:
			types[col] = dt
		}
	}
	b.plan.types = types
	for i := range b.plan.keys {
		if k := &b.plan.keys[i]; k.plain() {
			k.dataType = types[k.columns[0]]
		}
	}
}

// isTwice reports inputs that have several columns of the name, and so leave
// open which one is meant.
func (b *binder) isTwice(col *column) bool {
	found := false
	for number, v := range b.catalog.variants {
		if len(col.also[number]) == 0 {
			continue
		}
		found = true
		var positions nameList
		positions.add(fmt.Sprint(col.fields[number] + 1))
		for _, i := range col.also[number] {
			positions.add(fmt.Sprint(i + 1))
		}
		b.usage(fmt.Sprintf("%s: %d columns are named %s (positions %s)", v.names, positions.count,
			syntax.Column(col.name), positions), "")
	}
	return found
}

// checkPresence finds the inputs that lack a used column.
func (b *binder) checkPresence(col *column, isKey, byRule bool) {
	var lack, have nameList
	for number, v := range b.catalog.variants {
		if col.fields[number] < 0 {
			lack.addAll(v.names)
		} else {
			have.addAll(v.names)
		}
	}
	switch {
	case lack.count == 0:
	case !b.query.unionByName:
		hint := "--union-by-name makes it null where it is missing"
		if byRule {
			hint += ", -x " + syntax.Column(col.name) + " leaves it out"
		}
		others := fmt.Sprintf("%d other inputs have it", have.count)
		if have.count == 1 {
			others = "1 other input has it"
		}
		b.conflict(fmt.Sprintf("%s: column %s is missing; %s", lack, syntax.Column(col.name), others), hint)
	case isKey:
		b.warn("missing-key", col)
	}
}

// typeConflict reports the types of a column that do not go together, each
// with its inputs.
func (b *binder) typeConflict(col *column) {
	inputs := map[string]*nameList{}
	var types []string
	b.catalog.each(col, func(v *variant, f arrow.Field) {
		t := fieldTypeName(f)
		if inputs[t] == nil {
			inputs[t] = &nameList{}
			types = append(types, t)
		}
		inputs[t].addAll(v.names)
	})
	parts := make([]string, len(types))
	for i, t := range types {
		parts[i] = t + " in " + inputs[t].String()
	}
	hint := ""
	if !b.keyed[col] && !b.argument[col] && !b.plan.reads(col) {
		hint = "-x " + syntax.Column(col.name) + " leaves it out"
	}
	what := "column "
	if _, ok := col.common.resolve(false); ok {
		what = "key column " // as an aggregate it could be merged
	}
	b.conflict(fmt.Sprintf("%s%s has types that do not go together: %s",
		what, syntax.Column(col.name), strings.Join(parts, "; ")), hint)
}

// typesOf lists the types that a column has in the inputs, each once.
func (c *catalog) typesOf(col *column) []string {
	var types []string
	c.each(col, func(_ *variant, f arrow.Field) {
		if t := fieldTypeName(f); !slices.Contains(types, t) {
			types = append(types, t)
		}
	})
	return types
}

// bindFunctions asks every function for its output type.
func (b *binder) bindFunctions() {
	opt := groupby.BindOptions{DecimalIntSums: b.query.decimalSums}
	for i := range b.plan.aggregates {
		a := &b.plan.aggregates[i]
		types, ok := b.plan.argumentTypes(a)
		if !ok {
			continue
		}
		dt, err := bindFunction(a.function, types, opt)
		switch {
		case err == nil:
			a.dataType = dt
		case a.flagged:
			b.usage(fmt.Sprintf("-a: at %q: %s", a.written, err), "")
		default:
			b.usage(fmt.Sprintf("column %s (%s): %s", syntax.Column(a.columns[0].name), a.rule, err),
				"say what to do with it: -a, or leave it out with -x "+syntax.Column(a.columns[0].name))
		}
	}
}

// bindFunction asks a function for its output type, of columns that can be
// read at all: not even count takes a list.
func bindFunction(f *groupby.Function, types []arrow.DataType, opt groupby.BindOptions) (arrow.DataType, error) {
	for _, dt := range types {
		if !readable(dt) {
			return nil, fmt.Errorf("columns of type %s cannot be read", typeName(dt))
		}
	}
	return f.Bind(types, opt)
}

// argumentTypes returns the settled types of an aggregate's columns, false if
// one of them is in conflict.
func (p *Plan) argumentTypes(a *aggregate) ([]arrow.DataType, bool) {
	types := make([]arrow.DataType, len(a.columns))
	for i, col := range a.columns {
		if types[i] = p.types[col]; types[i] == nil {
			return nil, false
		}
	}
	return types, true
}
