package planner

import (
	"testing"
)

func TestExtendKeepsThePlan(t *testing.T) {
	first := source("w1", "k utf8 | ts timestamp[ms] | v_sum int32 | x_max float64 | tags list<utf8>")
	for _, late := range []string{
		"k utf8 | ts timestamp[ms] | v_sum int32 | x_max float64 | tags list<utf8>",                      // the same
		"x_max float32 | v_sum int8 | ts timestamp[s] | k dictionary<int8, utf8> | tags struct<a: int8>", // narrower
		"k null | ts null | v_sum null | x_max null",
		"k utf8 not null {unit=x} | ts timestamp[ms] | v_sum int32 | x_max float64",
	} {
		p, _ := mustBind(t, Flags{}, first)
		before := outputs(p)
		next, warnings, err := p.Extend(source("late", late))
		if err != nil || next != p || len(warnings) > 0 || outputs(next) != before {
			t.Errorf("%s: %v, same plan %v, warnings %v", late, err, next == p, warnings)
		}
		p.Explain().Release()
		if _, err := p.SQL(); err != nil {
			t.Errorf("%s: %v", late, err)
		}
	}
}

func TestExtendWidens(t *testing.T) {
	p, _ := mustBind(t, Flags{}, source("w1", "k utf8 | v_sum int32 | x_max float32"))
	next, _, err := p.Extend(source("late", "k utf8 | v_sum int64 | x_max float64"))
	if err != nil || next == p {
		t.Fatalf("%v, same plan %v", err, next == p)
	}
	wantOutputs(t, next, "k utf8, sum(v_sum) v_sum int64, max(x_max) x_max float64")
	wantOutputs(t, p, "k utf8, sum(v_sum) v_sum int64, max(x_max) x_max float32")
	// The wider plan takes the first schema and the second without a change.
	for _, s := range sources("k utf8 | v_sum int32 | x_max float32", "k utf8 | v_sum int64 | x_max float64") {
		if again, _, err := next.Extend(s); again != next || err != nil {
			t.Errorf("extended by a known schema: %v", err)
		}
	}
	next, _, err = next.Extend(source("later", "k utf8 | v_sum float32 | x_max int8"))
	if err != nil {
		t.Fatal(err)
	}
	wantOutputs(t, next, "k utf8, sum(v_sum) v_sum float64, max(x_max) x_max float64")
}

// What is found late gives the plan that it had given early.
func TestExtendIsBind(t *testing.T) {
	a := source("w1", "k utf8 {unit=x} | ts timestamp[ns] | v_sum uint8 | x_max decimal128(10, 2)")
	b := source("w2", "x_max int8 | k large_utf8 | v_sum int8 | ts timestamp[s]")
	early, _ := mustBind(t, Flags{}, a, b)
	p, _ := mustBind(t, Flags{}, a)
	late, _, err := p.Extend(b)
	if err != nil {
		t.Fatal(err)
	}
	if !late.Spec().Output.Equal(early.Spec().Output) || !sameColumns(late.Spec(), early.Spec()) {
		t.Errorf("late: %s\nearly: %s", late.Spec().Output, early.Spec().Output)
	}
}

func TestExtendConflicts(t *testing.T) {
	const hint = " (give it first, or save it to a file: regular files' schemas are known before any row is read)"
	first := source("w1", "k utf8 | id int32 | ts timestamp[ms] | z timestamp[s, Asia/Tokyo] | v_sum int32")
	flags := Flags{GroupBy: []string{"k, id, ts, z"}}
	for _, c := range []struct {
		flags Flags
		late  string
		want  []string
	}{
		{flags, "k utf8 | id int64 | ts timestamp[ns] | z timestamp[s, UTC] | v_sum int8", []string{
			"conflict: late: key column id was settled as int32 and would have to become int64" + hint,
			"conflict: late: key column ts was settled as timestamp[ms] and would have to become timestamp[ns]" + hint,
			"conflict: late: key column z was settled as timestamp[s, Asia/Tokyo] and would have to become timestamp[s, UTC]" + hint,
		}},
		{flags, "k utf8 | id int32 | ts timestamp[ms, UTC] | z timestamp[s, UTC] | v_sum utf8", []string{
			"conflict: column ts has types that do not go together: timestamp[ms] in w1; timestamp[ms, UTC] in late",
			"conflict: column v_sum has types that do not go together: int32 in w1; utf8 in late (-x v_sum leaves it out)",
		}},
		{flags, "k utf8 | id int32 | ts timestamp[ms] | z timestamp[s, Asia/Tokyo]", []string{
			"conflict: late: column v_sum is missing; 1 other input has it " +
				"(--union-by-name makes it null where it is missing, -x v_sum leaves it out)",
		}},
		{flags, "k utf8 | id int32 | ts timestamp[ms] | z timestamp[s, Asia/Tokyo] | v_sum int8 | k utf8", []string{
			"conflict: late: 2 columns are named k (positions 1 and 6)",
		}},
		{Flags{GroupBy: []string{"k, id, ts, z"}, UnionByName: true}, "k utf8 | w_max int8", []string{
			"conflict: late: column w_max appears only here, after the output columns were settled" + hint,
		}},
		{Flags{Exclude: []string{"id, ts, z"}, UnionByName: true}, "k utf8 | w utf8", []string{
			"conflict: late: key column w appears only here, after the keys were settled" + hint,
		}},
		{flags, "k utf8 | id int32 | ts timestamp[ms] | z timestamp[s, Asia/Tokyo] | v_sum int8 {arrowagg.merge=max}", []string{
			"conflict: late: column v_sum was settled as sum and would have to become max" + hint,
		}},
	} {
		p, _ := mustBind(t, c.flags, first)
		_, _, err := p.Extend(source("late", c.late))
		if err == nil {
			t.Errorf("%s: no error", c.late)
			continue
		}
		wantErrors(t, each(err), c.want...)
	}
}

// A column of nulls that turns out to be something changes what columns there
// are: too late.
func TestExtendOfNulls(t *testing.T) {
	for _, late := range []string{"k utf8 | x int8", "k utf8 | x utf8"} {
		p, _ := mustBind(t, Flags{}, source("w1", "k utf8 | x null"))
		if _, _, err := p.Extend(source("late", late)); err == nil {
			t.Errorf("%s: no error", late)
		}
	}
}

func TestExtendWarnings(t *testing.T) {
	p, first := mustBind(t, Flags{UnionByName: true}, sources("k utf8 | j utf8 | v int8 | tags list<utf8>", "j utf8 | v int8")...)
	wantWarnings(t, first, "skipped-column tags (list<item: utf8, nullable>)", "missing-key k")
	next, added, err := p.Extend(source("late", "v int8"))
	if err != nil || next != p {
		t.Fatalf("%v, same plan %v", err, next == p)
	}
	wantWarnings(t, added, "missing-key j")
	_, added, err = p.Extend(source("later", "v int8 | k utf8"))
	if err != nil {
		t.Fatal(err)
	}
	wantWarnings(t, added)
}

// Late streams count in the messages about later ones.
func TestExtendCounts(t *testing.T) {
	p, _ := mustBind(t, Flags{}, source("w1", "k utf8 | v int8"))
	for range 41 {
		if _, _, err := p.Extend(source("more", "k utf8 | v int8")); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := p.Extend(source("odd", "k utf8"))
	wantErrors(t, each(err), "conflict: odd: column v is missing; 42 other inputs have it "+
		"(--union-by-name makes it null where it is missing, -x v leaves it out)")
}
