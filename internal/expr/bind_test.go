package expr

import (
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/syntax"
)

const bindColumns = "s utf8 | b binary | i int64 | f float64 | up bool | day date32 | t time64[us] | took duration[s] | " +
	"ts timestamp[s] | tz timestamp[ms, UTC] | tags list<utf8> | nil null"

func TestBindErrors(t *testing.T) {
	scope := scopeOf(arrowtest.Must(bindColumns).Fields)
	scope.Suggest = func(name string) string { return "did you mean something else than " + name + "?" }
	for src, want := range map[string]string{
		"x = 1":              `at "x": unknown column x (did you mean something else than x?)`,
		"i = 'a'":            `at "'a'": 'a' is text, not a number (expected a number, such as 12 or 0.5)`,
		"i = true":           `at "i": expected a condition, not a number (compare it with something)`,
		"i = 15m":            `at "15m": 15m is not a number (expected a number, such as 12 or 0.5)`,
		"i = 'NaN'":          `at "'NaN'": no value of type int64 is NaN (expected a number, such as 12 or 0.5)`,
		"i = 1e401":          `at "1e401": 1e401 is out of every type's range (expected a number, such as 12 or 0.5)`,
		"s = 1":              `at "1": 1 is not text (expected text in single quotes)`,
		"s > ts":             `at "s > ts": text does not compare with a timestamp without a zone`,
		"ts = tz":            `at "ts = tz": a timestamp without a zone does not compare with a timestamp with a zone`,
		"b = 'ff'":           `at "'ff'": 'ff' does not begin with \x (expected hexadecimal digits, such as '\x00ff')`,
		`b = '\xf'`:          `at "'\\xf'": '\xf' is not made of pairs of hexadecimal digits (expected hexadecimal digits, such as '\x00ff')`,
		"up = 1":             `at "1": a truth value compares with true and false, not with 1 (expected true or false)`,
		"day = '2023-02-29'": `at "'2023-02-29'": "2023-02-29" is no date (expected a date, such as '2024-01-31')`,
		"day = 5":            `at "5": 5 is not a date (expected a date, such as '2024-01-31')`,
		"t < '25:00'":        `at "'25:00'": "25:00" is no time of day (expected a time of day, such as '09:30' or '09:30:00.5')`,
		"took > 5":           `at "5": 5 is not a duration (expected a duration, such as 90s or 1h30m)`,
		"took > 5x":          `at "5x": "5x" is no duration (expected a duration, such as 90s or 1h30m)`,
		"ts > '2024-01-01T00:00Z'": `at "'2024-01-01T00:00Z'": the column has no time zone, so the text can have none ` +
			`(expected a timestamp without a zone, such as '2024-01-31' or '2024-01-31T09:30:00.5')`,
		"tz > '2024-01-01'": `at "'2024-01-01'": the column has a time zone, so the text needs one ` +
			`(expected a timestamp with a zone, such as '2024-01-31T09:30Z' or '2024-01-31T09:30+01:00')`,
		"ts in ('2024-01-01', 'x')": `at "'x'": "x" is no timestamp ` +
			`(expected a timestamp without a zone, such as '2024-01-31' or '2024-01-31T09:30:00.5')`,
		"1 = 2":               `at "1 = 2": this compares two constants`,
		"1 in (1, 2)":         `at "1" (character 1): expected a column, not a constant`,
		"i":                   `at "i": expected a condition, not a number (compare it with something)`,
		"'x'":                 `at "'x'": expected a condition, not a constant`,
		"i = (up and up)":     `at "i": expected a condition, not a number (compare it with something)`,
		"i like 'x'":          `at "i" (character 1): like takes text, not a number`,
		"tags = 'x'":          `at "tags": values of type list<item: utf8, nullable> do not compare`,
		"tags is null":        `at "tags": values of type list<item: utf8, nullable> do not compare`,
		"frob(i) = 1":         `at "frob(i)": unknown function "frob" (` + FunctionsHint + `)`,
		"date_trunc(hour) =1": `at "date_trunc(hour)": date_trunc takes two arguments (` + FunctionsHint + `)`,
		"date_trunc(eon, ts) = '2024-01-01'": `at "eon": "eon" is no unit: it is one of nanosecond, microsecond, millisecond, ` +
			`second, minute, hour, day, week, month, quarter, year`,
		"date_trunc(day, i) = 1":               `at "i": date_trunc takes timestamps and dates, not a number`,
		"date_trunc(hour, day) = '2024-01-01'": `at "hour": dates have no parts below a day`,
		"time_bucket(25h, ts) is null": `at "25h": "25h" is no width such as 15m, 1h, 1d, 1w, 3mo or 1y: ` +
			`a span of at most a day, or whole days, weeks, months or years`,
		"time_bucket(0d, ts) is null": `at "0d": "0d" is no width such as 15m, 1h, 1d, 1w, 3mo or 1y: ` +
			`a span of at most a day, or whole days, weeks, months or years`,
		"cast(ts as frob) is null":                    `at "frob": no cast to type frob (` + castHint + `)`,
		"cast(s as int64) = 1":                        `at "cast(s as int64)": text does not become a number by a cast (` + castHint + `)`,
		"cast(ts as timestamp[s, Mars/Base]) is null": `at "timestamp[s, Mars/Base]": unknown time zone "Mars/Base" (` + castHint + `)`,
		"x = 1 and y = 2 or i = 's'": `at "x": unknown column x (did you mean something else than x?)
at "y": unknown column y (did you mean something else than y?)
at "'s'": 's' is text, not a number (expected a number, such as 12 or 0.5)`,
	} {
		e, err := syntax.ParseCondition(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		_, err = BindCondition(src, e, scope)
		if err == nil {
			t.Errorf("%s: no error", src)
			continue
		}
		var lines []string
		for _, e := range err.(interface{ Unwrap() []error }).Unwrap() {
			s := e.(*syntax.Error)
			line := s.Error()
			if s.Hint != "" {
				line += " (" + s.Hint + ")"
			}
			lines = append(lines, line)
		}
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("%s:\n got %s\nwant %s", src, got, want)
		}
	}
}

// Literals of the wrong form for a column of nulls are no fault: the column is
// something else elsewhere.
func TestNullColumnsCompareWithAnything(t *testing.T) {
	scope := scopeOf(arrowtest.Must(bindColumns).Fields)
	for _, src := range []string{"nil = 1", "nil = 'x'", "nil in (1, 'x')", "nil like 'x'", "nil = i", "nil", "date_trunc(day, nil) is null"} {
		e, err := syntax.ParseCondition(src)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := BindCondition(src, e, scope); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
}

func TestUses(t *testing.T) {
	const src = "i = 1 and (s = 'x' or i > f) and up"
	e, err := syntax.ParseCondition(src)
	if err != nil {
		t.Fatal(err)
	}
	c, err := BindCondition(src, e, scopeOf(arrowtest.Must(bindColumns).Fields))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Uses(); len(got) != 4 || got[0] != 2 || got[1] != 0 || got[2] != 3 || got[3] != 4 {
		t.Errorf("uses %v", got)
	}
}

// Rows without data are answered at once, however many there are.
func TestRowsWithoutData(t *testing.T) {
	const huge = 1_000_000_000_000_000
	scope := Scope{Columns: []Column{{Name: "x", Type: arrow.PrimitiveTypes.Int64}}}
	for src, want := range map[string]bool{"x is null": true, "x = 1": false, "x is not null": false, "true": true, "x = 1 or true": true} {
		e, err := syntax.ParseCondition(src)
		if err != nil {
			t.Fatal(err)
		}
		c, err := BindCondition(src, e, scope)
		if err != nil {
			t.Fatal(err)
		}
		rows, all, err := c.NewFilter().Select(make([]arrow.ArrayData, len(c.Uses())), huge)
		if err != nil || all != want || len(rows) != 0 {
			t.Errorf("%s: %v, all %v, %d rows", src, err, all, len(rows))
		}
	}
}
