package planner

import (
	"testing"

	"arrowagg/internal/groupby"
)

func TestOutputs(t *testing.T) {
	const schema = "host utf8 | bytes_sum int64 | minute timestamp[s] | lat_max float32 | status int16 | id binary"
	for _, c := range []struct {
		flags Flags
		want  string
	}{
		// The rule alone keeps the input's order.
		{Flags{}, "host utf8, sum(bytes_sum) bytes_sum int64, minute timestamp[s], max(lat_max) lat_max float32, " +
			"sum(status) status int64"},
		{
			Flags{Exclude: []string{"status", "host, minute"}},
			"sum(bytes_sum) bytes_sum int64, max(lat_max) lat_max float32",
		},
		// -g: keys first, in its order; other strings and timestamps drop out.
		{
			Flags{GroupBy: []string{"status", "host"}},
			"status int16, host utf8, sum(bytes_sum) bytes_sum int64, max(lat_max) lat_max float32",
		},
		{
			Flags{GroupBy: []string{"id"}, Exclude: []string{"status"}},
			"id binary, sum(bytes_sum) bytes_sum int64, max(lat_max) lat_max float32",
		},
		{
			Flags{GroupBy: []string{"lat_max as lat"}},
			"lat float32, sum(bytes_sum) bytes_sum int64, sum(status) status int64",
		},
		{Flags{NoKeys: true}, "sum(bytes_sum) bytes_sum int64, max(lat_max) lat_max float32, sum(status) status int64"},
		// -a: as written, behind the keys; its columns are no keys.
		{
			Flags{Aggregates: []string{"max(lat_max) as worst, count(*)", "min(minute)"}},
			"host utf8, max(lat_max) worst float32, count(*) count int64, min(minute) minute_min timestamp[s]",
		},
		{
			Flags{GroupBy: []string{"host"}, Aggregates: []string{"count(host), mean(status), sum(bytes_sum)"}},
			"host utf8, count(host) host_count int64, mean(status) status_mean float64, sum(bytes_sum) bytes_sum int64",
		},
		{Flags{NoKeys: true, Aggregates: []string{"count()"}}, "count(*) count int64"},
		// Only keys: the distinct ones.
		{Flags{Exclude: []string{"bytes_sum, lat_max, status"}}, "host utf8, minute timestamp[s]"},
		{Flags{IntSum: "decimal"}, "host utf8, sum(bytes_sum) bytes_sum decimal128(38, 0), minute timestamp[s], " +
			"max(lat_max) lat_max float32, sum(status) status decimal128(38, 0)"},
	} {
		p, _ := mustBind(t, c.flags, source("w", schema))
		wantOutputs(t, p, c.want)
	}
}

func TestOutputNames(t *testing.T) {
	p, _ := mustBind(t, Flags{NoKeys: true, Aggregates: []string{
		`sum(bytes_sum), max(bytes_sum), max(lat), min(lat_min), mean(lat_min), count(x_count), count(lat), sum("sum"), min("a b")`,
	}},
		source("w", `bytes_sum int64 | lat float64 | lat_min float64 | x_count int64 | sum int8 | "a b" int8`))
	want := []string{"bytes_sum", "bytes_sum_max", "lat_max", "lat_min", "lat_min_mean", "x_count", "lat_count", "sum_sum", "a b_min"}
	for i, f := range p.Spec().Output.Fields() {
		if f.Name != want[i] {
			t.Errorf("%s is named %q, want %q", p.aggregates[i].written, f.Name, want[i])
		}
	}
}

// Inputs go by name: the first one's order, then what only others have.
func TestColumnOrder(t *testing.T) {
	a, b := "host utf8 | v_sum int64 | x_max int8", "x_max int8 | z utf8 | host utf8 | v_sum int64"
	p, warnings := mustBind(t, Flags{UnionByName: true}, sources(a, b)...)
	wantOutputs(t, p, "host utf8, sum(v_sum) v_sum int64, max(x_max) x_max int8, z utf8")
	wantWarnings(t, warnings, "missing-key z")
	p, _ = mustBind(t, Flags{UnionByName: true}, sources(b, a)...)
	wantOutputs(t, p, "max(x_max) x_max int8, z utf8, host utf8, sum(v_sum) v_sum int64")
}

func TestSpec(t *testing.T) {
	p, _ := mustBind(t, Flags{GroupBy: []string{"ts, host"}, Aggregates: []string{"count(*), max(v), sum(v), count(host)"}},
		source("w", "host dictionary<int8, utf8> | u int8 | v int32 | ts timestamp[ms, Etc/UTC]"))
	spec := p.Spec()
	if len(spec.Columns) != 3 || spec.Columns[0].Name != "host" || spec.Columns[1].Name != "v" || spec.Columns[2].Name != "ts" {
		t.Fatalf("columns %v", spec.Columns)
	}
	if typeName(spec.Columns[0].Type) != "utf8" || typeName(spec.Columns[2].Type) != "timestamp[ms, UTC]" {
		t.Errorf("column types %v", spec.Columns)
	}
	if len(spec.Keys) != 2 || spec.Keys[0].Column != 2 || spec.Keys[1].Column != 0 {
		t.Errorf("keys %v", spec.Keys)
	}
	for i, want := range [][]int{nil, {1}, {1}, {0}} {
		got := spec.Aggregates[i].Arguments
		if len(got) != len(want) || len(want) > 0 && got[0] != want[0] {
			t.Errorf("aggregate %d: arguments %v, want %v", i, got, want)
		}
	}
	for i, want := range []groupby.Ref{
		{Index: 0},
		{Index: 1},
		{Aggregate: true, Index: 0},
		{Aggregate: true, Index: 1},
		{Aggregate: true, Index: 2},
		{Aggregate: true, Index: 3},
	} {
		if spec.Order[i] != want || !spec.Output.Field(i).Nullable {
			t.Errorf("field %d: %v from %v, want %v", i, spec.Output.Field(i), spec.Order[i], want)
		}
	}
	columns := p.Columns(source("other", "ts timestamp[s, UTC] | zzz utf8 | v int8").Schema)
	if len(columns) != 3 || columns[0] != -1 || columns[1] != 2 || columns[2] != 0 {
		t.Errorf("Columns: %v", columns)
	}
}

// Metadata of keys stays where it is still true.
func TestKeyMetadata(t *testing.T) {
	for _, c := range []struct {
		what  string
		want  string
		flags Flags
		list  []Source
	}{
		{"one input", "unit=B", Flags{}, sources("k utf8 {unit=B}")},
		{"agreement, in another order", "a=1 unit=B", Flags{}, sources("k utf8 {unit=B, a=1}", "k utf8 not null {a=1, unit=B}")},
		{"disagreement", "", Flags{}, sources("k utf8 {unit=B}", "k utf8 {unit=kB}")},
		{"one says nothing", "", Flags{}, sources("k utf8 {unit=B}", "k utf8")},
		{"another type in one", "", Flags{}, sources("k utf8 {unit=B}", "k large_utf8 {unit=B}")},
		{"a dictionary becomes its values", "", Flags{}, sources("k dictionary<int8, utf8> {unit=B}")},
		{"an extension of the same storage", "ARROW:extension:name=arrow.json", Flags{}, sources("k extension<arrow.json, utf8>")},
		{"an extension of another", "", Flags{}, sources("k extension<arrow.bool8, int8>")},
		{"how it was merged is over", "unit=B", Flags{GroupBy: []string{"k"}}, sources("k int64 {arrowagg.merge=max, unit=B}")},
		{"a spelling of UTC", "", Flags{}, sources("k timestamp[s, Z] {unit=B}")},
	} {
		p, _ := mustBind(t, c.flags, c.list...)
		got := ""
		md := p.Spec().Output.Field(0).Metadata
		for i, key := range md.Keys() {
			if i > 0 {
				got += " "
			}
			got += key + "=" + md.Values()[i]
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

func TestBindFaults(t *testing.T) {
	const schema = "host utf8 | lat_min float64 | lat_max float64 | tags list<utf8>"
	for _, c := range []struct {
		flags Flags
		list  []Source
		want  []string
	}{
		{Flags{GroupBy: []string{"hots"}}, sources(schema), []string{
			"usage: -g: unknown column hots (did you mean host?)",
		}},
		{Flags{GroupBy: []string{"hots"}, Aggregates: []string{`max(lat_mxa), sum("a b")`}, Exclude: []string{"hosts"}}, sources(schema), []string{
			"usage: -g: unknown column hots (did you mean host for hots, lat_max for lat_mxa, host for hosts?)",
			`usage: -a: at "max(lat_mxa)": unknown column lat_mxa (did you mean host for hots, lat_max for lat_mxa, host for hosts?)`,
			`usage: -a: at "sum(\"a b\")": unknown column "a b" (did you mean host for hots, lat_max for lat_mxa, host for hosts?)`,
			"usage: -x: unknown column hosts (did you mean host for hots, lat_max for lat_mxa, host for hosts?)",
		}},
		{Flags{GroupBy: []string{"zebra"}}, sources(schema), []string{
			"usage: -g: unknown column zebra (columns: host, lat_min, lat_max, tags)",
		}},
		{Flags{GroupBy: []string{"host, host"}}, sources(schema), []string{"usage: -g: names host twice"}},
		{Flags{GroupBy: []string{"host"}, Exclude: []string{"host"}}, sources(schema), []string{
			"usage: -x: leaves out host, which -g names",
		}},
		{Flags{Aggregates: []string{"max(lat_min)"}, Exclude: []string{"lat_min"}}, sources(schema), []string{
			"usage: -x: leaves out lat_min, which -a uses",
		}},
		{Flags{GroupBy: []string{"tags"}}, sources(schema), []string{
			"usage: -g: column tags cannot be a key: its type is list<item: utf8, nullable>",
		}},
		{Flags{GroupBy: []string{"x"}}, sources("x null | v int8"), []string{
			"usage: -g: column x cannot be a key: its type is null",
		}},
		{Flags{NoKeys: true, Aggregates: []string{"count(tags), max(tags)"}}, sources(schema), []string{
			`usage: -a: at "count(tags)": columns of type list<item: utf8, nullable> cannot be read`,
			`usage: -a: at "max(tags)": columns of type list<item: utf8, nullable> cannot be read`,
		}},
		{Flags{Aggregates: []string{"max(lat_min), max(lat_min)"}}, sources(schema), []string{
			"usage: two output columns are named lat_min_max: max(lat_min) and max(lat_min) (rename one with as)",
		}},
		{Flags{GroupBy: []string{"lat_max"}, Aggregates: []string{"max(lat_min) as lat_max"}}, sources(schema), []string{
			"usage: two output columns are named lat_max: key lat_max and max(lat_min) (rename one with as)",
		}},
		{Flags{Exclude: []string{"host, lat_min, lat_max"}}, sources(schema), []string{
			"usage: there is no column to group by and none to aggregate (name them with -g and -a)",
		}},
		{Flags{NoKeys: true}, sources("host utf8"), []string{
			"usage: there is no column to group by and none to aggregate (name them with -g and -a)",
		}},
		{Flags{NoKeys: true, Aggregates: []string{"sum(host), mean(host)"}}, sources(schema), []string{
			`usage: -a: at "sum(host)": sum takes integers, floats, decimals and durations, not utf8`,
			`usage: -a: at "mean(host)": mean takes integers, floats and decimals, not utf8`,
		}},

		// Two columns of one name: only where one would be used.
		{Flags{}, sources("v int64 | k utf8 | v int64 | v int8"), []string{
			"usage: w1: 3 columns are named v (positions 1, 3 and 4)",
		}},
		{Flags{GroupBy: []string{"k"}}, sources("k utf8 | v int8", "k utf8 | v int8 | k int8"), []string{
			"usage: w2: 2 columns are named k (positions 1 and 3)",
		}},

		// Missing columns.
		{Flags{}, sources("k utf8 | v int8", "k utf8", "v int8 | k utf8"), []string{
			"conflict: w2: column v is missing; 2 other inputs have it " +
				"(--union-by-name makes it null where it is missing, -x v leaves it out)",
		}},
		{Flags{GroupBy: []string{"k"}, Aggregates: []string{"sum(v)"}}, sources("k utf8 | v int8", "k utf8", "z utf8"), []string{
			"conflict: w3: column k is missing; 2 other inputs have it (--union-by-name makes it null where it is missing)",
			"conflict: w2 and w3: column v is missing; 1 other input has it (--union-by-name makes it null where it is missing)",
		}},

		// Types.
		{Flags{}, sources("k utf8 | v int8", "k int8 | v utf8", "k utf8 | v int8"), []string{
			"conflict: column k has types that do not go together: utf8 in w1 and w3; int8 in w2 (-x k leaves it out)",
			"conflict: column v has types that do not go together: int8 in w1 and w3; utf8 in w2 (-x v leaves it out)",
		}},
		{Flags{GroupBy: []string{"v"}}, sources("v int8", "v float32"), []string{
			"conflict: key column v has types that do not go together: int8 in w1; float32 in w2",
		}},
		{Flags{GroupBy: []string{"k"}}, sources("k utf8 | v int8", "k utf8 | v utf8"), []string{
			"conflict: column v has types that do not go together: int8 in w1; utf8 in w2 (-x v leaves it out)",
		}},
		{Flags{}, sources("k list<utf8> | v int8", "k utf8 | v int8"), []string{
			"conflict: column k has types that do not go together: list<item: utf8, nullable> in w1; utf8 in w2 (-x k leaves it out)",
		}},

		// Everything at once.
		{Flags{GroupBy: []string{"k, kk"}, Aggregates: []string{"sum(v), sum(k)"}}, sources("k utf8 | v int8 | v int8", "k utf8 | v utf8", "v int8"), []string{
			"usage: -g: unknown column kk (did you mean k?)",
			"conflict: w3: column k is missing; 2 other inputs have it (--union-by-name makes it null where it is missing)",
			"usage: w1: 2 columns are named v (positions 2 and 3)",
			`usage: -a: at "sum(k)": sum takes integers, floats, decimals and durations, not utf8`,
		}},
	} {
		wantErrors(t, bindError(t, c.flags, c.list...), c.want...)
	}
}

// Columns that the plan does not use may differ as they like.
func TestUnusedColumnsDoNotConflict(t *testing.T) {
	a, b := "k utf8 | v int8 | x utf8 | y int8 | t list<utf8> | d int8 | d int8", "k utf8 | v int8 | x int8 | t struct<a: int8>"
	p, _ := mustBind(t, Flags{GroupBy: []string{"k"}, Aggregates: []string{"sum(v)"}}, sources(a, b)...)
	wantOutputs(t, p, "k utf8, sum(v) v_sum int64")
	p, _ = mustBind(t, Flags{Exclude: []string{"x, y, d"}}, sources(a, b)...)
	wantOutputs(t, p, "k utf8, sum(v) v int64")
}

func TestMissingKeys(t *testing.T) {
	_, warnings := mustBind(t, Flags{UnionByName: true}, sources("a utf8 | b utf8 | v int8", "b utf8", "b utf8 | c utf8")...)
	wantWarnings(t, warnings, "missing-key a", "missing-key c")
}

// A run of thousands of streams with one schema is bound as one.
func TestManySources(t *testing.T) {
	var list []Source
	for range 10000 {
		list = append(list, source("w", "k utf8 | v int8"))
	}
	list = append(list, source("odd", "k utf8 | v utf8"))
	wantErrors(t, bindError(t, Flags{}, list...),
		"conflict: column v has types that do not go together: int8 in w, w, w and 9997 more; utf8 in odd (-x v leaves it out)")
}
