package groupby

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// specOf builds a spec from "name type" columns: keys first, then aggregates
// written as in -a.
func specOf(keys []Column, aggregates ...Aggregate) Spec {
	spec := Spec{}
	var fields []arrow.Field
	for i, k := range keys {
		spec.Columns = append(spec.Columns, k)
		out := outputKeyType(valueType(k.Type))
		spec.Keys = append(spec.Keys, Key{Column: i, Type: out})
		spec.Order = append(spec.Order, Ref{Index: i})
		fields = append(fields, arrow.Field{Name: k.Name, Type: out, Nullable: true})
	}
	spec.Aggregates = aggregates
	for i, a := range aggregates {
		spec.Order = append(spec.Order, Ref{Aggregate: true, Index: i})
		fields = append(fields, arrow.Field{Name: a.Name, Type: a.Type, Nullable: true})
	}
	spec.Output = arrow.NewSchema(fields, nil)
	return spec
}

// aggregate is a call of a function over one column, which is added to spec.
func aggregateOf(spec *Spec, function string, t arrow.DataType) Aggregate {
	f, _ := Lookup(function)
	a := Aggregate{Function: f, Name: function}
	if t != nil {
		spec.Columns = append(spec.Columns, Column{Name: "v", Type: t})
		a.Arguments = []int{len(spec.Columns) - 1}
		a.Type, _ = f.Bind([]arrow.DataType{t}, BindOptions{})
	} else {
		a.Type, _ = f.Bind(nil, BindOptions{})
	}
	return a
}

// one builds a spec of one string key and one aggregate.
func one(function string, t arrow.DataType) Spec {
	spec := specOf([]Column{{Name: "host", Type: arrow.BinaryTypes.String}})
	a := aggregateOf(&spec, function, t)
	columns := spec.Columns
	spec = specOf(columns[:1], a)
	spec.Columns = columns
	return spec
}

func updateAll(t *testing.T, e *Engine, rows int64, columns ...arrow.ArrayData) error {
	t.Helper()
	w := e.NewWorker()
	if err := w.Update(columns, rows, nil); err != nil {
		return err
	}
	return w.Close()
}

func text(cells ...any) arrow.ArrayData { return makeArray(arrow.BinaryTypes.String, cells).Data() }

func TestNullEmptyAndTheWordNULLAreThreeGroups(t *testing.T) {
	spec := one("sum", arrow.PrimitiveTypes.Int64)
	e := newEngine(t, spec, Options{Threads: 1})
	values := makeArray(arrow.PrimitiveTypes.Int64, []any{int64(1), int64(2), int64(4), int64(8)}).Data()
	if err := updateAll(t, e, 4, text(nil, "", "NULL", nil), values); err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(t, spec, e)
	want := show([][]any{{"", int64(2)}, {"NULL", int64(4)}, {nil, int64(9)}})
	if got := show(rows); got != want {
		t.Fatalf("got\n%swant\n%s", got, want)
	}
}

func rowsOf(t *testing.T, spec Spec, e *Engine) [][]any {
	t.Helper()
	result, err := e.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	rows, _, err := drain(spec, result)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestRowsWithoutValuesCostNothing: 1e15 rows of nothing, counted at once.
func TestRowsWithoutValuesCostNothing(t *testing.T) {
	spec := specOf(nil, aggregateOf(&Spec{}, "count", nil))
	e := newEngine(t, spec, Options{Threads: 1})
	w := e.NewWorker()
	for range 3 {
		if err := w.Update(nil, 1e15, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := show(rowsOf(t, spec, e)), show([][]any{{int64(3e15)}}); got != want {
		t.Fatalf("got %s want %s", got, want)
	}
}

func TestAbsentColumnsGroupAsNull(t *testing.T) {
	spec := one("count", nil)
	e := newEngine(t, spec, Options{Threads: 1})
	if err := updateAll(t, e, 1e15, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := show(rowsOf(t, spec, e)), show([][]any{{nil, int64(1e15)}}); got != want {
		t.Fatalf("got %s want %s", got, want)
	}
}

func TestCountsAreCheckedForOverflow(t *testing.T) {
	spec := one("count", nil)
	e := newEngine(t, spec, Options{Threads: 1})
	w := e.NewWorker()
	for range 10_000 {
		if err := w.Update([]arrow.ArrayData{nil}, 1e15, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := e.Finish(context.Background())
	var o *OverflowError
	if !errors.As(err, &o) || o.Function != "count" || o.Group != "host=NULL" {
		t.Fatalf("error %v", err)
	}
}

func TestOverflowNamesTheFirstGroup(t *testing.T) {
	spec := one("sum", arrow.PrimitiveTypes.Int64)
	e := newEngine(t, spec, Options{Threads: 2})
	big := int64(math.MaxInt64)
	values := makeArray(arrow.PrimitiveTypes.Int64, []any{big, big, big, big, int64(-5), int64(1)}).Data()
	if err := updateAll(t, e, 6, text("z", "z", "c,d", "c,d", "a", "a"), values); err != nil {
		t.Fatal(err)
	}
	_, err := e.Finish(context.Background())
	const want = `sum for column "sum" does not fit int64 in group host="c,d"`
	if err == nil || err.Error() != want {
		t.Fatalf("error %v, want %s", err, want)
	}
}

// TestSumsMayLeaveTheTypeAndComeBack, in whatever order and worker.
func TestSumsMayLeaveTheTypeAndComeBack(t *testing.T) {
	spec := one("sum", arrow.PrimitiveTypes.Int64)
	e := newEngine(t, spec, Options{Threads: 2})
	for _, v := range []int64{math.MaxInt64, math.MinInt64} {
		values := makeArray(arrow.PrimitiveTypes.Int64, []any{v, v, v}).Data()
		if err := updateAll(t, e, 3, text("a", "a", "a"), values); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := show(rowsOf(t, spec, e)), show([][]any{{"a", int64(-3)}}); got != want {
		t.Fatalf("got %s want %s", got, want)
	}
}

func TestMixedSignednessSumsExactly(t *testing.T) {
	spec := one("sum", arrow.PrimitiveTypes.Int64)
	e := newEngine(t, spec, Options{Threads: 1})
	unsigned := makeArray(arrow.PrimitiveTypes.Uint64, []any{uint64(math.MaxUint64), uint64(1 << 63)}).Data()
	low := int64(math.MinInt64)
	signed := makeArray(arrow.PrimitiveTypes.Int64, []any{low, low}).Data()
	rest := makeArray(arrow.PrimitiveTypes.Int64, []any{low, int64(5)}).Data()
	for _, c := range []arrow.ArrayData{unsigned, signed, rest} {
		if err := updateAll(t, e, 2, text("a", "a"), c); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := show(rowsOf(t, spec, e)), show([][]any{{"a", int64(4)}}); got != want {
		t.Fatalf("got %s want %s", got, want)
	}
}

func TestInvalidUTF8IsAnError(t *testing.T) {
	spec := one("max", arrow.BinaryTypes.String)
	good := text("a", "b", "c")
	bad := makeArray(arrow.BinaryTypes.String, []any{"a", "b", "\xff\xfe"}).Data()
	for name, columns := range map[string][]arrow.ArrayData{"key": {bad, good}, "value": {good, bad}} {
		e := newEngine(t, spec, Options{Threads: 1})
		err := updateAll(t, e, 3, columns...)
		var v *ValueError
		if !errors.As(err, &v) || v.Row != 2 || !strings.Contains(err.Error(), "UTF-8") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestUnitsThatDoNotFit(t *testing.T) {
	ns := &arrow.TimestampType{Unit: arrow.Nanosecond}
	spec := one("max", ns)
	e := newEngine(t, spec, Options{Threads: 1})
	seconds := makeArray(&arrow.TimestampType{Unit: arrow.Second}, []any{int64(5), nil, int64(1 << 40)}).Data()
	err := updateAll(t, e, 3, text("a", "a", "a"), seconds)
	const want = `column "v": timestamp[s] 1099511627776 is no timestamp[ns]`
	var value *ValueError
	if !errors.As(err, &value) || value.Row != 2 || err.Error() != want {
		t.Fatalf("error %v, want %s", err, want)
	}
}

// A worker whose batch had a bad value finds those of the next one, also where
// both share a dictionary that was being read when it failed.
func TestErrorsAfterAnError(t *testing.T) {
	spec := one("count", nil)
	w := newEngine(t, spec, Options{Threads: 1}).NewWorker()
	dt := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	bad := text("a", "\xff", "b", "\xfe").(*array.Data)
	indices := func(of ...int8) arrow.ArrayData {
		buffers := []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int8Traits.CastToBytes(of))}
		return array.NewDataWithDictionary(dt, len(of), buffers, 0, 0, bad)
	}
	for _, c := range []struct {
		indices []int8
		row     int64 // of the error, -1 if there is none
	}{{[]int8{0, 2, 1}, 2}, {[]int8{1}, 0}, {[]int8{0, 0}, -1}, {[]int8{2, 0, 3}, 2}, {[]int8{0, 2}, -1}} {
		err := w.Update([]arrow.ArrayData{indices(c.indices...)}, int64(len(c.indices)), nil)
		var value *ValueError
		if errors.As(err, &value) != (c.row >= 0) || value != nil && value.Row != c.row {
			t.Errorf("%v: error %v, want row %d", c.indices, err, c.row)
		}
	}
}

func TestBool8IsABoolean(t *testing.T) {
	spec := one("max", arrow.FixedWidthTypes.Boolean)
	e := newEngine(t, spec, Options{Threads: 1})
	values := makeArray(arrow.PrimitiveTypes.Int8, []any{int64(0), int64(-7)}).Data()
	if err := updateAll(t, e, 2, text("a", "b"), values); err != nil {
		t.Fatal(err)
	}
	if got, want := show(rowsOf(t, spec, e)), show([][]any{{"a", int64(0)}, {"b", int64(1)}}); got != want {
		t.Fatalf("got %s want %s", got, want)
	}
}

func TestNoRows(t *testing.T) {
	spec := one("sum", arrow.PrimitiveTypes.Int64)
	e := newEngine(t, spec, Options{Threads: 1})
	result, err := e.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	if _, err := result.Next(context.Background()); err != io.EOF || result.Groups() != 0 {
		t.Fatalf("%d groups, error %v", result.Groups(), err)
	}
	total := Spec{}
	total = specOf(nil, aggregateOf(&total, "count", nil))
	if got, want := show(rowsOf(t, total, newEngine(t, total, Options{Threads: 1}))), show([][]any{{int64(0)}}); got != want {
		t.Fatalf("got %s want %s", got, want)
	}
}

// TestBatchesAreCutByBytes: no column of a batch is longer than offsets reach.
func TestBatchesAreCutByBytes(t *testing.T) {
	tuned := defaultTuning()
	tuned.batchRows, tuned.batchBytes = 10, 25
	spec := one("max", arrow.BinaryTypes.String)
	e := newEngine(t, spec, Options{Threads: 2, tuning: &tuned})
	var keys, values []any
	for i := range 40 {
		keys = append(keys, fmt.Sprintf("%02d%s", i, strings.Repeat("k", i%7)))
		values = append(values, strings.Repeat("v", i%20))
	}
	if err := updateAll(t, e, 40, text(keys...), text(values...)); err != nil {
		t.Fatal(err)
	}
	result, err := e.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	total, full := int64(0), 0
	for {
		b, err := result.Next(context.Background())
		if err == io.EOF {
			break
		}
		for c := range 2 {
			d := b.Column(c).Data()
			if n := d.Buffers()[2].Len(); n > 25 {
				t.Fatalf("column %d of a batch has %d bytes", c, n)
			}
		}
		if b.NumRows() == 10 {
			full++
		}
		total += b.NumRows()
		b.Release()
	}
	if total != 40 {
		t.Fatalf("%d rows", total)
	}
}

// TestSteadyStateAllocatesNothing: batches of known groups are folded without
// allocation.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, q := range benchQueries {
		if q.name == "q10" || q.name == "s1" {
			continue // many groups: rows are kept, which takes memory
		}
		spec, batches := q.prepare(benchBatch)
		e := newEngine(t, spec, Options{Threads: 1})
		w := e.NewWorker()
		update := func() {
			if err := w.Update(batches[0], benchBatch, nil); err != nil {
				t.Fatal(err)
			}
		}
		update()
		if n := testing.AllocsPerRun(5, update); n > 0 {
			t.Errorf("%s: %v allocations a batch", q.name, n)
		}
	}
}
