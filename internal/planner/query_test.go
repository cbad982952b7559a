package planner

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseFaults(t *testing.T) {
	known := strings.Join(functionNames(), ", ")
	listed := didYouMean("frob", "functions", functionNames())
	for _, c := range []struct {
		flags Flags
		want  []string
	}{
		{Flags{GroupBy: []string{""}}, []string{"usage: -g: is empty; expected a column or a function"}},
		{Flags{GroupBy: []string{" "}}, []string{"usage: -g: is empty; expected a column or a function"}},
		{Flags{Aggregates: []string{""}}, []string{"usage: -a: is empty; expected a column or a function"}},
		{Flags{Exclude: []string{""}}, []string{"usage: -x: is empty; expected a column"}},
		{Flags{GroupBy: []string{"a,"}}, []string{"usage: -g: at the end: expected a column or a function"}},
		{Flags{Exclude: []string{"sum(x)"}}, []string{`usage: -x: at "(": expected a column, not a function`}},
		{Flags{GroupBy: []string{"host", "sum(x)"}}, []string{
			`usage: -g: at "sum(": a key is a column or made of one, not an aggregate (aggregates are named with -a)`,
		}},
		{Flags{GroupBy: []string{"date_trnc(hour, ts)"}}, []string{
			`usage: -g: at "date_trnc(": unknown function "date_trnc" (did you mean date_trunc?)`,
		}},
		{Flags{NoKeys: true, GroupBy: []string{"host"}}, []string{"usage: -g and --no-keys exclude each other"}},
		{Flags{Aggregates: []string{"frob(x)"}}, []string{
			`usage: -a: at "frob(": unknown function "frob" (` + listed + `)`,
		}},
		{Flags{Aggregates: []string{"maen(x)"}}, []string{
			`usage: -a: at "maen(": unknown function "maen" (did you mean mean?)`,
		}},
		{Flags{Aggregates: []string{"sum(x), frob(x), frob(y)"}}, []string{
			`usage: -a: at "frob(" (character 9): unknown function "frob" (` + listed + `)`,
			`usage: -a: at "frob(" (character 18): unknown function "frob" (` + listed + `)`,
		}},
		{Flags{Aggregates: []string{"bytes_sum"}}, []string{
			`usage: -a: at "bytes_sum": expected a function of a column ` +
				`(write it as sum(bytes_sum) or with another function: ` + known + `)`,
		}},
		{Flags{Aggregates: []string{"sum(), max(a, b), count(a, b), sum(*), min(max(x))"}}, []string{
			`usage: -a: at "sum()": sum takes 1 column, not 0`,
			`usage: -a: at "max(a, b)": max takes 1 column, not 2`,
			`usage: -a: at "count(a, b)": count takes at most 1 column, not 2`,
			`usage: -a: at "sum(*)": sum takes 1 column, not *`,
			`usage: -a: at "max(x)": min takes columns, not functions`,
		}},
		{Flags{IntSum: "int46"}, []string{`usage: --int-sum: unknown type "int46" (did you mean int64?)`}},
		{Flags{GroupBy: []string{"a b"}, Aggregates: []string{"sum(x"}, Exclude: []string{`"x`}}, []string{
			"usage: -g: at \"b\": expected a comma (a name that holds , : ( ) \" or a blank is written in double quotes)",
			"usage: -a: at the end: expected a comma or )",
			`usage: -x: at "\"x": this quote is never closed (inside quotes, the quote character is written twice)`,
		}},
	} {
		_, err := Parse(c.flags)
		if err == nil {
			t.Errorf("%v: no error", c.flags)
			continue
		}
		wantErrors(t, each(err), c.want...)
	}
}

func TestQueryString(t *testing.T) {
	for _, c := range []struct {
		flags Flags
		want  string
	}{
		{Flags{}, ""},
		{Flags{NoKeys: true, UnionByName: true, IntSum: "decimal"}, "--no-keys --union-by-name --int-sum decimal"},
		{
			Flags{GroupBy: []string{"host,  minute", `"a ""b""", it's`}, Exclude: []string{"x", "y"}},
			`-g 'host, minute, "a ""b""", it'\''s' -x 'x, y'`,
		},
		{
			Flags{Aggregates: []string{"SUM(x)  AS y,count( * )", `max("a,b")`}},
			`-a 'sum(x) as y, count(*), max("a,b")'`,
		},
	} {
		q := mustParse(t, c.flags)
		if got := q.String(); got != c.want {
			t.Errorf("%v: %s, want %s", c.flags, got, c.want)
		}
	}
}

// FuzzQuery: what parses prints as flags that parse into an equal query.
func FuzzQuery(f *testing.F) {
	for _, seed := range [][3]string{
		{"host, minute", "sum(bytes_sum), max(lat) as worst, count(*)", "x"},
		{`"a ""b""" as c`, "", `"", "*"`},
		{"", "count()", "größe"},
		{"as as as", "MIN(as) AS as", "a.b-c"},
		{"a:b", "sum(x", ")"},
		{"\xff", "sum(\"\x00\n\")", "*"},
	} {
		f.Add(seed[0], seed[1], seed[2], false, false)
	}
	f.Add("", "sum(a)", "", true, true)
	f.Fuzz(func(t *testing.T, keys, aggregates, exclude string, noKeys, decimal bool) {
		flags := Flags{NoKeys: noKeys, IntSum: intSumInt64}
		if decimal {
			flags.IntSum = intSumDecimal
		}
		for _, part := range []struct {
			to   *[]string
			text string
		}{{&flags.GroupBy, keys}, {&flags.Aggregates, aggregates}, {&flags.Exclude, exclude}} {
			if part.text != "" {
				*part.to = []string{part.text}
			}
		}
		q, err := Parse(flags)
		if err != nil {
			return
		}
		printed := q.Flags()
		again, err := Parse(printed)
		if err != nil {
			t.Fatalf("%+v printed as %+v: %v", flags, printed, err)
		}
		if !reflect.DeepEqual(again.Flags(), printed) || again.String() != q.String() {
			t.Fatalf("%+v printed as %+v, then as %+v", flags, printed, again.Flags())
		}
	})
}
