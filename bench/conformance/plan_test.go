package conformance

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// call is an aggregate function as a random plan may use it.
type call struct {
	function  string
	parameter string
	takes     func(kind) bool // nil: count(*)
	// approximate says that engines may round its result differently.
	approximate bool
}

func anything(kind) bool { return true }

// finite: of a NaN alone DuckDB says that it varies by 0, of several that it is
// out of range.
func finite(k kind) bool  { return k.measure && !k.nan }
func truth(k kind) bool   { return k.name == "bool" }
func measure(k kind) bool { return k.measure }
func ordered(k kind) bool { return k.measure || k.text || k.instant }

// calls are the functions whose SQL is checked on random plans; those of two
// columns have a test of their own.
var calls = []call{
	{function: "count"},
	{function: "count", takes: anything},
	{function: "sum", takes: measure},
	{function: "min", takes: ordered},
	{function: "max", takes: ordered},
	{function: "mean", takes: measure, approximate: true},
	{function: "var_samp", takes: finite, approximate: true},
	{function: "var_pop", takes: finite, approximate: true},
	{function: "stddev_samp", takes: finite, approximate: true},
	{function: "stddev_pop", takes: finite, approximate: true},
	{function: "bool_and", takes: truth},
	{function: "bool_or", takes: truth},
	{function: "any_value", takes: ordered},
	{function: "count_distinct", takes: anything},
	{function: "median", takes: finite, approximate: true},
	{function: "quantile", parameter: "0.9", takes: finite, approximate: true},
}

// plan is one random query: arguments for arrowagg, and what is known of its
// result.
type plan struct {
	args        []string
	approximate []string
	coarse      bool // DataFusion's quantiles have six digits of the way between two values
}

// plan draws keys and aggregates over the table's columns, and conditions,
// order and limit.
func randomPlan(r *rand.Rand, tab table) plan {
	var q plan
	columns := r.Perm(len(tab.names))
	var keys, shown []string
	for _, c := range columns[:r.IntN(min(3, len(columns)-1)+1)] {
		key, name := tab.names[c], tab.names[c]
		if tab.kinds[c].instant && r.IntN(2) == 0 {
			units := []string{"minute", "hour", "day", "week", "month", "quarter", "year"}
			if strings.HasPrefix(tab.kinds[c].name, "date") { // which has no parts below a day
				units = units[2:]
			}
			unit := units[r.IntN(len(units))]
			name = "t" + name
			key = fmt.Sprintf("date_trunc(%s, %s) as %s", unit, tab.names[c], name)
			if r.IntN(4) == 0 {
				widths := []string{"15m", "1h", "36s", "2d", "2w", "5mo", "1y"}
				if strings.HasPrefix(tab.kinds[c].name, "date") {
					widths = widths[3:]
				}
				key = fmt.Sprintf("time_bucket(%s, %s) as %s", widths[r.IntN(len(widths))], tab.names[c], name)
			}
		}
		keys, shown = append(keys, key), append(shown, name)
	}
	if len(keys) == 0 {
		q.args = append(q.args, "--no-keys")
	} else {
		q.args = append(q.args, "-g", strings.Join(keys, ","))
	}
	var numbers []string // aggregates that are exact numbers
	for i := range 1 + r.IntN(4) {
		name := fmt.Sprintf("a%d", i)
		c, argument := calls[r.IntN(len(calls))], "*"
		if c.takes != nil {
			column := columns[r.IntN(len(columns))]
			if !c.takes(tab.kinds[column]) {
				c = calls[1]
			}
			argument = tab.names[column]
			if c.parameter != "" {
				argument += ", " + c.parameter
				q.coarse = true
			}
		}
		q.args = append(q.args, "-a", fmt.Sprintf("%s(%s) as %s", c.function, argument, name))
		if c.approximate {
			q.approximate = append(q.approximate, name)
		} else if c.function == "count" {
			numbers = append(numbers, name)
		}
	}
	if r.IntN(2) == 0 {
		q.args = append(q.args, "-w", condition(r, tab, 2))
	}
	if len(numbers) > 0 && r.IntN(3) == 0 {
		q.args = append(q.args, "--having", fmt.Sprintf("%s > %d", numbers[0], r.IntN(4)))
	}
	if len(keys) > 0 && r.IntN(2) == 0 {
		by := append(shown, numbers...)
		var order []string
		for _, i := range r.Perm(len(by))[:1+r.IntN(len(by))] {
			order = append(order, by[i]+[]string{"", " asc", " desc"}[r.IntN(3)])
		}
		q.args = append(q.args, "-s", strings.Join(order, ", "))
	}
	if r.IntN(3) == 0 {
		q.args = append(q.args, "-n", fmt.Sprint(r.IntN(8)))
	}
	return q
}

// condition draws an expression over the table's columns.
func condition(r *rand.Rand, tab table, depth int) string {
	if depth > 0 && r.IntN(2) == 0 {
		a, b := condition(r, tab, depth-1), condition(r, tab, depth-1)
		switch r.IntN(3) {
		case 0:
			return fmt.Sprintf("(%s and %s)", a, b)
		case 1:
			return fmt.Sprintf("(%s or %s)", a, b)
		}
		return fmt.Sprintf("not (%s)", a)
	}
	c := r.IntN(len(tab.names))
	name, k := tab.names[c], tab.kinds[c]
	compare := []string{"=", "!=", "<>", "<", "<=", ">", ">="}[r.IntN(7)]
	number := func() int { return r.IntN(5) - 1 }
	var choices []string
	switch {
	case k.text:
		choices = []string{
			fmt.Sprintf("%s %s 'a'", name, compare),
			name + " in ('a', 'b', '日本')",
			name + " like 'a%'",
			name + " between 'A' and 'b'",
		}
	case k.measure:
		choices = []string{
			fmt.Sprintf("%s %s %d", name, compare, number()),
			fmt.Sprintf("%s in (%d, %d)", name, number(), number()),
			fmt.Sprintf("%s between %d and %d", name, number(), number()),
		}
	}
	day := fmt.Sprintf("2023-11-%02d", 10+r.IntN(9))
	clock := []string{"", "T22:13", " 23:00:00", "T00:53:20.000"}[r.IntN(4)]
	switch {
	case k.name == "date32":
		choices = append(choices, fmt.Sprintf("%s %s '%s'", name, compare, day))
	case strings.HasSuffix(k.name, "UTC]"):
		choices = append(choices, fmt.Sprintf("%s %s '%s%sZ'", name, compare, day, clock),
			fmt.Sprintf("date_trunc(day, %s) %s '%s+01:00'", name, compare, day))
	case k.instant:
		choices = append(choices, fmt.Sprintf("%s %s '%s%s'", name, compare, day, clock),
			fmt.Sprintf("date_trunc(day, %s) %s '%s'", name, compare, day))
	case k.name == "bool":
		choices = append(choices, name, name+" = false")
	case strings.HasPrefix(k.name, "float"):
		choices = append(choices, fmt.Sprintf("%s %s 0.25", name, compare), name+" in (0, -1.5)")
	}
	choices = append(choices, name+" is null", name+" is not null")
	return choices[r.IntN(len(choices))]
}
