package groupby

import (
	"math"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

func TestTiesGoToTheLeastX(t *testing.T) {
	i64, str := arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String
	keys := []any{"a", "a", "a", "b", "b", "c", "d", "d"}
	x := []any{int64(9), int64(-3), int64(5), nil, int64(1), int64(1), nil, nil}
	by := []any{int64(2), int64(2), int64(2), int64(0), int64(0), nil, int64(1), int64(2)}
	for _, name := range []string{"arg_min", "arg_max"} {
		checkPair(t, pairSpec(name, i64, i64), keys, x, by,
			[][]any{{"a", int64(-3)}, {"b", int64(1)}, {"c", nil}, {"d", nil}})
	}
	// Strings: one that begins another comes before it, zero bytes or not.
	keys = []any{"a", "a", "a", "a"}
	names := []any{"n\x00b", "n", "n\x00", "m"}
	for name, want := range map[string]string{"arg_min": "m", "arg_max": "n\x00b"} {
		checkPair(t, pairSpec(name, str, str), keys, names, names, [][]any{{"a", want}})
		same := []any{"s", "s", "s", "s"}
		checkPair(t, pairSpec(name, str, str), keys, names, same, [][]any{{"a", "m"}})
	}
	checkPair(t, pairSpec("arg_max", str, i64), []any{"a", "a", "a"}, []any{"n\x00", "n", "o"},
		[]any{int64(1), int64(1), int64(0)}, [][]any{{"a", "n"}})
}

// TestIntegersAmongFloatsAreComparedExactly: 2^53 and 2^53 + 1 are one double.
func TestIntegersAmongFloatsAreComparedExactly(t *testing.T) {
	f64, i64 := arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Int64
	high := int64(math.MaxInt64)
	spec := pairSpec("arg_max", i64, f64)
	e := newEngine(t, spec, Options{Threads: 1})
	w := e.NewWorker()
	for _, by := range [][]any{{int64(1 << 53), int64(1<<53 + 1)}, {high, high - 1}, {-high - 1, -high}} {
		columns := []arrow.ArrayData{text("a", "a"), makeArray(i64, []any{int64(1), by[1]}).Data(), makeArray(i64, by).Data()}
		if by[0] == high {
			columns[0] = text("b", "b")
		} else if by[0] != int64(1<<53) {
			columns[0] = text("c", "c")
		}
		if err := w.Update(columns, 2, nil); err != nil {
			t.Fatal(err)
		}
	}
	unsigned := makeArray(arrow.PrimitiveTypes.Uint64, []any{uint64(math.MaxUint64), uint64(math.MaxUint64 - 1)}).Data()
	if err := w.Update([]arrow.ArrayData{text("d", "d"), makeArray(i64, []any{int64(7), int64(1)}).Data(), unsigned}, 2, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := [][]any{{"a", int64(1<<53 + 1)}, {"b", int64(1)}, {"c", -high}, {"d", int64(7)}}
	if got, want := show(rowsOf(t, spec, e)), show(want); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestAbsorbedChoicesKeepWhatADoubleWouldRoundAway: the least `by` of the
// integers is one row, also where both become one double.
func TestAbsorbedChoicesKeepWhatADoubleWouldRoundAway(t *testing.T) {
	f64, i64 := arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Int64
	for _, x := range []arrow.DataType{i64, f64} {
		narrow, wide := pairSpec("arg_min", i64, i64), pairSpec("arg_min", x, f64)
		a, b := newEngine(t, narrow, Options{Threads: 1}), newEngine(t, wide, Options{Threads: 1})
		key := text("a")
		value := func(t arrow.DataType, v any) arrow.ArrayData { return makeArray(t, []any{v}).Data() }
		if err := updateAll(t, a, 1, key, value(i64, int64(5)), value(i64, int64(1<<53))); err != nil {
			t.Fatal(err)
		}
		if err := updateAll(t, b, 1, key, value(i64, int64(1)), value(i64, int64(1<<53+1))); err != nil {
			t.Fatal(err)
		}
		if err := b.Absorb(a); err != nil {
			t.Fatal(err)
		}
		want := any(int64(5))
		if x == f64 {
			want = 5.0
		}
		if got, want := show(rowsOf(t, wide, b)), show([][]any{{"a", want}}); got != want {
			t.Errorf("%s: got %s want %s", x, got, want)
		}
	}
}

// TestChoicesAmongFloatsTravelExactly: as states too, 2^53 and 2^53 + 1 are
// different, whatever the type of x and its length.
func TestChoicesAmongFloatsTravelExactly(t *testing.T) {
	f64, i64, str := arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String
	for _, c := range []struct {
		x         arrow.DataType
		low, high any
	}{{i64, int64(1), int64(2)}, {str, "a", "b"}} {
		for name, want := range map[string]any{"arg_min": c.low, "arg_max": c.high} {
			spec := pairSpec(name, c.x, f64)
			exporting, err := spec.Exporting()
			if err != nil {
				t.Fatal(err)
			}
			var streams [][]byte
			for k, x := range []any{c.high, c.low} {
				e := newEngine(t, exporting, Options{Threads: 1})
				by := makeArray(i64, []any{int64(1<<53 + 1 - k)}).Data()
				if err := updateAll(t, e, 1, text("a"), makeArray(c.x, []any{x}).Data(), by); err != nil {
					t.Fatal(err)
				}
				stream, err := streamOf(exporting, e)
				if err != nil {
					t.Fatal(err)
				}
				streams = append(streams, stream)
			}
			for range 2 {
				stream, err := merge(t, spec.Merging(), 1, streams...)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := show(shownRows(t, stream)), show([][]any{{"a", want}}); got != want {
					t.Errorf("%s of %s: got %s want %s", name, c.x, got, want)
				}
				slices.Reverse(streams)
			}
		}
	}
}

func TestFirstAndLastFollowOrdinals(t *testing.T) {
	for _, typ := range []arrow.DataType{arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String} {
		cell := func(s string) any {
			if typ.ID() == arrow.STRING {
				return s
			}
			return int64(len(s))
		}
		for name, want := range map[string]any{"first": cell("ccc"), "last": cell("dddd")} {
			spec := one(name, typ)
			e := newEngine(t, spec, Options{Threads: 2})
			v, w := e.NewWorker(), e.NewWorker()
			feed := func(w *Worker, input int, row int64, cells ...any) {
				t.Helper()
				keys := make([]any, len(cells))
				for i := range keys {
					keys[i] = "a"
				}
				if err := w.SetOrdinal(input, row); err != nil {
					t.Fatal(err)
				}
				if err := w.Update([]arrow.ArrayData{text(keys...), makeArray(typ, cells).Data()}, int64(len(cells)), nil); err != nil {
					t.Fatal(err)
				}
			}
			feed(v, 2, 0, cell("b"), cell("dddd"), nil)
			feed(w, 0, 1<<40, nil, cell("ccc"))
			feed(w, 1, 0, cell("a"))
			if err := v.SetOrdinal(1<<20, 0); err == nil {
				t.Error("no error for a position past the ordinals")
			}
			if err := v.SetOrdinal(0, 1<<44-1); err == nil {
				t.Error("no error for a row past the ordinals")
			}
			for _, w := range []*Worker{v, w} {
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := show(rowsOf(t, spec, e)), show([][]any{{"a", want}}); got != want {
				t.Errorf("%s: got %s want %s", name, got, want)
			}
		}
	}
}
