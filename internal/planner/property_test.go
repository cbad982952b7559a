package planner

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomSchema has some of a few names, with types that often go together.
func randomSchema(rng *rand.Rand) string {
	types := []struct {
		name string
		list []string
	}{
		{"k", []string{"utf8", "large_utf8", "dictionary<int8, utf8>", "null", "utf8 not null", "utf8 {unit=x}"}},
		{"ts", []string{"timestamp[s]", "timestamp[ns]", "timestamp[s, UTC]", "date32", "null"}},
		{"v_sum", []string{"int8", "int64", "uint8", "float64", "decimal128(10, 2)", "null", "int64 {arrowagg.merge=sum}"}},
		{"x_max", []string{"int32", "float32", "float64", "duration[s]", "int32 {arrowagg.merge=max}"}},
		{"id", []string{"int16", "int32", "uint32", "utf8", "list<int8>", "binary"}},
	}
	var fields []string
	for _, t := range types {
		if rng.IntN(8) > 0 {
			n := len(t.list)
			if rng.IntN(2) == 0 {
				n = 2
			}
			fields = append(fields, t.name+" "+t.list[rng.IntN(n)])
		}
	}
	rng.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	if len(fields) == 0 {
		return "k utf8"
	}
	return strings.Join(fields, " | ")
}

func randomFlags(rng *rand.Rand) Flags {
	f := Flags{UnionByName: rng.IntN(2) == 0}
	if rng.IntN(3) == 0 {
		f.GroupBy = []string{[]string{"k", "ts, k", "id", "id, k"}[rng.IntN(4)]}
	}
	if rng.IntN(3) == 0 {
		f.Aggregates = []string{[]string{"sum(v_sum), max(x_max)", "count(*)", "max(ts), count(id)", "mean(v_sum)"}[rng.IntN(4)]}
	}
	if rng.IntN(4) == 0 {
		f.GroupBy = []string{[]string{"date_trunc(hour, ts), k", "k, date_trunc(month, ts) as ts", "cast(id as int64), k"}[rng.IntN(3)]}
	}
	if rng.IntN(4) == 0 {
		f.Where = []string{"k = 'a'", "ts is not null and v_sum > 3", "id in (1, 2) or x_max between 1 and 2"}[rng.IntN(3)]
	}
	if rng.IntN(6) == 0 {
		f.Sort, f.Having = []string{[]string{"k desc", "k, ts"}[rng.IntN(2)]}, "k is not null"
	}
	if rng.IntN(8) == 0 {
		f.Source = []string{"worker", "k"}[rng.IntN(2)]
	}
	if rng.IntN(4) == 0 {
		f.Exclude = []string{[]string{"id", "ts", "x_max"}[rng.IntN(3)]}
	}
	return f
}

// settled describes a plan without the order of its columns.
func settled(p *Plan, err error) string {
	if err != nil {
		return "error"
	}
	parts := strings.Split(outputs(p), ", ")
	for _, f := range p.Spec().Output.Fields() {
		parts = append(parts, fmt.Sprintf("%s has %v", f.Name, f.Metadata))
	}
	for _, k := range p.sort {
		parts = append(parts, fmt.Sprintf("sorted by %s, descending: %v", p.Spec().Output.Field(k.Column).Name, k.Descending))
	}
	for _, w := range p.warnings(p.found) {
		if w.ID != "skipped-column" { // which names types in the order of the inputs
			parts = append(parts, w.ID+" "+w.Subject)
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
}

// Whatever the inputs are, their order settles nothing but the order of the
// columns, and a source that Extend admits leads to the plan that Bind makes
// of all of them.
func TestPlansDoNotDependOnOrder(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 4))
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	bound, extended := 0, 0
	for range 3000 {
		flags := randomFlags(rng)
		q := mustParse(t, flags)
		var schemas []string
		for range 1 + rng.IntN(3) {
			schemas = append(schemas, randomSchema(rng))
		}
		list := sources(schemas...)
		p, _, err := q.Bind(list)
		want := settled(p, err)
		permutations(list, func(s []Source) {
			q, _, err := q.Bind(s)
			if got := settled(q, err); got != want {
				t.Fatalf("%+v\n%s\ngives\n%s\nand in the order %v\n%s", flags, strings.Join(schemas, "\n"), want, names(s), got)
			}
		})
		if err == nil {
			bound++
			p.Explain().Release()
			if _, err := p.SQL(); err != nil && !strings.Contains(err.Error(), "no engine can run this") {
				t.Fatalf("%+v %v: %v", flags, schemas, err)
			}
		}
		early, _, err := q.Bind(list[:1])
		if err != nil {
			continue
		}
		for _, s := range list[1:] {
			next, _, lateErr := early.Extend(s)
			if err = lateErr; err != nil {
				var conflict *ConflictError
				if !errors.As(err, &conflict) {
					t.Fatalf("%+v %v: late error %v", flags, schemas, err)
				}
				break
			}
			early = next
		}
		if err == nil {
			extended++
			if got := settled(early, nil); got != want {
				t.Fatalf("%+v\n%s\nextended gives\n%s\nbound gives\n%s", flags, strings.Join(schemas, "\n"), got, want)
			}
		}
	}
	if bound < 100 || extended < 100 {
		t.Errorf("only %d plans were bound and %d extended: the test tests little", bound, extended)
	}
}

func names(list []Source) []string {
	var names []string
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names
}
