package job

import (
	"reflect"
	"testing"
)

func TestParseReadsArguments(t *testing.T) {
	j := Job{
		Input: "in", Output: "out", Keys: []string{"a", "b"},
		Aggregates: []Aggregate{{"sum", "v", "v_sum"}, {"count", "", "count"}, {"max", "a", "a_max"}},
	}
	got, err := Parse(j.Arguments())
	if err != nil || !reflect.DeepEqual(got, j) {
		t.Errorf("have %+v, %v", got, err)
	}
	if _, err := Parse([]string{"in", "out", "a"}); err == nil {
		t.Error("three arguments are taken")
	}
	if _, err := Parse([]string{"in", "out", "a", "sum:v"}); err == nil {
		t.Error("an aggregate without a name is taken")
	}
}

func TestSQLAndColumns(t *testing.T) {
	j := Job{Keys: []string{"a", "b"}, Aggregates: []Aggregate{
		{"mean", "v", "v_mean"}, {"count", "", "count"}, {"max", "a", "a_max"}, {"sum", "v", "v_sum"},
	}}
	const want = "SELECT a, b, avg(v) AS v_mean, count(*) AS count, max(a) AS a_max, sum(v) AS v_sum " +
		"FROM t GROUP BY a, b"
	if got := j.SQL("t"); got != want {
		t.Errorf("have %s", got)
	}
	if got := j.Columns(); !reflect.DeepEqual(got, []string{"a", "b", "v"}) {
		t.Errorf("columns %q", got)
	}
}

func TestDefaultName(t *testing.T) {
	for _, c := range []struct{ function, column, want string }{
		{"sum", "bytes_sum", "bytes_sum"},
		{"max", "lat", "lat_max"}, {"sum", "lat_max", "lat_max_sum"}, {"count", "", "count"},
	} {
		if got := DefaultName(c.function, c.column); got != c.want {
			t.Errorf("%s(%s) is %s, want %s", c.function, c.column, got, c.want)
		}
	}
}
