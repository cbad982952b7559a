package planner

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/groupby"
	"arrowagg/internal/syntax"
)

// applyRules gives every column that no flag names its place by the default
// rule.
func (b *binder) applyRules() {
	for _, col := range b.catalog.columns {
		switch {
		case b.excluded[col]:
			b.leaveOut(col, "excluded", "-x")
		case b.keyed[col], b.argument[col]:
		default:
			b.applyRule(col)
		}
	}
}

// ruleGivesKeys and ruleGivesAggregates tell which half of the rule is in
// force: -g replaces the one, -a the other.
func (b *binder) ruleGivesKeys() bool       { return b.query.keys == nil && !b.query.noKeys }
func (b *binder) ruleGivesAggregates() bool { return b.query.aggregates == nil }

func (b *binder) applyRule(col *column) {
	merge := b.mergeOf(col)
	roles := b.rolesOf(col)
	if merge != "" {
		roles = roleSet{roleAggregated: true}
	}
	switch {
	case roles[roleKey] && roles.several() && b.ruleGivesKeys(),
		roles[roleAggregated] && roles.several() && b.ruleGivesAggregates():
		b.mixed[col] = true // in settleTypes it will find no type
	case roles[roleAggregated]:
		b.aggregateByRule(col, merge)
	case roles[roleKey]:
		b.keyByRule(col)
	default:
		b.skip(col)
	}
}

// roleSet is what the types of one column in all inputs say, nulls aside.
type roleSet map[role]bool

func (s roleSet) several() bool { return len(s) > 1 }

func (b *binder) rolesOf(col *column) roleSet {
	roles := roleSet{}
	b.catalog.each(col, func(_ *variant, f arrow.Field) {
		if r := typeRoles[valueType(f).ID()]; r != roleNeutral {
			roles[r] = true
		}
	})
	return roles
}

func (b *binder) keyByRule(col *column) {
	switch {
	case b.query.noKeys:
		b.leaveOut(col, "dropped", "--no-keys")
		return
	case !b.ruleGivesKeys():
		b.leaveOut(col, "dropped", "-g names the keys")
		return
	}
	if _, suffix := suffixFunction(col.name); suffix != "" {
		b.warn("key-by-type", col)
	}
	b.plan.keys = append(b.plan.keys, key{
		columns: []*column{col}, written: syntax.Column(col.name), name: col.name, rule: "type",
	})
}

// aggregateByRule adds the column with the function that its metadata, its
// suffix or the want of one gives it.
func (b *binder) aggregateByRule(col *column, merge string) {
	if !b.ruleGivesAggregates() {
		b.leaveOut(col, "dropped", "-a names the aggregates")
		return
	}
	function, suffix := suffixFunction(col.name)
	rule := "suffix " + suffix
	switch {
	case merge == mergeNone:
		b.usage(fmt.Sprintf("column %s cannot be merged: its %s says none", syntax.Column(col.name), mergeKey),
			"say what to do with it: -a, or leave it out with -x "+syntax.Column(col.name))
		return
	case merge != "":
		function, rule = merge, mergeKey
	case suffix == "":
		rule = "no suffix"
	}
	if suffix == "" && merge == "" && keyWords[lastWord(col.name)] {
		b.warn("summed-key", col)
	}
	if merge == "" && (suffix == "" && sumless(col.name) || function == "sum" && hasWord(col.name, distinctWord)) {
		b.warn("summed-by-default", col)
	}
	f, ok := groupby.Lookup(function)
	if !ok {
		panic("planner: the function table lacks " + function)
	}
	b.plan.aggregates = append(b.plan.aggregates, aggregate{
		function: f,
		columns:  []*column{col},
		name:     col.name,
		rule:     rule,
		written:  function + "(" + syntax.Column(col.name) + ")",
	})
}

// skip leaves out a column whose type neither half of the rule knows, and
// warns unless flags say everything anyway.
func (b *binder) skip(col *column) {
	b.leaveOut(col, "skipped", "no rule for the type")
	if b.ruleGivesKeys() || b.ruleGivesAggregates() {
		b.warn("skipped-column", col)
	}
}

func (b *binder) leaveOut(col *column, role, rule string) {
	b.plan.unused = append(b.plan.unused, unused{column: col, role: role, rule: rule})
}

// mergeOf is what the inputs' metadata say about merging the column, "" if
// nothing. Inputs that say nothing go with those that do: a raw stream beside
// merged ones. Contradictions matter only where the rule merges.
func (b *binder) mergeOf(col *column) string {
	merge := ""
	var says nameList
	b.catalog.each(col, func(v *variant, f arrow.Field) {
		m, ok := f.Metadata.GetValue(mergeKey)
		switch {
		case !ok:
		case m != mergeNone && !slices.Contains(mergeFunctions, m):
			b.mergeFault(&UsageError{
				Text: fmt.Sprintf("%s: column %s: %s says %q", v.names, syntax.Column(col.name), mergeKey, m),
				Hint: fmt.Sprintf("it may say %s or %s", strings.Join(mergeFunctions, ", "), mergeNone),
			})
		case merge == "":
			merge, says = m, v.names
		case merge != m:
			b.mergeFault(&ConflictError{
				Text: fmt.Sprintf("column %s: %s says %s in %s; %s in %s",
					syntax.Column(col.name), mergeKey, merge, says, m, v.names),
				Hint: "say what to do with it: -a, or leave it out with -x " + syntax.Column(col.name),
			})
		}
	})
	return merge
}

func (b *binder) mergeFault(err error) {
	if b.ruleGivesAggregates() {
		b.errs = append(b.errs, err)
	}
}
