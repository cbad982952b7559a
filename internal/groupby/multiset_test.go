package groupby

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// holisticAnd are the holistic functions, and some that have states.
func holisticAnd(names ...string) (list []Function) {
	for _, name := range append(names, "count_distinct", "median", "quantile", "count_distinct") {
		f, _ := Lookup(name)
		list = append(list, *f)
	}
	return list
}

func TestHolisticSpecs(t *testing.T) {
	rounds := uint64(20)
	if testing.Short() {
		rounds = 4
	}
	first := rand.Uint64()
	for seed := first; seed < first+rounds; seed++ {
		rng := rand.New(rand.NewPCG(seed, 2))
		r := randomSpecOf(rng, holisticAnd("sum", "count", "first"))
		shareColumns(rng, &r)
		checkTable(t, seed, rng, r)
	}
}

// shareColumns lets some aggregates read the columns of others, or of keys, and
// a key the column of another.
func shareColumns(rng *rand.Rand, r *randomTable) {
	if n := len(r.spec.Keys); n > 1 && rng.IntN(2) == 0 {
		from := r.spec.Keys[rng.IntN(n)]
		to := &r.spec.Keys[rng.IntN(n)]
		if arrow.TypeEqual(from.Type, to.Type) {
			to.Column = from.Column
		}
	}
	for i := range r.spec.Aggregates {
		if a := &r.spec.Aggregates[i]; a.Function.Name == "count_distinct" && len(r.spec.Keys) > 0 && rng.IntN(2) == 0 {
			a.Arguments = []int{r.spec.Keys[rng.IntN(len(r.spec.Keys))].Column}
			continue
		}
		a, b := &r.spec.Aggregates[i], &r.spec.Aggregates[rng.IntN(len(r.spec.Aggregates))]
		if len(a.Arguments) != 1 || len(b.Arguments) != 1 || a.Type != b.Type {
			continue
		}
		types := []arrow.DataType{r.spec.Columns[b.Arguments[0]].Type}
		if out, err := a.Function.Bind(types, BindOptions{}); err == nil && out == a.Type {
			a.Arguments = b.Arguments
		}
	}
}

// TestSpilledValuesMergeExactly: parts of a table, exported as to files of one's
// own, several rows a key, and merged in any order and any tree, are what one
// run over the table gives. A key's rows may come apart, in batches of any size.
func TestSpilledValuesMergeExactly(t *testing.T) {
	rounds := uint64(30)
	if testing.Short() {
		rounds = 6
	}
	first := rand.Uint64()
	for seed := first; seed < first+rounds; seed++ {
		rng := rand.New(rand.NewPCG(seed, 6))
		r := randomSpecOf(rng, holisticAnd("sum", "count", "max", "last", "ratio"))
		shareColumns(rng, &r)
		spilling, err := r.spec.Spilling()
		if err != nil {
			t.Fatal(err)
		}
		parts := deal(rng, r.table, 6)
		way := func(input int) feeding {
			f := feedings[rng.IntN(len(feedings))]
			f.input = input
			return f
		}
		_, want, wantErr := way(0).run(rng, r.spec, r.table)
		var streams [][]byte
		for i, part := range parts {
			_, stream, err := way(i).run(rng, spilling, part)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			streams = append(streams, stream)
		}
		for len(streams) > 2 {
			rng.Shuffle(len(streams), func(i, j int) { streams[i], streams[j] = streams[j], streams[i] })
			n := 1 + rng.IntN(2)
			stream, err := merge(t, spilling.Merging(), 1+rng.IntN(3), streams[:n]...)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			streams = append(streams[n:], stream)
		}
		got, gotErr := merge(t, r.spec.Merging(), 2, streams...)
		if (gotErr == nil) != (wantErr == nil) || gotErr != nil && gotErr.Error() != wantErr.Error() {
			t.Fatalf("seed %d: error %v, want %v", seed, gotErr, wantErr)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("seed %d: %v: merged values are not the bytes of one run", seed, names(r.spec))
		}
	}
}

// TestPartialResultsHaveNoValues: what users pass on is a row a group.
func TestPartialResultsHaveNoValues(t *testing.T) {
	for _, f := range holisticAnd() {
		_, err := one(f.Name, arrow.PrimitiveTypes.Int64).Exporting()
		var not *NotPortableError
		if !errors.As(err, &not) || not.Function != f.Name {
			t.Errorf("%s: error %v", f.Name, err)
		}
	}
}

func TestForgedValues(t *testing.T) {
	i64, f64, str := arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64, arrow.BinaryTypes.String
	for _, c := range []struct {
		name     string
		function string
		typ      arrow.DataType
		state    []any
		refused  bool
	}{
		{"a value", "median", i64, []any{int64(5), int64(1)}, false},
		{"no value", "median", i64, []any{nil, nil}, false},
		{"none of a value", "median", i64, []any{int64(5), int64(0)}, true},
		{"fewer than none", "median", i64, []any{int64(5), int64(-1)}, true},
		{"no count", "median", i64, []any{int64(5), nil}, true},
		{"a count of nothing", "median", i64, []any{nil, int64(1)}, true},
		{"a float", "median", f64, []any{0x1p53, int64(1), int64(2)}, false},
		{"a float of two parts that is one", "median", f64, []any{0.5, int64(1), int64(2)}, true},
		{"half a float", "median", f64, []any{0.5, nil, int64(2)}, true},
		{"a string", "count_distinct", str, []any{"a", int64(3)}, false},
		{"no string", "count_distinct", str, []any{"\xff", int64(3)}, true},
	} {
		spec := one(c.function, c.typ)
		spilling, err := spec.Spilling()
		if err != nil {
			t.Fatal(err)
		}
		columns := []arrow.ArrayData{text("a")}
		for k, v := range c.state {
			columns = append(columns, makeArray(spilling.Output.Field(1+k).Type, []any{v}).Data())
		}
		err = newEngine(t, spec.Merging(), Options{}).NewWorker().Update(columns, 1, nil)
		var value *ValueError
		if errors.As(err, &value) != c.refused {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}

// TestValuesAreExact: integers above 2^53 are told apart, also among doubles,
// and only the answer is rounded.
func TestValuesAreExact(t *testing.T) {
	i64, u64, f64 := arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Uint64, arrow.PrimitiveTypes.Float64
	d256 := &arrow.Decimal256Type{Precision: 76, Scale: 2}
	near := int64(1) << 53
	negativeZero, otherNaN := math.Copysign(0, -1), math.Float64frombits(0xfff8_0000_0000_0001)
	for _, c := range []struct {
		function string
		typ      arrow.DataType // of the column
		in       arrow.DataType // of the batch
		cells    []any
		want     any
	}{
		{"count_distinct", i64, i64, []any{near, near + 1, near, nil}, int64(2)},
		{"count_distinct", f64, i64, []any{near, near + 1}, int64(2)},
		{"count_distinct", f64, u64, []any{uint64(math.MaxUint64), uint64(math.MaxUint64 - 1)}, int64(2)},
		{"count_distinct", f64, f64, []any{0.0, negativeZero, math.NaN(), -math.NaN(), otherNaN}, int64(2)},
		{"count_distinct", i64, i64, []any{nil, nil}, int64(0)},
		{"count_distinct", arrow.Null, arrow.Null, []any{nil, nil}, int64(0)},
		{"median", i64, i64, []any{near + 1, near + 3}, float64(near + 2)},
		{"median", f64, i64, []any{near + 1, near + 3}, float64(near + 2)},
		{"median", i64, i64, []any{int64(math.MaxInt64), int64(math.MaxInt64 - 1025)}, 0x1p63 - 1024},
		{"median", u64, u64, []any{uint64(math.MaxUint64), uint64(math.MaxUint64)}, 0x1p64},
		{"median", f64, f64, []any{math.MaxFloat64, math.MaxFloat64 / 2}, 0.75 * math.MaxFloat64},
		{"median", f64, f64, []any{negativeZero}, 0.0},
		{"median", f64, f64, []any{-1.5, 1.5}, 0.0},
		{"median", f64, f64, []any{1.0, math.NaN(), 2.0}, 2.0},
		{"median", f64, f64, []any{1.0, math.NaN()}, math.NaN()},
		{"median", f64, f64, []any{math.Inf(-1), math.Inf(1)}, math.NaN()},
		{"median", f64, f64, []any{math.Inf(-1), 1.0}, math.Inf(-1)},
		{"median", f64, f64, []any{math.Inf(1), math.Inf(1)}, math.Inf(1)},
		{"median", d256, d256, []any{tenTo(75), new(big.Int).Add(tenTo(75), big.NewInt(1))}, 1e73},
		{"median", i64, i64, []any{nil}, nil},
	} {
		spec := one(c.function, c.typ)
		e := newEngine(t, spec, Options{Threads: 1})
		keys := make([]any, len(c.cells))
		for i := range keys {
			keys[i] = "a"
		}
		if err := updateAll(t, e, int64(len(keys)), text(keys...), makeArray(c.in, c.cells).Data()); err != nil {
			t.Fatal(err)
		}
		if got, want := show(rowsOf(t, spec, e)), show([][]any{{"a", c.want}}); got != want {
			t.Errorf("%s of %v: got %swant %s", c.function, c.cells, got, want)
		}
	}
}

// TestOneRunOfValues: a column that is one run for all rows is one value so many
// times.
func TestOneRunOfValues(t *testing.T) {
	spec := one("count_distinct", arrow.BinaryTypes.String)
	e := newEngine(t, spec, Options{Threads: 1})
	w := e.NewWorker()
	for _, value := range []string{"x", "y", "x"} {
		if err := w.Update([]arrow.ArrayData{oneRun("a", 1e15), oneRun(value, 1e15)}, 1e15, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := show(rowsOf(t, spec, e)), show([][]any{{"a", int64(2)}}); got != want {
		t.Fatalf("got %s want %s", got, want)
	}
}

// TestMemoryFollowsDistinctValues: values that repeat are folded while rows come
// in.
func TestMemoryFollowsDistinctValues(t *testing.T) {
	spec := one("median", arrow.PrimitiveTypes.Int64)
	tuned := defaultTuning()
	tuned.compactRows = 10_000
	e := newEngine(t, spec, Options{Threads: 1, tuning: &tuned})
	w := e.NewWorker()
	keys, cells := make([]any, 1000), make([]any, 1000)
	for i := range keys {
		keys[i], cells[i] = string(rune('a'+i%7)), int64(i)
	}
	batch := []arrow.ArrayData{text(keys...), makeArray(arrow.PrimitiveTypes.Int64, cells).Data()}
	for range 300 {
		if err := w.Update(batch, 1000, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := w.multisets[0].len(); n > 20_000 {
		t.Errorf("%d rows are kept of 1,000 different ones", n)
	}
}

func TestPortions(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0/1", "1": "1/1", "0.5": "1/2", ".25": "1/4", "1.000": "1/1", "0.990": "99/100", "00.1": "1/10",
		"0.999999999999999999": "999999999999999999/1000000000000000000",
		"":                     "", ".": "", "1.1": "", "2": "", "-0.5": "", "+0.5": "", "1e-3": "", "0.5x": "", "x": "",
		"0.9999999999999999999": "", "99999999999999999999999999": "", "NaN": "",
	} {
		p, err := parsePortion(text)
		got := ""
		if err == nil {
			got = big.NewInt(int64(p.part)).String() + "/" + big.NewInt(int64(p.whole)).String()
		}
		if got != want {
			t.Errorf("%q: %s, %v, want %s", text, got, err, want)
		}
	}
}
