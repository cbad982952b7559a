package spill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"arrowagg/internal/groupby"
	"arrowagg/internal/tempfile"
)

var ctx = context.Background()

// testSpec groups by a text and a number and has a function of every way to
// travel: one value, several, several rows.
func testSpec(t *testing.T, sum arrow.DataType) groupby.Spec {
	t.Helper()
	text, number := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64
	spec := groupby.Spec{Columns: []groupby.Column{{Name: "k", Type: text}, {Name: "n", Type: number}, {Name: "v", Type: sum}}}
	fields := []arrow.Field{{Name: "k", Type: text, Nullable: true}, {Name: "n", Type: number, Nullable: true}}
	for i := range 2 {
		spec.Keys = append(spec.Keys, groupby.Key{Column: i, Type: fields[i].Type})
		spec.Order = append(spec.Order, groupby.Ref{Index: i})
	}
	for i, name := range []string{"sum", "count", "mean", "count_distinct"} {
		f, ok := groupby.Lookup(name)
		if !ok {
			t.Fatal(name)
		}
		out, err := f.Bind([]arrow.DataType{sum}, groupby.BindOptions{})
		if err != nil {
			t.Fatal(err)
		}
		spec.Aggregates = append(spec.Aggregates, groupby.Aggregate{Function: f, Arguments: []int{2}, Name: name, Type: out})
		spec.Order = append(spec.Order, groupby.Ref{Aggregate: true, Index: i})
		fields = append(fields, arrow.Field{Name: name, Type: out, Nullable: true})
	}
	spec.Output = arrow.NewSchema(fields, nil)
	return spec
}

// rows is a batch of random rows.
func rows(rng *rand.Rand, n int, sum arrow.DataType) []arrow.ArrayData {
	k, at := array.NewStringBuilder(memory.DefaultAllocator), array.NewInt64Builder(memory.DefaultAllocator)
	v := array.NewBuilder(memory.DefaultAllocator, sum)
	for range n {
		if rng.IntN(20) == 0 {
			k.AppendNull()
		} else {
			k.Append(strings.Repeat("a common beginning ", rng.IntN(3)) + fmt.Sprint(rng.IntN(12)))
		}
		at.Append(rng.Int64N(8) - 4)
		switch v := v.(type) {
		case *array.Int64Builder:
			v.Append(rng.Int64N(50))
		case *array.Float64Builder:
			v.Append(rng.NormFloat64() * 1e9)
		}
	}
	return []arrow.ArrayData{k.NewArray().Data(), at.NewArray().Data(), v.NewArray().Data()}
}

func engine(t *testing.T, spec groupby.Spec, batches ...[]arrow.ArrayData) *groupby.Engine {
	t.Helper()
	e, err := groupby.New(spec, groupby.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	w := e.NewWorker()
	for _, b := range batches {
		if err := w.Update(b, int64(b[0].Len()), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return e
}

// text is all rows of a result.
func text(t *testing.T, from Batches) string {
	t.Helper()
	var b strings.Builder
	for {
		batch, err := from.Next(ctx)
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		for row := range int(batch.NumRows()) {
			for _, c := range batch.Columns() {
				b.WriteString(c.ValueStr(row) + "|")
			}
			b.WriteString("\n")
		}
		batch.Release()
	}
}

// TestRunsGiveWhatOneEngineGives: groups put aside in any number of runs, of
// two specs, in batches of any size, merged few at a time and in ranges of any
// size, are those of one engine. They can be kept and read twice.
func TestRunsGiveWhatOneEngineGives(t *testing.T) {
	first := rand.Uint64()
	for seed := first; seed < first+30; seed++ {
		rng := rand.New(rand.NewPCG(seed, 1))
		narrow, wide := testSpec(t, arrow.PrimitiveTypes.Int64), testSpec(t, arrow.PrimitiveTypes.Float64)
		dir := t.TempDir()
		store := NewStore(tempfile.In(dir))
		a := New(store, Options{
			Threads: 1 + rng.IntN(3), Budget: 64 << 20, BatchRows: 1 + rng.IntN(40), RangeRows: 1 + rng.IntN(300), FanIn: 2 + rng.IntN(4),
		})
		a.Begin(narrow)
		a.Begin(wide)
		var narrows, wides [][]arrow.ArrayData
		for range 1 + rng.IntN(12) {
			if n := rng.IntN(200); rng.IntN(2) == 0 {
				narrows = append(narrows, rows(rng, n, arrow.PrimitiveTypes.Int64))
				must(t, a.Put(ctx, 0, engine(t, narrow, narrows[len(narrows)-1])))
			} else {
				wides = append(wides, rows(rng, n, arrow.PrimitiveTypes.Float64))
				must(t, a.Put(ctx, 1, engine(t, wide, wides[len(wides)-1])))
			}
		}
		one := engine(t, wide, wides...)
		must(t, one.Absorb(engine(t, narrow, narrows...)))
		result, err := one.Finish(ctx)
		must(t, err)
		want := text(t, result)
		must(t, result.Close())

		merged, err := a.Merge(ctx)
		must(t, err)
		kept, err := store.Keep(ctx, merged.Schema(), merged)
		must(t, err)
		must(t, a.Close())
		for range 2 {
			if got := text(t, kept); got != want {
				t.Fatalf("seed %d: got\n%swant\n%s", seed, got, want)
			}
			kept.Rewind()
		}
		if n := int64(strings.Count(want, "\n")); kept.Groups() != n {
			t.Errorf("seed %d: %d groups, want %d", seed, kept.Groups(), n)
		}
		must(t, kept.Close())
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("seed %d: left %v (%v)", seed, left, err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestGroupsLargerThanMemory: the values of a group may be more than the engines
// hold, beside small groups, with several multisets, of numbers and of texts; and
// runs may be so many that they are merged in steps, or of columns that schemas
// have widened since.
func TestGroupsLargerThanMemory(t *testing.T) {
	integer, float := arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Float64
	for i, c := range []struct {
		keys   int
		widths []arrow.DataType
	}{
		{0, []arrow.DataType{float}},
		{2, []arrow.DataType{float}},
		{0, []arrow.DataType{integer, float}},
		{2, []arrow.DataType{integer, arrow.PrimitiveTypes.Int64, float}},
	} {
		rng, keys := rand.New(rand.NewPCG(uint64(i), 2)), c.keys
		store := NewStore(tempfile.In(t.TempDir()))
		a := New(store, Options{Threads: 1 + rng.IntN(2), Budget: 8 << 20, BatchRows: 1000 + rng.IntN(2000), FanIn: 3 + rng.IntN(4)})
		var spec groupby.Spec
		var all [][]arrow.ArrayData
		for number, width := range c.widths {
			spec = valuesSpec(t, keys, width)
			a.Begin(spec)
			for range 6 / len(c.widths) {
				all = append(all, unevenRows(rng, 70_000, width))
				must(t, a.Put(ctx, number, engine(t, spec, all[len(all)-1])))
			}
		}
		result, err := engine(t, spec, all...).Finish(ctx)
		must(t, err)
		want := text(t, result)
		must(t, result.Close())
		merged, err := a.Merge(ctx)
		must(t, err)
		files := store.Figures().Files
		if got := text(t, merged); got != want {
			t.Errorf("%d keys: got\n%swant\n%s", keys, got, want)
		}
		if store.Figures().Files == files {
			t.Errorf("%d keys: no group was too large", keys)
		}
		must(t, a.Close())
	}
}

// TestLikeRunsWithLargeStates: runs with the same groups begin their batches at the
// same keys, and states may take many times what is taken of them at first.
func TestLikeRunsWithLargeStates(t *testing.T) {
	spec := testSpec(t, arrow.PrimitiveTypes.Float64)
	store := NewStore(tempfile.In(t.TempDir()))
	a := New(store, Options{Threads: 1, Budget: 1 << 20, BatchRows: 1000})
	defer a.Close()
	a.Begin(spec)
	var all [][]arrow.ArrayData
	for seed := range uint64(8) {
		all = append(all, wideRows(rand.New(rand.NewPCG(seed, 3)), 2000))
		must(t, a.Put(ctx, 0, engine(t, spec, all[seed])))
	}
	result, err := engine(t, spec, all...).Finish(ctx)
	must(t, err)
	want := text(t, result)
	must(t, result.Close())
	merged, err := a.Merge(ctx)
	must(t, err)
	if got := text(t, merged); got != want {
		t.Errorf("got\n%.500s\nwant\n%.500s", got, want)
	}
}

// wideRows is a batch for testSpec: so many groups, several rows of each, whose
// values have all exponents.
func wideRows(rng *rand.Rand, groups int) []arrow.ArrayData {
	mem := memory.DefaultAllocator
	k, at, v := array.NewStringBuilder(mem), array.NewInt64Builder(mem), array.NewFloat64Builder(mem)
	for g := range groups {
		for range 5 {
			k.Append(fmt.Sprint("key ", g))
			at.Append(int64(g))
			v.Append(math.Ldexp(rng.NormFloat64(), rng.IntN(600)-300))
		}
	}
	return []arrow.ArrayData{k.NewArray().Data(), at.NewArray().Data(), v.NewArray().Data()}
}

// valuesSpec groups by so many columns and has several functions that need all
// values of a group, and one that does not.
func valuesSpec(t *testing.T, keys int, value arrow.DataType) groupby.Spec {
	t.Helper()
	text, number := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64
	types := []arrow.DataType{text, number, value, text}
	var spec groupby.Spec
	var fields []arrow.Field
	for i, typ := range types {
		name := fmt.Sprint("c", i)
		spec.Columns = append(spec.Columns, groupby.Column{Name: name, Type: typ})
		if i < keys {
			spec.Keys = append(spec.Keys, groupby.Key{Column: i, Type: typ})
			spec.Order = append(spec.Order, groupby.Ref{Index: i})
			fields = append(fields, arrow.Field{Name: name, Type: typ, Nullable: true})
		}
	}
	for i, a := range []struct {
		function string
		column   int
	}{{"median", 2}, {"sum", 1}, {"count_distinct", 3}, {"count_distinct", 2}, {"max", 2}} {
		f, _ := groupby.Lookup(a.function)
		out, err := f.Bind([]arrow.DataType{types[a.column]}, groupby.BindOptions{})
		must(t, err)
		name := fmt.Sprint("a", i)
		spec.Aggregates = append(spec.Aggregates, groupby.Aggregate{Function: f, Arguments: []int{a.column}, Name: name, Type: out})
		spec.Order = append(spec.Order, groupby.Ref{Aggregate: true, Index: i})
		fields = append(fields, arrow.Field{Name: name, Type: out, Nullable: true})
	}
	spec.Output = arrow.NewSchema(fields, nil)
	return spec
}

// unevenRows is a batch for valuesSpec: most rows are of two groups that are
// neighbours, and some of many.
func unevenRows(rng *rand.Rand, n int, value arrow.DataType) []arrow.ArrayData {
	mem := memory.DefaultAllocator
	k, at, v, words := array.NewStringBuilder(mem), array.NewInt64Builder(mem), array.NewBuilder(mem, value), array.NewStringBuilder(mem)
	for range n {
		key := rng.IntN(40)
		if rng.IntN(8) > 0 {
			key = 20 + key%2
		}
		k.Append(fmt.Sprint("key ", key))
		at.Append(int64(key))
		switch v := v.(type) {
		case *array.Float64Builder:
			v.Append(float64(rng.IntN(1e6)) / 8)
		case *array.Int64Builder:
			v.Append(rng.Int64N(1e6))
		case *array.Int32Builder:
			v.Append(rng.Int32N(1e6))
		}
		if rng.IntN(9) == 0 {
			words.AppendNull()
		} else {
			words.Append(strings.Repeat("x", rng.IntN(3)) + fmt.Sprint(rng.IntN(20_000)))
		}
	}
	return []arrow.ArrayData{k.NewArray().Data(), at.NewArray().Data(), v.NewArray().Data(), words.NewArray().Data()}
}

// TestSeparators: they part the keys before from those behind.
func TestSeparators(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 1000 {
		var keys [2][]byte
		for i := range keys {
			for range rng.IntN(5) {
				keys[i] = append(keys[i], byte(rng.IntN(3)))
			}
		}
		last, first := keys[0], keys[1]
		if bytes.Compare(last, first) > 0 {
			last, first = first, last
		}
		s := separator(last, first)
		if bytes.Equal(last, first) {
			if !bytes.Equal(s, first) {
				t.Fatalf("between twice %x: %x", first, s)
			}
			continue
		}
		if bytes.Compare(s, last) <= 0 || bytes.Compare(s, first) > 0 {
			t.Fatalf("between %x and %x: %x", last, first, s)
		}
	}
}
