package syntax

import (
	"errors"
	"strings"
	"testing"
)

func TestParseItems(t *testing.T) {
	for src, want := range map[string]string{
		"a":                          "a",
		" a , b\t,\nc ":              "a; b; c",
		`"a"`:                        `"a"`,
		`"a ""quoted"" b",c`:         `"a ""quoted"" b"; c`,
		`""`:                         `""`,
		"p99.max, bytes-in, 2023, é": "p99.max; bytes-in; 2023; é",
		"a as b, b AS a":             "a as b; b as a",
		"as as as":                   "as as as",
		`"as" as "x y"`:              `"as" as "x y"`,
		"sum(x)":                     "sum(x)",
		"SUM ( x ) as y":             "sum(x) as y",
		"count(*), count( * )":       "count(*); count(*)",
		"count()":                    "count()",
		`f("*")`:                     `f("*")`,
		"date_trunc(hour, ts) as t":  "date_trunc(hour, ts) as t",
		"f(g(a, b), c)":              "f(g(a, b), c)",
		"it's, a=b, $x, {y}":         "it's; a=b; $x; {y}",
		"\xff\xfe":                   "\xff\xfe",
		"*":                          "*",
	} {
		items, err := ParseItems(src)
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		var got []string
		for _, item := range items {
			got = append(got, item.String())
		}
		if g := strings.Join(got, "; "); g != want {
			t.Errorf("%q: %s, want %s", src, g, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for src, want := range map[string]string{
		"":                             "is empty; expected a column or a function",
		" \t":                          "is empty; expected a column or a function",
		",":                            `at ",": expected a column or a function`,
		"a,":                           "at the end: expected a column or a function",
		"a,,b":                         `at "," (character 3): expected a column or a function`,
		"a b":                          `at "b": expected a comma`,
		"a:b":                          `at ":": expected a comma`,
		`a"b"`:                         `at "\"b\"": expected a comma`,
		`"a`:                           `at "\"a": this quote is never closed`,
		`x, "a""`:                      `at "\"a\"\"": this quote is never closed`,
		"a as":                         "at the end: expected a name after as",
		"a as ,":                       `at ",": expected a name after as`,
		"a as b c":                     `at "c": expected a comma`,
		"sum(":                         "at the end: expected a column or a function",
		"sum(x":                        "at the end: expected a comma or )",
		"sum(x y)":                     `at "y": expected a comma or )`,
		"sum(x,)":                      `at ")": expected a column after the comma`,
		"count(*, x)":                  `at ",": expected a comma or )`,
		"sum(x))":                      `at ")" (character 7): expected a comma`,
		`"sum"(x)`:                     `at "(": expected a comma`,
		"()":                           `at "(": expected a column or a function`,
		"größe größe(:":                `at "größe" (character 7): expected a comma`,
		"a " + strings.Repeat("é", 30): `at "` + strings.Repeat("é", 20) + `": expected a comma`,
	} {
		_, err := ParseItems(src)
		if err == nil {
			t.Errorf("%q: no error", src)
			continue
		}
		if got := strings.Replace(err.Error(), "count(*, x)", "", 1); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
		var at *Error
		if !errors.As(err, &at) || at.At > len(src) || !strings.HasPrefix(src[at.At:], at.Near) {
			t.Errorf("%q: error at %d, near %q", src, at.At, at.Near)
		}
	}
}

func TestParseNames(t *testing.T) {
	names, err := ParseNames(`a, "b c", *`)
	if err != nil || len(names) != 3 || names[1].Text != "b c" || !names[1].Quoted || names[2].Text != "*" {
		t.Errorf("%v %v", names, err)
	}
	if _, err := ParseNames("a as b"); err == nil {
		t.Error("a as b: no error")
	}
	if _, err := ParseNames("f(a)"); err == nil || err.Error() != `at "(": expected a column, not a function` {
		t.Errorf("f(a): %v", err)
	}
}

func TestSpans(t *testing.T) {
	src := ` sum( "a b" ) as x`
	items, err := ParseItems(src)
	if err != nil {
		t.Fatal(err)
	}
	call := items[0].Expr.(*Call)
	for _, c := range []struct {
		what string
		span func() (int, int)
		want string
	}{
		{"call", call.Span, `sum( "a b" )`},
		{"head", call.Head, `sum(`},
		{"argument", call.Arguments[0].Span, `"a b"`},
		{"as", items[0].As.Span, `x`},
	} {
		if at, end := c.span(); src[at:end] != c.want {
			t.Errorf("%s: %q, want %q", c.what, src[at:end], c.want)
		}
	}
}

func TestColumn(t *testing.T) {
	for name, want := range map[string]string{
		"host": "host", "p99.max": "p99.max", "": `""`, "*": `"*"`, "a b": `"a b"`, "a,b": `"a,b"`, "a:b": `"a:b"`,
		"f(x": `"f(x"`, "x)": `"x)"`, `a"b`: `"a""b"`, "it's": "it's", "größe": "größe", "a\nb": "\"a\nb\"",
	} {
		if got := Column(name); got != want {
			t.Errorf("Column(%q) = %s, want %s", name, got, want)
		}
		names, err := ParseNames(Column(name))
		if err != nil || len(names) != 1 || names[0].Text != name {
			t.Errorf("Column(%q) reads back as %v, %v", name, names, err)
		}
	}
}

func FuzzList(f *testing.F) {
	for _, seed := range []string{"a, b", `"a ""b""" as c`, "f(g(a), *)", "count(*) as n, sum(x)", "a:b", "\xff(\x00)", "İ(x)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		items, err := ParseItems(src)
		if err != nil {
			return
		}
		print := func(items []Item) string {
			var parts []string
			for _, item := range items {
				parts = append(parts, item.String())
			}
			return strings.Join(parts, ", ")
		}
		printed := print(items)
		again, err := ParseItems(printed)
		if err != nil {
			t.Fatalf("%q printed as %q: %v", src, printed, err)
		}
		if len(again) != len(items) || print(again) != printed {
			t.Fatalf("%q printed as %q, then as %q", src, printed, print(again))
		}
	})
}
