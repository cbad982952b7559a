package syntax

import (
	"errors"
	"strings"
	"testing"
)

func TestParseCondition(t *testing.T) {
	for src, want := range map[string]string{
		"a=1":                              "a = 1",
		"a = 1 and b<>'x' AND c!=-2.5e-3":  "a = 1 and b <> 'x' and c <> -2.5e-3",
		"a=1 or b=2 and c=3 or d=4":        "a = 1 or (b = 2 and c = 3) or d = 4",
		"(a=1 or b=2) and c=3":             "(a = 1 or b = 2) and c = 3",
		"not a = 1":                        "not (a = 1)",
		"NOT up and not not down":          "(not up) and (not (not down))",
		"up":                               "up",
		"a==1":                             "a = 1",
		"a IN (1,2 , 3)":                   "a in (1, 2, 3)",
		"a not in ('x')":                   "a not in ('x')",
		"a between 1 and 2 and b":          "(a between 1 and 2) and b",
		"a not between -1 and b":           "a not between -1 and b",
		"a like 'x%' or a not like '_''%'": "(a like 'x%') or (a not like '_''%')",
		"a is null":                        "a is null",
		"a IS NOT NULL and b":              "(a is not null) and b",
		"p99.max>=0.5":                     "p99.max >= 0.5",
		`"a b" = 'it''s'`:                  `"a b" = 'it''s'`,
		`"and" = "null"`:                   `"and" = "null"`,
		"took > 15m and took < 1h30m":      "took > 15m and took < 1h30m",
		"took > -1.5s":                     "took > -1.5s",
		"date_trunc(day, ts) = '2024'":     "date_trunc(day, ts) = '2024'",
		"cast(ts as timestamp[us, UTC])>x": "cast(ts as timestamp[us, UTC]) > x",
		"cast( x AS decimal128(3, 1) )=1":  "cast(x as decimal128(3, 1)) = 1",
		"count(*) > 1":                     "count(*) > 1",
		"(a) = (b)":                        "a = b",
		"up = true or FALSE":               "up = true or false",
		"(a = 1) = (b = 2)":                "(a = 1) = (b = 2)",
		"größe<1e5":                        "größe < 1e5",
	} {
		e, err := ParseCondition(src)
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		// Comparisons within and/or are printed in parentheses.
		if got := e.String(); loose(got) != loose(want) {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
		again, err := ParseCondition(e.String())
		if err != nil || again.String() != e.String() {
			t.Errorf("%q printed as %s: %v", src, e, err)
		}
	}
}

// loose leaves out the parentheses that printing adds around comparisons.
func loose(s string) string { return strings.NewReplacer("(", "", ")", "").Replace(s) }

// The structure shows where text that looks alike does not.
func TestPrecedence(t *testing.T) {
	for src, want := range map[string]string{
		"a=1 or b=2 and c=3":     "(a = 1) or ((b = 2) and (c = 3))",
		"(a=1 or b=2) and c=3":   "((a = 1) or (b = 2)) and (c = 3)",
		"not a=1 and b=2":        "(not (a = 1)) and (b = 2)",
		"a or b or c and d or e": "a or b or (c and d) or e",
		"a and (b and c)":        "a and (b and c)",
	} {
		e, err := ParseCondition(src)
		if err != nil || e.String() != want {
			t.Errorf("%q: %v, want %s (%v)", src, e, want, err)
		}
	}
}

func TestConditionErrors(t *testing.T) {
	for src, want := range map[string]string{
		"":                             "is empty; expected a condition",
		"a = ":                         "at the end: expected a column or a function",
		"a === 1":                      `at "=" (character 5): expected a column or a function`,
		"a = null":                     `at "null": nothing compares with null`,
		"a in (1, null)":               `at "null": nothing compares with null`,
		"a = 'x":                       `at "'x": this quote is never closed`,
		"a = 1 b = 2":                  `at "b": expected and, or, or the end`,
		"a = 1 = 2":                    `at "=" (character 7): expected and, or, or the end`,
		"a in 1":                       `at "1": expected ( after in`,
		"a in (1 2)":                   `at "2": expected a comma or )`,
		"a in ()":                      `at ")": expected a column or a function`,
		"a between 1 or 2":             `at "or": expected and between the bounds`,
		"a like b":                     `at "b": expected a pattern in single quotes after like`,
		"a is 1":                       `at "1": expected null after is`,
		"a not = 1":                    `at "=": expected in, between or like after not`,
		"(a = 1":                       "at the end: expected )",
		"a = - b":                      `at "b": expected a number after the minus`,
		"a & b":                        `at "&": unexpected character`,
		"a; drop":                      `at ";": unexpected character`,
		"and":                          `at "and": expected a column or a value`,
		"a = not":                      `at "not": expected a column or a value`,
		"not":                          "at the end: expected a column or a function",
		"cast(a as )":                  `at ")": expected a type`,
		"cast(a as x":                  "at the end: expected a type and )",
		"cast(a, b as x) =1":           `at "as" (character 11): cast takes one value`,
		strings.Repeat("(", 101) + "a": `at "(" (character 101): this is nested too deeply`,
		strings.Repeat("not ", 101):    `at "not" (character 401): this is nested too deeply`,
		strings.Repeat("f(", 101):      `at "(" (character 202): this is nested too deeply`,
	} {
		_, err := ParseCondition(src)
		if err == nil {
			t.Errorf("%q: no error", src)
			continue
		}
		if err.Error() != want {
			t.Errorf("%q: %s, want %s", src, err, want)
		}
		var at *Error
		if !errors.As(err, &at) || at.At > len(src) || !strings.HasPrefix(src[at.At:], at.Near) {
			t.Errorf("%q: error at %d, near %q", src, at.At, at.Near)
		}
	}
}

func TestConditionSpans(t *testing.T) {
	const src = `not a in (1, 'x') or cast(b as date32) between -1.5 and 15m and c is not null and d like 'e%'`
	e, err := ParseCondition(src)
	if err != nil {
		t.Fatal(err)
	}
	or := e.(*Logic)
	in := or.Terms[0].(*Not).X.(*In)
	and := or.Terms[1].(*Logic)
	between := and.Terms[0].(*Between)
	cast := between.X.(*Cast)
	for _, c := range []struct {
		span func() (int, int)
		want string
	}{
		{or.Span, src},
		{or.Terms[0].Span, `not a in (1, 'x')`},
		{in.Span, `a in (1, 'x')`},
		{in.List[1].Span, `'x'`},
		{between.Span, `cast(b as date32) between -1.5 and 15m`},
		{between.Low.Span, `-1.5`},
		{between.High.Span, `15m`},
		{cast.Span, `cast(b as date32)`},
		{cast.TypeSpan, `date32`},
		{and.Terms[1].Span, `c is not null`},
		{and.Terms[2].Span, `d like 'e%'`},
	} {
		if at, end := c.span(); src[at:end] != c.want {
			t.Errorf("%q, want %q", src[at:end], c.want)
		}
	}
}

func TestParseSort(t *testing.T) {
	keys, err := ParseSort(`lat_max DESC, host asc, max(lat) desc, "desc" desc, desc`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"lat_max desc", "host", "max(lat) desc", `"desc" desc`, "desc"}
	for i, k := range keys {
		if k.String() != want[i] {
			t.Errorf("key %d: %s, want %s", i, k, want[i])
		}
	}
	if _, err := ParseSort("a down"); err == nil || err.Error() != `at "down": expected a comma` {
		t.Errorf("a down: %v", err)
	}
}

func FuzzCondition(f *testing.F) {
	for _, seed := range []string{
		"a=1 or b=2 and not c in ('x', 2e5)", "cast(a as b(c)) between -1 and 15m", `"x y" is not null`, "f(g(*), (a=1)) like 'x'",
		"count('*')", "(((a)))", "1e5e = .5", "\xff = '\x00'",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		e, err := ParseCondition(src)
		if err != nil {
			return
		}
		if at, end := e.Span(); at < 0 || end > len(src) || at > end {
			t.Fatalf("%q spans %d to %d", src, at, end)
		}
		again, err := ParseCondition(e.String())
		if err != nil {
			var s *Error
			if errors.As(err, &s) && strings.Contains(s.Text, "nested too deeply") {
				return // printing adds parentheses
			}
			t.Fatalf("%q printed as %q: %v", src, e, err)
		}
		if again.String() != e.String() {
			t.Fatalf("%q printed as %q, then as %q", src, e, again)
		}
	})
}
