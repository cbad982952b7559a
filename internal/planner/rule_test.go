package planner

import (
	"reflect"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
)

// Every type stands beside a key and a sum, so that any role leaves a plan.
func TestTypeRoles(t *testing.T) {
	const (
		key     = "key"
		sum     = "sum"
		skipped = "skipped"
	)
	for dt, want := range map[string]string{
		"utf8": key, "large_utf8": key, "utf8_view": key, "bool": key,
		"timestamp[s]": key, "timestamp[ms]": key, "timestamp[us, Europe/Berlin]": key, "timestamp[ns, UTC]": key,
		"date32": key, "date64": key, "time32[s]": key, "time32[ms]": key, "time64[us]": key, "time64[ns]": key,

		"int8": sum, "int16": sum, "int32": sum, "int64": sum,
		"uint8": sum, "uint16": sum, "uint32": sum, "uint64": sum,
		"float16": sum, "float32": sum, "float64": sum,
		"decimal32(9, 2)": sum, "decimal64(18, 2)": sum, "decimal128(38, 2)": sum, "decimal256(76, 2)": sum,
		"duration[s]": sum, "duration[ns]": sum,

		"dictionary<int8, utf8>": key, "dictionary<uint32, timestamp[s]>": key, "dictionary<int16, int64>": sum,
		"run_end_encoded<int32, utf8>": key, "run_end_encoded<int16, float64>": sum,
		"run_end_encoded<int32, dictionary<int8, utf8>>": key,
		"dictionary<int8, list<int8>>":                   skipped,
		"extension<arrow.bool8, int8>":                   key,
		"extension<arrow.json, utf8>":                    key,
		"extension<arrow.uuid, fixed_size_binary(16)>":   skipped,
		"extension<my.money, int64>":                     sum,

		"binary": skipped, "large_binary": skipped, "binary_view": skipped, "fixed_size_binary(4)": skipped,
		"null": skipped, "interval[months]": skipped, "interval[day_time]": skipped, "interval[month_day_nano]": skipped,
		"list<int64>": skipped, "large_list<utf8>": skipped, "struct<a: int8>": skipped, "map<utf8, int64>": skipped,
	} {
		p, warnings := mustBind(t, Flags{}, source("w", "k utf8 | x "+dt+" | n_count int64"))
		role := ""
		for _, k := range p.keys {
			if k.columns[0].name == "x" {
				role = key
			}
		}
		for _, a := range p.aggregates {
			if a.name == "x" {
				role = a.function.Name
			}
		}
		for _, u := range p.unused {
			role = u.role
		}
		if role != want {
			t.Errorf("%s: role %q, want %q", dt, role, want)
		}
		if warned := len(warnings) == 1 && warnings[0].ID == "skipped-column"; warned != (want == skipped) {
			t.Errorf("%s: warnings %v", dt, warnings)
		}
	}
}

// The registered form of an extension type, as arrow-go gives it to programs
// that know it, is treated like the unregistered one.
func TestRegisteredExtension(t *testing.T) {
	f := arrow.Field{Name: "x", Type: &bool8Type{arrow.ExtensionBase{Storage: arrow.PrimitiveTypes.Int8}}}
	if got := valueType(f); got.ID() != arrow.BOOL {
		t.Errorf("value type %s, want bool", got)
	}
	if got := fieldTypeName(f); got != "arrow.bool8<int8>" {
		t.Errorf("name %s", got)
	}
}

type bool8Type struct{ arrow.ExtensionBase }

func (*bool8Type) ArrayType() reflect.Type { return nil }
func (*bool8Type) ExtensionName() string   { return "arrow.bool8" }
func (*bool8Type) ExtensionEquals(o arrow.ExtensionType) bool {
	return o.ExtensionName() == "arrow.bool8"
}
func (*bool8Type) Serialize() string                                               { return "" }
func (*bool8Type) Deserialize(arrow.DataType, string) (arrow.ExtensionType, error) { return nil, nil }

func TestSuffixes(t *testing.T) {
	for name, want := range map[string]string{
		"bytes_sum": "sum", "req_count": "sum", "lat_min": "min", "lat_max": "max",
		"_max": "max", "max": "sum", "latmax": "sum", "lat_MAX": "sum", "lat_max_": "sum", "lat.max": "sum",
		"lat_max_sum": "sum", "x": "sum", "": "sum",
	} {
		f := arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64}
		p, _ := mustBind(t, Flags{}, Source{Name: "w", Schema: arrow.NewSchema([]arrow.Field{f}, nil)})
		a := p.aggregates[0]
		if a.function.Name != want || a.name != name {
			t.Errorf("%q: %s as %q, want %s", name, a.function.Name, a.name, want)
		}
		if merge, _ := p.Spec().Output.Field(0).Metadata.GetValue(mergeKey); merge != want {
			t.Errorf("%q: output says %q, want %q", name, merge, want)
		}
	}
}

func TestNameWarnings(t *testing.T) {
	for name, want := range map[string]string{
		"lat_avg": "summed-by-default", "lat_mean": "summed-by-default", "lat_median": "summed-by-default",
		"lat_p50": "summed-by-default", "lat_p99": "summed-by-default", "p999": "summed-by-default",
		"lat_p99.9": "summed-by-default", "x_percentile": "summed-by-default",
		"x_stddev": "summed-by-default", "x_std": "summed-by-default", "x_var": "summed-by-default",
		"err_rate": "summed-by-default", "hit_ratio": "summed-by-default", "cpu_pct": "summed-by-default",
		"cpu_percent": "summed-by-default", "x_first": "summed-by-default", "x_last": "summed-by-default",
		"avg": "summed-by-default", "users_distinct": "summed-by-default", "distinct_users": "summed-by-default",
		"distinct_users_count": "summed-by-default", "distinct_max": "",

		"id": "summed-key", "user_id": "summed-key", "_id": "summed-key", "status": "summed-key", "http_status": "summed-key",
		"code": "summed-key", "port": "summed-key", "shard": "summed-key", "partition": "summed-key", "pid": "summed-key",
		"year": "summed-key", "month": "summed-key", "day": "summed-key", "hour": "summed-key", "minute": "summed-key",
		"epoch": "summed-key", "ts": "summed-key", "time": "summed-key", "timestamp": "summed-key",
		"version": "summed-key", "seq": "summed-key", "kafka_offset": "summed-key",

		"bytes": "", "bytes_sum": "", "status_count": "", "id_max": "", "rate_sum": "", "lat_p99_max": "",
		"userid": "", "paid": "", "statuses": "", "p": "", "lat_p": "", "pct1": "", "lat_px9": "", "indistinct": "",
	} {
		_, warnings := mustBind(t, Flags{}, source("w", "k utf8 | "+name+" int64"))
		if want == "" {
			wantWarnings(t, warnings)
		} else {
			wantWarnings(t, warnings, want+" "+name)
		}
	}
}

func TestKeyByType(t *testing.T) {
	_, warnings := mustBind(t, Flags{},
		source("w", "k utf8 | first_seen_min timestamp[s] | day_max date32 | name_max utf8 | x_count utf8 | n int64"))
	wantWarnings(t, warnings, "key-by-type first_seen_min", "key-by-type day_max", "key-by-type name_max", "key-by-type x_count")
}

// What the flags say is not warned of.
func TestWarningsOfFlags(t *testing.T) {
	const schema = "k utf8 | first_seen_min timestamp[s] | status int32 | lat_p99 float64 | tags list<utf8>"
	for _, c := range []struct {
		flags Flags
		want  []string
	}{
		{Flags{}, []string{
			"key-by-type first_seen_min", "summed-key status", "summed-by-default lat_p99",
			"skipped-column tags (list<item: utf8, nullable>)",
		}},
		{Flags{GroupBy: []string{"k, status"}}, []string{
			"summed-by-default lat_p99",
			"skipped-column tags (list<item: utf8, nullable>)",
		}},
		{Flags{Aggregates: []string{"max(lat_p99), sum(status), min(first_seen_min)"}}, []string{
			"skipped-column tags (list<item: utf8, nullable>)",
		}},
		{Flags{GroupBy: []string{"k"}, Aggregates: []string{"sum(status)"}}, nil},
		{Flags{NoKeys: true, Aggregates: []string{"sum(status)"}}, nil},
		{Flags{Exclude: []string{"tags, status, first_seen_min, lat_p99"}}, nil},
	} {
		_, warnings := mustBind(t, c.flags, source("w", schema))
		wantWarnings(t, warnings, c.want...)
	}
}

func TestMergeMetadata(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		// It goes before suffix and type, so that results merge as they were made.
		{"k utf8 | worst int64 {arrowagg.merge=max}", "k utf8, max(worst) worst int64"},
		{"k utf8 | x_min int64 {arrowagg.merge=sum}", "k utf8, sum(x_min) x_min int64"},
		{"k utf8 | seen timestamp[s] {arrowagg.merge=min}", "k utf8, min(seen) seen timestamp[s]"},
		{"k utf8 | name utf8 {arrowagg.merge=max}", "k utf8, max(name) name utf8"},
	} {
		p, warnings := mustBind(t, Flags{}, source("w", c.schema))
		wantOutputs(t, p, c.want)
		wantWarnings(t, warnings)
		// A result bound again gives itself.
		again, _ := mustBind(t, Flags{}, Source{Name: "again", Schema: p.Spec().Output})
		wantOutputs(t, again, c.want)
		if !again.Spec().Output.Equal(p.Spec().Output) {
			t.Errorf("%s: bound again: %s", c.schema, again.Spec().Output)
		}
	}
}

func TestMergeMetadataFaults(t *testing.T) {
	const mean = "k utf8 | lat_mean float64 {arrowagg.merge=none}"
	wantErrors(t, bindError(t, Flags{}, source("w", mean)),
		"usage: column lat_mean cannot be merged: its arrowagg.merge says none "+
			"(say what to do with it: -a, or leave it out with -x lat_mean)")
	for _, f := range []Flags{
		{Exclude: []string{"lat_mean"}},
		{Aggregates: []string{"count(*)"}},
		{Aggregates: []string{"max(lat_mean)"}},
		{GroupBy: []string{"lat_mean"}},
	} {
		mustBind(t, f, source("w", mean))
	}
	wantErrors(t, bindError(t, Flags{}, source("w", "k utf8 | x int64 {arrowagg.merge=avg}")),
		`usage: w: column x: arrowagg.merge says "avg" (it may say sum, min, max or none)`)
	wantErrors(t, bindError(t, Flags{}, sources("x int64 {arrowagg.merge=sum}", "x int64", "x int64 {arrowagg.merge=max}")...),
		"conflict: column x: arrowagg.merge says sum in w1; max in w3 (say what to do with it: -a, or leave it out with -x x)")
	wantErrors(t, bindError(t, Flags{}, source("w", "k utf8 | x utf8 {arrowagg.merge=sum}"))[:1],
		"usage: column x (arrowagg.merge): sum takes integers, floats, decimals and durations, not utf8 "+
			"(say what to do with it: -a, or leave it out with -x x)")
	// A raw stream beside merged ones says nothing, in either order.
	two := sources("k utf8 | worst int64 {arrowagg.merge=max}", "k utf8 | worst int64")
	permutations(two, func(s []Source) {
		p, _ := mustBind(t, Flags{}, s...)
		wantOutputs(t, p, "k utf8, max(worst) worst int64")
	})
}

func TestTypeNames(t *testing.T) {
	for _, text := range []string{
		"bool", "int8", "uint64", "float16", "utf8", "large_utf8", "utf8_view", "binary_view", "fixed_size_binary(4)",
		"decimal32(5, 2)", "decimal64(5, 2)", "decimal128(5, -2)", "decimal256(50, 2)", "timestamp[ms]", "timestamp[ns, UTC]",
		"duration[us]", "time32[ms]", "date64", "dictionary<int8, utf8>", "run_end_encoded<int32, decimal64(5, 2)>",
		"interval[months]", "interval[day_time]", "interval[month_day_nano]",
	} {
		dt, err := arrowtest.ParseType(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := typeName(dt); got != text {
			t.Errorf("%s is named %s", text, got)
		}
	}
}
