package groupby

import (
	"bytes"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// deal cuts a table into parts, some of them empty, and puts its rows in the
// order of the parts: they are the inputs of one run.
func deal(rng *rand.Rand, table [][]any, parts int) [][][]any {
	dealt := make([][][]any, parts)
	for p := range dealt {
		dealt[p] = make([][]any, len(table))
	}
	if len(table) == 0 {
		return dealt
	}
	for row := range table[0] {
		p := rng.IntN(parts)
		for c := range table {
			dealt[p][c] = append(dealt[p][c], table[c][row])
		}
	}
	for c := range table {
		table[c] = nil
		for p := range dealt {
			table[c] = append(table[c], dealt[p][c]...)
		}
	}
	return dealt
}

// merge runs a spec that merges over partial streams, and returns the result
// as a stream.
func merge(t *testing.T, spec Spec, threads int, streams ...[]byte) ([]byte, error) {
	t.Helper()
	tuned := defaultTuning()
	tuned.batchRows = 777
	e := newEngine(t, spec, Options{Threads: threads, tuning: &tuned, Appends: rand.IntN(2) == 0})
	workers := make([]*Worker, threads)
	for i := range workers {
		workers[i] = e.NewWorker()
	}
	for i, s := range streams {
		if len(s) == 0 { // no groups
			continue
		}
		r, err := ipc.NewReader(bytes.NewReader(s))
		if err != nil {
			t.Fatal(err)
		}
		for r.Next() {
			var columns []arrow.ArrayData
			for _, c := range r.RecordBatch().Columns() {
				columns = append(columns, c.Data())
			}
			if err := workers[i%threads].Update(columns, r.RecordBatch().NumRows(), nil); err != nil {
				return nil, err
			}
		}
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
		r.Release()
	}
	for _, w := range workers {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return streamOf(spec, e)
}

// TestPartialsMergeExactly: 16 parts of a table, exported, and merged in any
// order and any tree, are what one run over the table gives, byte for byte. So
// is the partial result of all: how it came about does not show.
func TestPartialsMergeExactly(t *testing.T) {
	rounds := uint64(25)
	if testing.Short() {
		rounds = 8
	}
	first := rand.Uint64()
	for seed := first; seed < first+rounds; seed++ {
		checkPartials(t, seed)
	}
}

func checkPartials(t *testing.T, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 5))
	r := randomSpec(rng)
	exporting, err := r.spec.Exporting()
	var not *NotPortableError
	if errors.As(err, &not) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	way := func(input int) feeding {
		f := feedings[rng.IntN(len(feedings))]
		f.input = input
		return f
	}
	parts := deal(rng, r.table, 16)
	_, want, wantErr := way(0).run(rng, r.spec, r.table)
	var streams [][]byte
	for i, part := range parts {
		_, stream, err := way(i).run(rng, exporting, part)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		streams = append(streams, stream)
	}
	merging, again := r.spec.Merging(), exporting.Merging()
	for len(streams) > 4 { // a random tree
		rng.Shuffle(len(streams), func(i, j int) { streams[i], streams[j] = streams[j], streams[i] })
		n := 1 + rng.IntN(4)
		stream, err := merge(t, again, 1+rng.IntN(3), streams[:n]...)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		streams = append(streams[n:], stream)
	}
	got, gotErr := merge(t, merging, 2, streams...)
	if (gotErr == nil) != (wantErr == nil) || gotErr != nil && gotErr.Error() != wantErr.Error() {
		t.Fatalf("seed %d: error %v, want %v", seed, gotErr, wantErr)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("seed %d: %v: merged partial results are not the bytes of one run", seed, names(r.spec))
	}
	all, err := merge(t, again, 2, streams...)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if again, err := merge(t, again, 1, all); err != nil || !bytes.Equal(again, all) {
		t.Fatalf("seed %d: %v: merging shows in the partial result (%v)", seed, names(r.spec), err)
	}
	if ordered(r.spec) {
		return // the states have the ordinals of the inputs, which one run had not
	}
	if _, whole, err := way(0).run(rng, exporting, r.table); err != nil || !bytes.Equal(all, whole) {
		t.Fatalf("seed %d: %v: merging shows in the partial result (%v)", seed, names(r.spec), err)
	}
}

// ordered tells whether some aggregate depends on the order of the rows.
func ordered(spec Spec) bool {
	return slices.ContainsFunc(spec.Aggregates, func(a Aggregate) bool {
		return a.Function.Ordered
	})
}

// TestEveryFunctionTravels: every function in the table, over every type that
// it takes, exports and merges. Those whose state is no few values say so.
func TestEveryFunctionTravels(t *testing.T) {
	for i := range Functions {
		f := &Functions[i]
		for _, typ := range keyTypes {
			types := slices.Repeat([]arrow.DataType{typ}, max(1, f.MinArguments))
			out, err := f.Bind(types, BindOptions{})
			if err != nil {
				continue
			}
			rng := rand.New(rand.NewPCG(uint64(i), 9))
			a := Aggregate{Function: f, Name: f.Name, Type: out}
			table := [][]any{randomCells(rng, arrow.BinaryTypes.String, 300)}
			columns := []Column{{Name: "host", Type: arrow.BinaryTypes.String}}
			for range types {
				a.Arguments = append(a.Arguments, len(columns))
				columns = append(columns, Column{Name: "v", Type: typ})
				cells := make([]any, 300)
				for row := range cells {
					if rng.IntN(3) > 0 {
						cells[row] = randomCell(rng, typ, true)
					}
				}
				table = append(table, cells)
			}
			spec := specOf(columns[:1], a)
			spec.Columns = columns
			exporting, err := spec.Exporting()
			var not *NotPortableError
			if errors.As(err, &not) {
				if not.Function != f.Name {
					t.Errorf("%s of %s: %v", f.Name, typ, err)
				}
				continue
			}
			parts := deal(rng, table, 5)
			_, want, wantErr := feedings[0].run(rng, spec, table)
			var streams [][]byte
			for i, part := range parts {
				way := feedings[0]
				way.input = i
				_, stream, err := way.run(rng, exporting, part)
				if err != nil {
					t.Fatalf("%s of %s: %v", f.Name, typ, err)
				}
				streams = append(streams, stream)
			}
			got, gotErr := merge(t, spec.Merging(), 1, streams...)
			if (gotErr == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
				t.Errorf("%s of %s: not the result of one run (%v, %v)", f.Name, typ, gotErr, wantErr)
			}
		}
	}
}

// TestSumsLeaveTheirTypeInsideParts: every part alone is past the output type,
// all together fit.
func TestSumsLeaveTheirTypeInsideParts(t *testing.T) {
	nines := new(big.Int).Sub(new(big.Int).Exp(big.NewInt(10), big.NewInt(76), nil), big.NewInt(1))
	for _, c := range []struct {
		typ    arrow.DataType
		up     any
		down   any
		result any
	}{
		{arrow.PrimitiveTypes.Int64, int64(math.MaxInt64), int64(math.MinInt64), int64(-12)},
		{&arrow.Decimal128Type{Precision: 38}, new(big.Int).Set(tenTo(37)), new(big.Int).Neg(tenTo(37)), big.NewInt(0)},
		{&arrow.Decimal256Type{Precision: 76}, nines, new(big.Int).Neg(nines), big.NewInt(0)},
		{arrow.PrimitiveTypes.Float64, math.MaxFloat64, -math.MaxFloat64, 0.0},
	} {
		spec := one("sum", c.typ)
		exporting, err := spec.Exporting()
		if err != nil {
			t.Fatal(err)
		}
		var streams [][]byte
		for _, v := range []any{c.up, c.down} {
			table := [][]any{make([]any, 12), make([]any, 12)}
			for row := range table[0] {
				table[0][row], table[1][row] = "a", v
			}
			_, stream, err := feedings[0].run(rand.New(rand.NewPCG(1, 1)), exporting, table)
			if err != nil {
				t.Fatalf("%s: %v", c.typ, err)
			}
			streams = append(streams, stream)
			_, err = merge(t, spec.Merging(), 1, stream)
			var overflow *OverflowError
			if c.typ.ID() != arrow.FLOAT64 && !errors.As(err, &overflow) {
				t.Errorf("%s: one part: error %v, want an overflow", c.typ, err)
			}
		}
		stream, err := merge(t, spec.Merging(), 1, streams...)
		if err != nil {
			t.Fatalf("%s: %v", c.typ, err)
		}
		want := [][]any{{"a", c.result}}
		if got := shownRows(t, stream); show(got) != show(want) {
			t.Errorf("%s: %s, want %s", c.typ, show(got), show(want))
		}
	}
}

func tenTo(n int64) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(n), nil) }

func shownRows(t *testing.T, stream []byte) (rows [][]any) {
	t.Helper()
	r, err := ipc.NewReader(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	for r.Next() {
		b := r.RecordBatch()
		for i := range int(b.NumRows()) {
			var row []any
			for _, c := range b.Columns() {
				row = append(row, cellsOf(c)[i])
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// TestForgedStates: what no engine exports is refused, with its row.
func TestForgedStates(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	noncanonicalNaN := math.Float64frombits(0x7ff8_0000_0000_0001)
	sum3 := "\x01S\x00\x01\x22\x03\x00\x00\x00" // one digit; a pair would do
	infinite := "\x01S\x01\x00\x00"
	big1 := new(big.Int).Lsh(big.NewInt(1), 64+50)
	for _, c := range []struct {
		name     string
		function string
		typ      arrow.DataType
		state    []any
	}{
		{"a pair that is not canonical", "sum", arrow.PrimitiveTypes.Float64, []any{1.0, 1.0, nil}},
		{"negative zero", "sum", arrow.PrimitiveTypes.Float64, []any{math.Copysign(0, -1), 0.0, nil}},
		{"a pair with NaN", "sum", arrow.PrimitiveTypes.Float64, []any{nan, 0.0, nil}},
		{"half a pair", "sum", arrow.PrimitiveTypes.Float64, []any{1.0, nil, nil}},
		{"the lower half alone", "sum", arrow.PrimitiveTypes.Float64, []any{nil, 1.0, nil}},
		{"both forms", "sum", arrow.PrimitiveTypes.Float64, []any{inf, 0.0, infinite}},
		{"bytes that are no sum", "sum", arrow.PrimitiveTypes.Float64, []any{inf, nil, "x"}},
		{"bytes of another sum", "sum", arrow.PrimitiveTypes.Float64, []any{-inf, nil, infinite}},
		{"bytes where a pair would do", "sum", arrow.PrimitiveTypes.Float64, []any{3.0, nil, sum3}},
		{"another NaN", "sum", arrow.PrimitiveTypes.Float64, []any{noncanonicalNaN, nil, "\x01S\x04\x00\x00"}},
		{"more than rows can sum up to", "sum", arrow.PrimitiveTypes.Int64, []any{big1}},
		{"less than rows can sum up to", "sum", arrow.PrimitiveTypes.Uint64, []any{new(big.Int).Neg(new(big.Int).Lsh(big1, 1))}},
		{"77 digits", "sum", &arrow.Decimal256Type{Precision: 76}, []any{tenTo(76), int64(0)}},
		{"two signs", "sum", &arrow.Decimal256Type{Precision: 76}, []any{big.NewInt(1), int64(-1)}},
		{"no second column", "sum", &arrow.Decimal256Type{Precision: 76}, []any{big.NewInt(1), nil}},
		{"too many multiples", "sum", &arrow.Decimal256Type{Precision: 76}, []any{big.NewInt(1), int64(1) << 50}},
		{"decimals past all rows", "sum", &arrow.Decimal128Type{Precision: 38}, []any{tenTo(70)}},
		{"a negative count", "count", arrow.PrimitiveTypes.Int64, []any{int64(-1)}},
		{"no count", "count", arrow.PrimitiveTypes.Int64, []any{nil}},
		{"a mean of nothing", "mean", arrow.PrimitiveTypes.Int64, []any{big.NewInt(1), int64(0)}},
		{"a mean without a count", "mean", arrow.PrimitiveTypes.Int64, []any{big.NewInt(1), nil}},
		{"a count without a sum", "mean", arrow.PrimitiveTypes.Int64, []any{nil, int64(1)}},
		{"integer moments of nothing", "var_pop", arrow.PrimitiveTypes.Int64, []any{int64(0), zeros(16), zeros(24)}},
		{"integer moments without squares", "var_pop", arrow.PrimitiveTypes.Int64, []any{int64(1), zeros(16), nil}},
		{"integer moments past all rows", "var_pop", arrow.PrimitiveTypes.Int64, []any{int64(1), "\x7f" + zeros(15), zeros(24)}},
		{"squares past all rows", "var_pop", arrow.PrimitiveTypes.Int64, []any{int64(1), zeros(16), "\x80" + zeros(23)}},
		{"float moments of nothing", "var_pop", arrow.PrimitiveTypes.Float64, []any{1.0, 0.0, nil, "\x01P\x00\x00\x00", int64(0)}},
		{"squares that are no sum", "var_pop", arrow.PrimitiveTypes.Float64, []any{1.0, 0.0, nil, "x", int64(1)}},
		{"no squares", "var_pop", arrow.PrimitiveTypes.Float64, []any{1.0, 0.0, nil, nil, int64(1)}},
		{"invalid UTF-8", "min", arrow.BinaryTypes.String, []any{"\xff"}},
	} {
		spec := one(c.function, c.typ)
		exporting, err := spec.Exporting()
		if err != nil {
			t.Fatal(err)
		}
		columns := []arrow.ArrayData{makeArray(arrow.BinaryTypes.String, []any{"a", "b"}).Data()}
		for k, v := range c.state {
			first := v
			if c.function == "sum" && len(c.state) == 3 {
				first = []any{1.0, 0.0, nil}[k] // a good one
			}
			columns = append(columns, makeArray(exporting.Output.Field(1+k).Type, []any{first, v}).Data())
		}
		w := newEngine(t, spec.Merging(), Options{}).NewWorker()
		err = w.Update(columns, 2, nil)
		var value *ValueError
		if !errors.As(err, &value) {
			t.Errorf("%s: error %v, want one of the value", c.name, err)
			continue
		}
		wantRow := int64(0)
		if c.function == "sum" && len(c.state) == 3 {
			wantRow = 1
		}
		if value.Row != wantRow {
			t.Errorf("%s: row %d, want %d", c.name, value.Row, wantRow)
		}
	}
}

// TestForgedPairs: the same for functions of two arguments.
func TestForgedPairs(t *testing.T) {
	f64, i64 := arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Int64
	for _, c := range []struct {
		name     string
		function string
		typ      arrow.DataType
		state    []any
		refused  bool
	}{
		{"a ratio", "ratio", i64, []any{uint64(3), big.NewInt(1), big.NewInt(2)}, false},
		{"a ratio of nothing", "ratio", i64, []any{uint64(0), big.NewInt(1), big.NewInt(2)}, true},
		{"a ratio of three sums", "ratio", i64, []any{uint64(4), big.NewInt(1), big.NewInt(2)}, true},
		{"a ratio that lacks a sum", "ratio", i64, []any{uint64(3), big.NewInt(1), nil}, true},
		{"sums without a mark", "ratio", i64, []any{nil, big.NewInt(1), big.NewInt(2)}, true},
		{"products", "weighted_mean", f64, []any{"", 1.0, 0.0, nil}, false},
		{"products that are zero", "weighted_mean", f64, []any{"\x01P\x00\x00\x00", 1.0, 0.0, nil}, true},
		{"products that are no sum", "weighted_mean", f64, []any{"x", 1.0, 0.0, nil}, true},
		{"no weights", "weighted_mean", f64, []any{"", nil, nil, nil}, true},
		{"no products", "weighted_mean", f64, []any{nil, 1.0, 0.0, nil}, true},
		{"integer products", "weighted_mean", i64, []any{zeros(24), big.NewInt(1)}, false},
		{"integer products past all rows", "weighted_mean", i64, []any{"\x7f" + zeros(23), big.NewInt(1)}, true},
		{"a choice", "arg_min", i64, []any{int64(1), nil}, false},
		{"a value without by", "arg_min", i64, []any{nil, int64(1)}, true},
		{"a float", "arg_min", f64, []any{0.5, int64(0), math.NaN()}, false},
		{"an integer among floats", "arg_max", f64, []any{0x1p53, int64(1), 1.0}, false},
		{"2^64 - 1 among floats", "arg_max", f64, []any{0x1p64, int64(-1), 1.0}, false},
		{"-2^63 + 1 among floats", "arg_max", f64, []any{-0x1p63, int64(1), 1.0}, false},
		{"nothing above", "arg_max", f64, []any{0x1p53, nil, 1.0}, true},
		{"above NaN", "arg_max", f64, []any{math.NaN(), int64(1), 1.0}, true},
		{"above half", "arg_max", f64, []any{0.5, int64(1), 1.0}, true},
		{"above infinity", "arg_max", f64, []any{math.Inf(1), int64(-1), 1.0}, true},
		{"too far above", "arg_max", f64, []any{0x1p53, int64(3), 1.0}, true},
		{"past the integers", "arg_max", f64, []any{-0x1p63, int64(-1), 1.0}, true},
		{"past the unsigned integers", "arg_max", f64, []any{0x1p64, int64(1), 1.0}, true},
		{"the first value", "first", i64, []any{uint64(7), int64(1)}, false},
		{"no first value", "first", i64, []any{uint64(7), nil}, true},
		{"no ordinal", "last", i64, []any{nil, int64(1)}, true},
	} {
		f, ok := Lookup(c.function)
		if !ok {
			t.Fatal(c.function)
		}
		host := Column{Name: "host", Type: arrow.BinaryTypes.String}
		out, err := f.Bind(slices.Repeat([]arrow.DataType{c.typ}, f.MaxArguments), BindOptions{})
		if err != nil {
			t.Fatal(err)
		}
		arguments := []int{1, 2}[:f.MaxArguments]
		spec := specOf([]Column{host}, Aggregate{Function: f, Arguments: arguments, Name: "v", Type: out})
		spec.Columns = []Column{host, {Name: "x", Type: c.typ}, {Name: "y", Type: c.typ}}
		exporting, err := spec.Exporting()
		if err != nil {
			t.Fatal(err)
		}
		columns := []arrow.ArrayData{makeArray(arrow.BinaryTypes.String, []any{"a"}).Data()}
		for k, v := range c.state {
			columns = append(columns, makeArray(exporting.Output.Field(1+k).Type, []any{v}).Data())
		}
		err = newEngine(t, spec.Merging(), Options{}).NewWorker().Update(columns, 1, nil)
		var value *ValueError
		if errors.As(err, &value) != c.refused {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
}

func zeros(n int) string { return strings.Repeat("\x00", n) }

// TestStatesAreReadable: the columns of a partial result, as any reader of
// Arrow shows them.
func TestStatesAreReadable(t *testing.T) {
	spec := specOf([]Column{{Name: "host", Type: arrow.BinaryTypes.String}})
	for _, a := range []struct {
		function string
		typ      arrow.DataType
	}{{"sum", arrow.PrimitiveTypes.Int32}, {"mean", arrow.PrimitiveTypes.Float64}, {"max", arrow.PrimitiveTypes.Float32}, {"count", nil}} {
		spec.Aggregates = append(spec.Aggregates, aggregateOf(&spec, a.function, a.typ))
	}
	columns := spec.Columns
	spec = specOf(columns[:1], spec.Aggregates...)
	spec.Columns = columns
	exporting, err := spec.Exporting()
	if err != nil {
		t.Fatal(err)
	}
	table := [][]any{{"a", "a", "b", nil}, {int64(1), int64(2), nil, int64(7)}, {1e300, 1e-300, nil, 0.5}, {1.5, 2.5, nil, -1.0}}
	_, stream, err := feedings[0].run(rand.New(rand.NewPCG(1, 1)), exporting, table)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]any{
		{"a", big.NewInt(3), 1e300, 1e-300, nil, int64(2), 2.5, int64(2)},
		{"b", nil, nil, nil, nil, nil, nil, int64(1)},
		{nil, big.NewInt(7), 0.5, 0.0, nil, int64(1), -1.0, int64(1)},
	}
	if got := shownRows(t, stream); show(got) != show(want) {
		t.Errorf("got\n%swant\n%s", show(got), show(want))
	}
	const names = "host sum.sum mean.high mean.low mean.exact mean.count max.value count.count"
	var got []byte
	for _, f := range exporting.Output.Fields() {
		got = append(append(got, f.Name...), ' ')
	}
	if string(bytes.TrimSpace(got)) != names {
		t.Errorf("columns %s, want %s", got, names)
	}
}
