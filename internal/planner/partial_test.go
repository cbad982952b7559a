package planner

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// partialOf binds a run that writes a partial result and returns its schema as
// a source.
func partialOf(t *testing.T, name string, f Flags, own Shard, s ...Source) Source {
	t.Helper()
	f.Partial = true
	p, _ := mustBind(t, f, s...)
	return Source{Name: name, Schema: p.OutputSchema(own)}
}

func shardOf(t *testing.T, text string) Shard {
	t.Helper()
	s, err := ParseShard(text)
	if err != nil {
		t.Fatal(err)
	}
	s.Run = "run"
	return s
}

// TestPartialsBindToTheirPlan: whatever was bound, its partial result binds to
// the same result, with the clauses over finished groups that the second run
// has, and so does a partial result of partial results.
func TestPartialsBindToTheirPlan(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 8))
	bound := 0
	for range 3000 {
		flags := randomFlags(rng)
		if rng.IntN(10) == 0 {
			flags.IntSum = intSumDecimal
		}
		var schemas []string
		for range 1 + rng.IntN(3) {
			schemas = append(schemas, randomSchema(rng))
		}
		list := sources(schemas...)
		want, _, err := mustParse(t, flags).Bind(list)
		if err != nil {
			continue
		}
		bound++
		where := fmt.Sprintf("seed %d: %+v\n%s", seed, flags, strings.Join(schemas, "\n"))
		rows := flags
		rows.Sort, rows.Having, rows.Partial = nil, "", true
		first, _, err := mustParse(t, rows).Bind(list)
		if err != nil {
			t.Fatalf("%s\n%v", where, err)
		}
		a := Source{Name: "a", Schema: first.OutputSchema(Shard{})}
		again, _, err := mustParse(t, Flags{Partial: true}).Bind([]Source{a})
		if err != nil {
			t.Fatalf("%s\n%v\n%s", where, err, first.text())
		}
		b := Source{Name: "b", Schema: again.OutputSchema(Shard{})}
		if x, y := a.Schema.String(), b.Schema.String(); x != y {
			t.Fatalf("%s\nis written as\n%s\nand merged as\n%s", where, x, y)
		}
		for _, f := range []Flags{flags, {Sort: flags.Sort, Having: flags.Having}} {
			got, _, err := mustParse(t, f).Bind([]Source{a, b})
			if err != nil {
				t.Fatalf("%s\n%v", where, err)
			}
			if x, y := got.Spec().Output, want.Spec().Output; x.String() != y.String() {
				t.Fatalf("%s\nmerges to\n%s\nwant\n%s", where, x, y)
			}
			if x, y := fmt.Sprint(got.sort, got.having != nil), fmt.Sprint(want.sort, want.having != nil); x != y {
				t.Fatalf("%s\nsorts by %s, want %s", where, x, y)
			}
			got.Explain().Release()
		}
	}
	if bound < 500 {
		t.Errorf("only %d plans were bound", bound)
	}
}

// TestOrderNeedsShards: what depends on the order of the rows has partial
// results only where that of all inputs is known.
func TestOrderNeedsShards(t *testing.T) {
	flags := Flags{Aggregates: []string{"last(v)"}, Partial: true}
	p, _ := mustBind(t, flags, sources("k utf8 | v int64")...)
	if err := p.CheckShard(Shard{}); err == nil {
		t.Error("no error without a shard")
	}
	if err := p.CheckShard(shardOf(t, "2/3")); err != nil {
		t.Error(err)
	}
	whole := Source{Name: "a", Schema: p.OutputSchema(Shard{})}
	if _, _, err := mustParse(t, Flags{}).Bind([]Source{whole}); err == nil || !strings.Contains(err.Error(), "no sharded run") {
		t.Errorf("merging: error %v", err)
	}
	shard := Source{Name: "a", Schema: p.OutputSchema(shardOf(t, "2/3"))}
	again, _, err := mustParse(t, Flags{Partial: true}).Bind([]Source{shard})
	if err != nil || again.CheckShard(Shard{}) != nil {
		t.Errorf("merging a shard: %v", err)
	}
}

// TestTypesByName: every type that a column in use can have is told by its
// name.
func TestTypesByName(t *testing.T) {
	types := []arrow.DataType{
		&arrow.TimestampType{Unit: arrow.Second}, &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "Europe/Paris"},
		&arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "a, b]"},
		&arrow.Decimal32Type{Precision: 9, Scale: 2}, &arrow.Decimal64Type{Precision: 18, Scale: -3},
		&arrow.Decimal128Type{Precision: 38}, &arrow.Decimal256Type{Precision: 76, Scale: 76},
		&arrow.FixedSizeBinaryType{ByteWidth: 16},
	}
	for _, dt := range plainTypes {
		types = append(types, dt)
	}
	for _, dt := range types {
		if got, err := readType(typeName(dt)); err != nil || !arrow.TypeEqual(got, dt) {
			t.Errorf("%s: %v, %v", typeName(dt), got, err)
		}
	}
	for _, name := range []string{
		"", "int", "int65", "decimal128(39, 0)", "decimal128(38,0)", "decimal7(1, 0)",
		"timestamp[s", "timestamp[h]", "fixed_size_binary(0)", "fixed_size_binary(-1)", "list<int8>", "utf8 ",
	} {
		if dt, err := readType(name); err == nil {
			t.Errorf("%q is read as %s", name, dt)
		}
	}
}

func TestShardsText(t *testing.T) {
	for _, c := range []struct {
		text string
		held []int
	}{{"/4", nil}, {"1/1", []int{1}}, {"1-3,5/8", []int{1, 2, 3, 5}}, {"2,4,6-8/8", []int{2, 4, 6, 7, 8}}} {
		s, err := parseShards(c.text, "r")
		if err != nil || !slices.Equal(s.held, c.held) || s.String() != c.text || s.run != "r" {
			t.Errorf("%s: %v, %v", c.text, s, err)
		}
	}
	for _, text := range []string{
		"", "/", "1", "1/0", "0/4", "5/4", "1,2/4", "2,1/4", "1-1/4", "3-1/4", "1/99999999",
		"1-/4", "-1/4", "+1/4", "01/4", "1, 3/4", "1/4/4", "1-2,2-3/4", "x/4", strings.Repeat("1-4,", 9) + "1/4",
	} {
		if s, err := parseShards(text, ""); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
	for _, text := range []string{"", "3", "0/3", "4/3", "a/3", "1/b", "1/", "-1/3", "1/0", "1/9999999"} {
		if s, err := ParseShard(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
	for n := 1; n <= 5; n++ {
		for position := range 20 {
			takers := 0
			for i := 1; i <= n; i++ {
				if (Shard{Index: i, Count: n}).Takes(position) {
					takers++
					if i != position%n+1 {
						t.Errorf("%d/%d takes input %d", i, n, position+1)
					}
				}
			}
			if takers != 1 {
				t.Errorf("%d of %d shards take input %d", takers, n, position+1)
			}
		}
	}
}

// withMetadata is a source some of whose metadata say something else, "" for
// nothing at all.
func withMetadata(s Source, changed map[string]string) Source {
	md := s.Schema.Metadata().ToMap()
	for k, v := range changed {
		md[k] = v
		if v == "" {
			delete(md, k)
		}
	}
	m := arrow.MetadataFrom(md)
	return Source{Name: s.Name, Schema: arrow.NewSchema(s.Schema.Fields(), &m)}
}

// TestPlansOfOtherColumnOrders: where -g and -a say all, the inputs' columns may
// come in any order; where the default rule goes by their order, it counts.
func TestPlansOfOtherColumnOrders(t *testing.T) {
	in, moved := source("w", "host utf8 | v int64 | n_count int64 | u utf8"), source("w", "n_count int64 | u utf8 | v int64 | host utf8")
	for _, c := range []struct {
		flags Flags
		same  bool
	}{
		{Flags{GroupBy: []string{"host", "u"}, Aggregates: []string{"sum(v), sum(n_count)"}}, true},
		{Flags{GroupBy: []string{"host"}, Aggregates: []string{"max(v)"}, Where: "u = 'a' and n_count > 1"}, true},
		{Flags{GroupBy: []string{"host"}, Aggregates: []string{"max(v)"}, Exclude: []string{"u, n_count"}, Where: "u = 'a' and n_count > 1"}, true},
		{Flags{NoKeys: true, Aggregates: []string{"sum(v), max(n_count)"}}, true},
		{Flags{GroupBy: []string{"host"}}, false},
		{Flags{Aggregates: []string{"sum(v)"}}, false},
		{Flags{}, false},
	} {
		a, b := partialOf(t, "a", c.flags, Shard{}, in), partialOf(t, "b", c.flags, Shard{}, moved)
		_, _, err := mustParse(t, Flags{}).Bind([]Source{a, b})
		if (err == nil) != c.same {
			t.Errorf("%+v: %v", c.flags, err)
		}
		var conflict *ConflictError
		if err != nil && (!errors.As(err, &conflict) || !strings.Contains(conflict.Hint, "the same -g and -a")) {
			t.Errorf("%+v: %#v", c.flags, err)
		}
	}
}

func TestPartialsThatDoNotGoTogether(t *testing.T) {
	in := source("w", "host utf8 | v int64 | lat_max float64")
	sums, counts := Flags{GroupBy: []string{"host"}, Aggregates: []string{"sum(v)"}}, Flags{GroupBy: []string{"host"}, Aggregates: []string{"count(*)"}}
	one, two := shardOf(t, "1/3"), shardOf(t, "2/3")
	a, b := partialOf(t, "a", sums, one, in), partialOf(t, "b", sums, two, in)
	plain := partialOf(t, "plain", sums, Shard{}, in)
	otherRun := two
	otherRun.Run = "another"
	text, _ := a.Schema.Metadata().GetValue(planKey)
	damaged := func(change func([]arrow.Field) []arrow.Field) Source {
		md := b.Schema.Metadata()
		return Source{Name: "b", Schema: arrow.NewSchema(change(b.Schema.Fields()), &md)}
	}
	for _, c := range []struct {
		flags   Flags
		sources []Source
		want    string
		usage   bool
	}{
		{Flags{}, []Source{a, in}, "a is partial and w not: they cannot be merged in one run", false},
		{Flags{}, []Source{in, a, b}, "a and b are partial and w not: they cannot be merged in one run", false},
		{Flags{}, []Source{a, partialOf(t, "c", counts, two, in)}, `c: a partial result of another plan than a: agg "count(*)", not agg "sum(v)"`, false},
		{Flags{}, []Source{a, partialOf(t, "c", sums, two, source("w", "host utf8 | v int32"))}, `c: a partial result of another plan than a: column "v" "int32", not column "v" "int64"`, false},
		{Flags{}, []Source{a, a}, "a: holds shard 1 of 3, which a holds too", false},
		{Flags{}, []Source{a, partialOf(t, "c", sums, shardOf(t, "2/4"), in)}, "c: is of a run of 4 shards, and a of one of 3", false},
		{Flags{}, []Source{a, partialOf(t, "c", sums, otherRun, in)}, "c: is of a run over other inputs than a", false},
		{Flags{}, []Source{a, plain}, "plain: is of no sharded run, and a is", false},
		{Flags{}, []Source{plain, a}, "a: is of a sharded run, and plain is not", false},
		{Flags{}, []Source{withMetadata(a, map[string]string{partialKey: "2"})}, "a: a partial result of format 2, and this version reads format 1", false},
		{Flags{}, []Source{withMetadata(a, map[string]string{planKey: ""})}, "a: its plan cannot be read: there is no column to group by and none to aggregate", false},
		{Flags{}, []Source{withMetadata(a, map[string]string{planKey: text + "sort \"host\"\n"})}, `a: its plan cannot be read: unknown line "sort \"host\"\n"`, false},
		{Flags{}, []Source{withMetadata(a, map[string]string{planKey: strings.Replace(text, "sum", "bum", 1)})}, `a: its plan cannot be read: -a: at "bum(": unknown function "bum"`, false},
		{Flags{}, []Source{withMetadata(a, map[string]string{planKey: strings.Replace(text, "sum", "SUM", 1)})}, "a: its plan cannot be read: it means another plan than it says", false},
		{Flags{}, []Source{withMetadata(a, map[string]string{planKey: strings.Replace(text, "\"int64\"", "\"int65\"", 1)})}, `a: its plan cannot be read: unknown type "int65"`, false},
		{Flags{}, []Source{withMetadata(a, map[string]string{planKey: strings.Replace(text, "\"host\"", "host", 1)})}, `a: its plan cannot be read: line`, false},
		{Flags{}, []Source{withMetadata(a, map[string]string{planKey: text + "column \"z\" \"int8\"\n"})}, "a: its plan cannot be read: it means another plan than it says", false},
		{Flags{}, []Source{withMetadata(a, map[string]string{shardsKey: "9/3"})}, `a: arrowagg.shards: "9/3" are no shards`, false},
		{Flags{}, []Source{a, damaged(func(f []arrow.Field) []arrow.Field { return f[:1] })}, "b: its columns are not those of its plan", false},
		{Flags{}, []Source{a, damaged(func(f []arrow.Field) []arrow.Field {
			f = slices.Clone(f)
			f[1].Type = arrow.PrimitiveTypes.Int64
			return f
		})}, "b: its columns are not those of its plan", false},
		{Flags{GroupBy: []string{"lat_max"}}, []Source{a}, "-g: the partial results were made with -g host", true},
		{Flags{Aggregates: []string{"max(v)"}}, []Source{a}, "-a: the partial results were made with -a sum(v)", true},
		{Flags{Where: "v > 1"}, []Source{a}, "-w: the partial results were made without it", true},
		{Flags{Zone: "Europe/Paris"}, []Source{a}, "--tz: the partial results were made without it", true},
		{Flags{Source: "w"}, []Source{a}, "--source: the partial results were made without it", true},
		{Flags{NoKeys: true}, []Source{a}, "--no-keys: the partial results were made without it", true},
		{Flags{IntSum: intSumDecimal}, []Source{a}, "--int-sum: the partial results were made without it", true},
		{Flags{Exclude: []string{"v"}}, []Source{a}, "-x: the partial results were made with column v", true},
		{Flags{Having: "lat_max > 1"}, []Source{a}, "--having: ", true},
	} {
		errs := bindError(t, c.flags, c.sources...)
		if _, usage := errs[0].(*UsageError); usage != c.usage {
			t.Errorf("%v: %T, want a usage error: %v", errs[0], errs[0], c.usage)
		}
		if !strings.HasPrefix(errs[0].Error(), c.want) {
			t.Errorf("got  %s\nwant %s", errs[0], c.want)
		}
	}
	// What repeats the plan, or leaves out what is not there, is welcome.
	again := sums
	again.Exclude, again.Having, again.Limit = []string{"lat_max"}, "v_sum > 3", new(int)
	mustBind(t, again, a, b)

	// Found only while reading.
	p, _ := mustBind(t, Flags{}, a)
	if _, _, err := p.Extend(in); err == nil || !strings.HasPrefix(err.Error(), "w is ") && !strings.HasPrefix(err.Error(), "a is partial") {
		t.Errorf("raw after partial: %v", err)
	}
	if _, _, err := p.Extend(a); err == nil {
		t.Error("the same shard twice is admitted late")
	}
	if next, _, err := p.Extend(b); err != nil || next != p {
		t.Errorf("another shard: %v", err)
	}
	raw, _ := mustBind(t, sums, in)
	if _, _, err := raw.Extend(a); err == nil || !strings.HasPrefix(err.Error(), "a is partial and w not") {
		t.Errorf("partial after raw: %v", err)
	}
	if _, err := p.SQL(); err == nil {
		t.Error("partial results have SQL")
	}
}

func TestExpectedShards(t *testing.T) {
	in := source("w", "host utf8 | v_sum int64")
	shard := func(text string) Source { return partialOf(t, text, Flags{}, shardOf(t, text), in) }
	merged, _ := mustBind(t, Flags{Partial: true}, shard("1/4"), shard("3/4"))
	both := Source{Name: "both", Schema: merged.OutputSchema(Shard{})}
	if v, _ := both.Schema.Metadata().GetValue(shardsKey); v != "1,3/4" {
		t.Errorf("merged shards are %q", v)
	}
	unread := shard("4/4")
	unread.Unread = true
	for _, c := range []struct {
		n       int
		sources []Source
		want    string
	}{
		{4, []Source{shard("2/4"), both, shard("4/4")}, ""},
		{1, []Source{shard("1/1")}, ""},
		{4, []Source{both, shard("2/4")}, "--expect 4: missing shards: 4"},
		{4, []Source{both, shard("2/4"), unread}, "--expect 4: missing shards: 4"},
		{4, []Source{shard("4/4")}, "--expect 4: missing shards: 1-3"},
		{5, []Source{both}, "--expect 5: the partial results are of a run of 4 shards"},
		{2, []Source{partialOf(t, "a", Flags{}, Shard{}, in)}, "--expect 2: the partial results are not those of a sharded run"},
		{2, []Source{in}, "--expect 2: the inputs are no partial results"},
	} {
		p, _ := mustBind(t, Flags{}, c.sources...)
		if err := p.Expect(c.n); fmt.Sprint(err) != c.want && (err != nil || c.want != "") {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestPartialRefusesClausesOverGroups(t *testing.T) {
	for _, f := range []Flags{{Having: "v_sum > 1"}, {Sort: []string{"v_sum"}}, {Limit: new(int)}} {
		f.Partial = true
		if _, err := Parse(f); err == nil || !strings.Contains(err.Error(), "has no effect with --partial") {
			t.Errorf("%+v: %v", f, err)
		}
	}
}
