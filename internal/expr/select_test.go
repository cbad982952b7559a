package expr

import (
	"errors"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/syntax"
)

// Rows that are not selected are not looked at: they cannot be wrong.
func TestComputeSelected(t *testing.T) {
	s := arrowtest.Must("x int64\n7\n300\n9\nnull\n-1")
	recs, err := s.Records()
	if err != nil {
		t.Fatal(err)
	}
	columns := []arrow.ArrayData{recs[0].Column(0).Data()}
	c := bindComputed(t, "cast(x as int8)", scopeOf(s.Fields)).NewComputer()
	var value *ValueError
	if _, err := c.Compute(columns, 5, nil); !errors.As(err, &value) || value.Row != 1 {
		t.Errorf("300 as int8: %v", err)
	}
	if _, err := c.Compute(columns, 5, []int32{0, 1}); !errors.As(err, &value) || value.Row != 1 {
		t.Errorf("300 as int8, selected: %v", err)
	}
	data, err := c.Compute(columns, 5, []int32{0, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	got := array.NewInt8Data(data)
	if got.Len() != 5 || got.Value(0) != 7 || got.Value(2) != 9 || !got.IsNull(3) || got.Value(4) != -1 {
		t.Errorf("got %v", got)
	}
}

// A bucket that begins between two seconds begins at the same instant in a
// batch of seconds and in one of milliseconds.
func TestBucketsOfSeveralUnits(t *testing.T) {
	scope := Scope{Columns: []Column{{Name: "x", Type: &arrow.TimestampType{Unit: arrow.Millisecond}}}}
	c := bindComputed(t, "time_bucket(1500ms, x)", scope).NewComputer()
	for typ, want := range map[string]string{"timestamp[s]": "timestamp[ms]", "timestamp[ms]": "timestamp[ms]"} {
		recs, err := arrowtest.Must("x " + typ + "\n1970-01-01T00:00:02\n1970-01-01T00:00:03").Records()
		if err != nil {
			t.Fatal(err)
		}
		data, err := c.Compute([]arrow.ArrayData{recs[0].Column(0).Data()}, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		a := array.NewTimestampData(data)
		if a.DataType().String() != want || a.Value(0) != 1500 || a.Value(1) != 3000 {
			t.Errorf("%s: %s %v", typ, a.DataType(), a)
		}
	}
}

// An expression may be the name of a column, however it is written.
func TestWrittenColumns(t *testing.T) {
	scope := Scope{Columns: []Column{
		{Name: "total", Type: arrow.PrimitiveTypes.Int64, Written: "sum(x)"},
		{Name: "slot", Type: &arrow.TimestampType{}, Written: "time_bucket(15m, ts)"},
		{Name: "n", Type: arrow.PrimitiveTypes.Int64, Written: "count(*)"},
	}}
	for src, want := range map[string]int{
		`total > 1`: 0, `sum(x) > 1`: 0, `SUM( "x" ) > 1`: 0, `time_bucket(15m, "ts") is null`: 1, "count(*) = 0": 2, "count() = 0": 2,
	} {
		e, err := syntax.ParseCondition(src)
		if err != nil {
			t.Fatal(err)
		}
		c, err := BindCondition(src, e, scope)
		if err != nil || len(c.Uses()) != 1 || c.Uses()[0] != want {
			t.Errorf("%s: %v, uses %v, want %d", src, err, c.Uses(), want)
		}
	}
}

// A slice of runs begins at the run that its first row lies in.
func TestSlicesOfRuns(t *testing.T) {
	s := arrowtest.Must("x run_end_encoded<int32, int64>\n1\n1\n2\n3\n3\n3\n4")
	recs, err := s.Records()
	if err != nil {
		t.Fatal(err)
	}
	e, err := syntax.ParseCondition("x >= 3")
	if err != nil {
		t.Fatal(err)
	}
	c, err := BindCondition("x >= 3", e, Scope{Columns: []Column{{Name: "x", Type: arrow.PrimitiveTypes.Int64}}})
	if err != nil {
		t.Fatal(err)
	}
	f := c.NewFilter()
	for from, want := range map[int64]int{0: 4, 2: 4, 3: 4, 5: 2, 6: 1, 7: 0} {
		part := array.NewSlice(recs[0].Column(0), from, 7)
		rows, all, err := f.Select([]arrow.ArrayData{part.Data()}, 7-from)
		if all {
			rows = make([]int32, 7-from)
		}
		if err != nil || len(rows) != want {
			t.Errorf("from %d: %d rows, want %d, %v", from, len(rows), want, err)
		}
	}
}
