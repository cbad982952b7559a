package planner

import (
	"reflect"
	"testing"

	"arrowagg/internal/arrange"
)

func limit(n int) *int { return &n }

func TestClauseFaults(t *testing.T) {
	for _, c := range []struct {
		flags Flags
		want  []string
	}{
		{Flags{Where: "x >"}, []string{"usage: -w: at the end: expected a column or a function"}},
		{Flags{Having: "x = null"}, []string{
			`usage: --having: at "null": nothing compares with null (write is null, or is not null)`,
		}},
		{Flags{Sort: []string{"x desc", "y up"}}, []string{
			`usage: -s: at "up": expected a comma (a name that holds , : ( ) " or a blank is written in double quotes)`,
		}},
		{Flags{Limit: limit(-1)}, []string{"usage: -n: -1 is less than 0"}},
		{Flags{Zone: "Europe/Pariss"}, []string{
			`usage: --tz: unknown time zone "Europe/Pariss" (did you mean Europe/Paris?)`,
		}},
		{Flags{Zone: "nowhere at all"}, []string{
			`usage: --tz: unknown time zone "nowhere at all" (zones are named as Europe/Paris, or by their offset as +05:30)`,
		}},
		{Flags{Source: "worker", NoKeys: true}, []string{
			"usage: --source and --no-keys exclude each other: the source is a key",
		}},
		// All of them at once.
		{Flags{Where: "(", Having: ")", Limit: limit(-2), GroupBy: []string{"count(*)"}}, []string{
			`usage: -g: at "count(": a key is a column or made of one, not an aggregate (aggregates are named with -a)`,
			`usage: -w: at the end: expected a column or a function`,
			`usage: --having: at ")": expected a column or a function ` +
				`(a column whose name is no plain word is written in double quotes, text in single quotes)`,
			"usage: -n: -2 is less than 0",
		}},
	} {
		_, err := Parse(c.flags)
		if err == nil {
			t.Errorf("%+v: no error", c.flags)
			continue
		}
		wantErrors(t, each(err), c.want...)
	}
}

func TestBoundClauseFaults(t *testing.T) {
	const schema = `host utf8 | ts timestamp[s, UTC] | day date32 | status int16 | bytes int64 | tags list<int8> | nothing null`
	for _, c := range []struct {
		flags Flags
		want  []string
	}{
		{Flags{Where: "hots = 'a' and stauts > 1"}, []string{
			`usage: -w: at "hots": unknown column hots (did you mean host?)`,
			`usage: -w: at "stauts": unknown column stauts (did you mean status?)`,
		}},
		{Flags{Where: "status = 'a'"}, []string{
			`usage: -w: at "'a'": 'a' is text, not a number (expected a number, such as 12 or 0.5)`,
		}},
		{Flags{Where: "sum(bytes) > 1"}, []string{
			`usage: -w: at "sum(bytes)": sum is an aggregate (-w filters input rows; for groups use --having)`,
		}},
		{Flags{Where: "upper(host) = 'A'"}, []string{
			`usage: -w: at "upper(host)": unknown function "upper" ` +
				`(functions: date_trunc(hour, ts), time_bucket(15m, ts), cast(ts as timestamp[s]))`,
		}},
		{Flags{Where: "tags is null", Exclude: []string{"tags"}}, []string{
			`usage: -w: at "tags": values of type list<item: int8, nullable> do not compare`,
		}},
		{Flags{GroupBy: []string{"date_trunc(huor, ts)"}}, []string{
			`usage: -g: at "huor": "huor" is no unit: it is one of nanosecond, microsecond, millisecond, second, minute, ` +
				`hour, day, week, month, quarter, year`,
		}},
		{Flags{GroupBy: []string{"time_bucket(5h30, ts)"}}, []string{
			`usage: -g: at "5h30": "5h30" is no width such as 15m, 1h, 1d, 1w, 3mo or 1y`,
		}},
		{Flags{GroupBy: []string{"date_trunc(hour, day)"}}, []string{
			`usage: -g: at "hour": dates have no parts below a day`,
		}},
		{Flags{GroupBy: []string{"date_trunc(hour, host)"}}, []string{
			`usage: -g: at "host": date_trunc takes timestamps and dates, not text`,
		}},
		{Flags{GroupBy: []string{"cast(ts as int99)"}}, []string{
			`usage: -g: at "int99": no cast to type int99 (casts make timestamp[unit] or timestamp[unit, zone] of timestamps, ` +
				`date32 of timestamps and dates, int8 to uint64 of whole numbers)`,
		}},
		{Flags{GroupBy: []string{"date_trunc(day, nothing)"}}, []string{
			"usage: -g: date_trunc(day, nothing) cannot be a key: its type is null",
		}},
		{Flags{GroupBy: []string{"date_trunc(hour, ts)"}, Zone: "Europe/Paris"}, []string{
			"usage: --tz has no effect: nothing is cut by days, weeks, months or years " +
				"(it belongs to date_trunc(day, ts), time_bucket(1d, ts) or cast(ts as date32))",
		}},
		{Flags{GroupBy: []string{"ts, date_trunc(day, ts)"}}, []string{
			"usage: two output columns are named ts: key ts and key date_trunc(day, ts) (rename one with as)",
		}},
		{Flags{GroupBy: []string{"date_trunc(day, ts)"}, Exclude: []string{"ts"}}, []string{
			"usage: -x: leaves out ts, which -g names",
		}},
		{Flags{GroupBy: []string{"host"}, Having: "ts is null"}, []string{
			`usage: --having: at "ts": unknown column ts (output columns: host, status, bytes)`,
		}},
		{Flags{GroupBy: []string{"host"}, Aggregates: []string{"max(bytes)"}, Having: "sum(bytes) > 1"}, []string{
			`usage: --having: at "sum(bytes)": no column of the result (add sum(bytes) to -a)`,
		}},
		{Flags{GroupBy: []string{"host"}, Sort: []string{"byts desc"}}, []string{
			`usage: -s: at "byts": unknown column byts (did you mean bytes?)`,
		}},
		{Flags{GroupBy: []string{"host"}, Sort: []string{"max(bytes)"}}, []string{
			`usage: -s: at "max(bytes)": no column of the result (the result is sorted by its columns: host, status, bytes)`,
		}},
		{Flags{GroupBy: []string{"host"}, Sort: []string{"bytes desc, host, sum(bytes)"}}, []string{
			`usage: -s: at "sum(bytes)": this column is named twice`,
		}},
		{Flags{Source: "host"}, []string{
			"usage: --source: the inputs have a column named host (give the source another name)",
		}},
		{Flags{Source: "host", GroupBy: []string{"host, status"}}, []string{
			"usage: --source: the inputs have a column named host (give the source another name)",
		}},
		{Flags{Source: "worker", Where: "worker = 'a'"}, []string{
			`usage: -w: at "worker": unknown column worker (the source is a key: --having sees it, not -w or a function)`,
		}},
	} {
		wantErrors(t, bindError(t, c.flags, source("w", schema)), c.want...)
	}
}

func TestClauseString(t *testing.T) {
	for _, c := range []struct {
		flags Flags
		want  string
	}{
		{
			Flags{Where: "not a=1 OR b in('x',2)", Having: `SUM("a")>1`},
			`-w '(not (a = 1)) or (b in ('\''x'\'', 2))' --having 'sum("a") > 1'`,
		},
		{Flags{Sort: []string{"a  desc,b asc", "count( * )"}, Limit: limit(0)}, `-s 'a desc, b, count(*)' -n 0`},
		{
			Flags{GroupBy: []string{"date_trunc( HOUR,ts ) as h", "cast(ts as timestamp[s])"}, Zone: "Asia/Tokyo", Source: "it's"},
			`-g 'date_trunc(HOUR, ts) as h, cast(ts as timestamp[s])' --tz 'Asia/Tokyo' --source 'it'\''s'`,
		},
	} {
		q := mustParse(t, c.flags)
		if got := q.String(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.flags, got, c.want)
		}
		again := mustParse(t, q.Flags())
		if !reflect.DeepEqual(again.Flags(), q.Flags()) {
			t.Errorf("%+v printed as %+v, then as %+v", c.flags, q.Flags(), again.Flags())
		}
	}
}

func TestComputedKeys(t *testing.T) {
	const schema = "host utf8 | ts timestamp[ms, UTC] {unit=x} | day date32 | n int64 | bytes_sum int64"
	for _, c := range []struct{ keys, want string }{
		{"date_trunc(hour, ts), host", "ts timestamp[ms, UTC], host utf8, sum(n) n int64, sum(bytes_sum) bytes_sum int64"},
		{"time_bucket(15m, ts) as slot", "slot timestamp[ms, UTC], sum(n) n int64, sum(bytes_sum) bytes_sum int64"},
		{"cast(ts as timestamp[s]) as ts", "ts timestamp[s, UTC], sum(n) n int64, sum(bytes_sum) bytes_sum int64"},
		{"cast(ts as timestamp[s, UTC]) as ts", "ts timestamp[s, UTC], sum(n) n int64, sum(bytes_sum) bytes_sum int64"},
		{"cast(ts as date32) as d, ts", "d date32, ts timestamp[ms, UTC], sum(n) n int64, sum(bytes_sum) bytes_sum int64"},
		// A column that a key is made of is no longer aggregated by the rule.
		{"cast(n as int8)", "n int8, sum(bytes_sum) bytes_sum int64"},
		{"date_trunc(month, cast(ts as date32)) as m", "m date32, sum(n) n int64, sum(bytes_sum) bytes_sum int64"},
	} {
		p, _ := mustBind(t, Flags{GroupBy: []string{c.keys}}, source("w", schema))
		wantOutputs(t, p, c.want)
		if md := p.Spec().Output.Field(0).Metadata; md.Len() != 0 {
			t.Errorf("%s: a computed key has metadata %v", c.keys, md)
		}
	}
}

// A result is grouped again by the command line that made it.
func TestComputedKeysAreClosed(t *testing.T) {
	f := Flags{GroupBy: []string{"date_trunc(hour, ts), host"}}
	p, _ := mustBind(t, f, source("w", "host utf8 | ts timestamp[s] | bytes_sum int64"))
	again, _ := mustBind(t, f, Source{Name: "merged", Schema: p.Spec().Output})
	if !again.Spec().Output.Equal(p.Spec().Output) {
		t.Errorf("%s becomes %s", p.Spec().Output, again.Spec().Output)
	}
}

func TestSourceIsAKey(t *testing.T) {
	const schema = "host utf8 | bytes_sum int64 | ts timestamp[s]"
	for _, c := range []struct {
		flags Flags
		want  string
	}{
		{Flags{Source: "w"}, "w utf8, host utf8, sum(bytes_sum) bytes_sum int64, ts timestamp[s]"},
		{Flags{Source: "w", GroupBy: []string{"host"}}, "w utf8, host utf8, sum(bytes_sum) bytes_sum int64"},
		{Flags{Source: "w", GroupBy: []string{"host, w as worker"}}, "host utf8, worker utf8, sum(bytes_sum) bytes_sum int64"},
		{Flags{Source: "w", GroupBy: []string{"w"}, Aggregates: []string{"count(*)"}}, "w utf8, count(*) count int64"},
	} {
		p, _ := mustBind(t, c.flags, source("w1", schema))
		wantOutputs(t, p, c.want)
	}
}

// The reader decodes what keys, aggregates and the filter need, and no more;
// the engine is given what keys and aggregates need.
func TestProjection(t *testing.T) {
	s := source("w", "junk utf8 | host utf8 | ts timestamp[s] | status int16 | bytes int64 | more int64")
	p, _ := mustBind(t, Flags{
		GroupBy: []string{"date_trunc(hour, ts), host"}, Aggregates: []string{"sum(bytes), count(*)"},
		Where: "status > 1 and bytes > 2",
	}, s)
	if got := p.Columns(s.Schema); !reflect.DeepEqual(got, []int{1, 2, 3, 4}) {
		t.Errorf("decoded columns %v", got)
	}
	j := p.Projection()
	if !reflect.DeepEqual(j.WhereInputs, []int{2, 3}) || len(j.Columns) != 3 {
		t.Errorf("projection %+v", j)
	}
	spec := p.Spec()
	if len(spec.Columns) != 3 || spec.Columns[2].Name != "ts" || spec.Keys[0].Column != 2 || spec.Keys[1].Column != 0 {
		t.Errorf("spec %+v", spec)
	}
}

func TestArrangement(t *testing.T) {
	s := source("w", "host utf8 | ts timestamp[s] | bytes int64")
	f := Flags{GroupBy: []string{"host, ts"}, Having: "bytes > 1 and host is not null", Limit: limit(7)}
	for _, c := range []struct {
		sort string
		want []arrange.Key
	}{
		{"bytes desc, host", []arrange.Key{{Column: 2, Descending: true}, {Column: 0}}},
		{"sum( bytes )", []arrange.Key{{Column: 2}}},
		{"ts", []arrange.Key{{Column: 1}}},
		{"host desc", []arrange.Key{{Column: 0, Descending: true}}},
		// What is asked for is the order that there is.
		{"host", nil},
		{"host, ts asc", nil},
	} {
		f.Sort = []string{c.sort}
		p, _ := mustBind(t, f, s)
		a := p.Arrangement()
		if !reflect.DeepEqual(a.Keys, c.want) || a.Limit != 7 || !reflect.DeepEqual(a.HavingInputs, []int{2, 0}) {
			t.Errorf("%s: %+v, want keys %v", c.sort, a, c.want)
		}
	}
	p, _ := mustBind(t, Flags{}, s)
	if a := p.Arrangement(); a.Having != nil || a.Keys != nil || a.Limit != arrange.All {
		t.Errorf("without flags: %+v", a)
	}
}

// Streams that appear late meet the same filter and the same computed keys.
func TestExtendWithClauses(t *testing.T) {
	f := Flags{GroupBy: []string{"date_trunc(hour, ts), host"}, Where: "status >= 500", Source: "worker", UnionByName: true}
	p, _ := mustBind(t, f, source("w1", "host utf8 | ts timestamp[ms] | status int16 | bytes_sum int32"))
	narrow := source("w2", "status int8 | ts timestamp[s] | host dictionary<int8, utf8> | bytes_sum int32")
	next, _, err := p.Extend(narrow)
	if err != nil || next != p {
		t.Fatalf("%v, same plan %v", err, next == p)
	}
	if got := p.Columns(narrow.Schema); !reflect.DeepEqual(got, []int{2, 1, 0, 3}) {
		t.Errorf("decoded columns %v", got)
	}
	next, _, err = p.Extend(source("w3", "host utf8 | ts timestamp[ms] | status float64 | bytes_sum float64"))
	if err != nil || next == p {
		t.Fatalf("%v, same plan %v", err, next == p)
	}
	if next.Projection() == p.Projection() || next.Projection().Where == nil {
		t.Error("the wider plan has no projection of its own")
	}
	for schema, want := range map[string]string{
		"host utf8 | ts timestamp[ns] | status int16 | bytes_sum int32": "conflict: late: key column ts was settled as " +
			"timestamp[ms] and would have to become timestamp[ns] (" + lateHint + ")",
		"host utf8 | ts timestamp[ms] | status utf8 | bytes_sum int32": "conflict: column status has types that do not go " +
			"together: int16 in w1; int8 in w2; utf8 in late",
		"host utf8 | ts timestamp[ms] | status int16 | bytes_sum int32 | worker utf8": "conflict: --source: the inputs have a " +
			"column named worker (give the source another name)",
	} {
		_, _, err := p.Extend(source("late", schema))
		if err == nil {
			t.Errorf("%s: no error", schema)
			continue
		}
		wantErrors(t, each(err), want)
	}
}
