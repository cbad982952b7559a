package planner

import "strings"

// synonyms are what other tools call an aggregate, with the name that it has
// here.
var synonyms = []struct{ other, ours string }{
	{"avg", "mean"},
	{"average", "mean"},
	{"total", "sum"},
	{"minimum", "min"},
	{"maximum", "max"},
	{"len", "count"},
	{"size", "count"},
	{"stddev", "stddev_samp"},
	{"stdev", "stddev_samp"},
	{"std", "stddev_samp"},
	{"stddevp", "stddev_pop"},
	{"stdevp", "stddev_pop"},
	{"variance", "var_samp"},
	{"var", "var_samp"},
	{"varp", "var_pop"},
	{"every", "bool_and"},
	{"all", "bool_and"},
	{"some", "bool_or"},
	{"any", "bool_or"},
	{"arbitrary", "any_value"},
	{"argmin", "arg_min"},
	{"min_by", "arg_min"},
	{"argmax", "arg_max"},
	{"max_by", "arg_max"},
	{"distinct", "count_distinct"},
	{"distinct_count", "count_distinct"},
	{"nunique", "count_distinct"},
	{"n_unique", "count_distinct"},
	{"uniq", "count_distinct"},
	{"approx_distinct", "count_distinct"},
	{"approx_count_distinct", "count_distinct"},
	{"percentile", "quantile"},
	{"percentile_cont", "quantile"},
	{"quantile_cont", "quantile"},
	{"approx_quantile", "quantile"},
}

// functionHint is the way out for an unknown aggregate: the function that is
// meant by that name elsewhere, else the nearest one. Being the same thing goes
// before being spelled alike: var is no slip of max.
func functionHint(name string) string {
	for _, s := range synonyms {
		if strings.EqualFold(s.other, name) {
			return "did you mean " + s.ours + "?"
		}
	}
	return didYouMean(name, "functions", functionNames())
}
