package groupby

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// widenings are the pairs of column types that inputs may bring one after the
// other.
var widenings = [][2]arrow.DataType{
	{arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64},
	{arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64},
	{arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Float64},
	{arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Int64},
	{arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint64},
	{arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64},
	{arrow.PrimitiveTypes.Int16, &arrow.Decimal128Type{Precision: 38, Scale: 2}},
	{&arrow.Decimal64Type{Precision: 12, Scale: 3}, &arrow.Decimal128Type{Precision: 20, Scale: 3}},
	{&arrow.Decimal128Type{Precision: 20, Scale: 4}, &arrow.Decimal256Type{Precision: 50, Scale: 4}},
	{arrow.FixedWidthTypes.Duration_s, arrow.FixedWidthTypes.Duration_ms},
	{&arrow.TimestampType{Unit: arrow.Second}, &arrow.TimestampType{Unit: arrow.Millisecond}},
	{arrow.FixedWidthTypes.Date64, arrow.FixedWidthTypes.Date32},
	{arrow.BinaryTypes.String, arrow.BinaryTypes.String},
}

// TestAbsorb: an engine that takes over another one's groups ends like an
// engine that was given all batches.
func TestAbsorb(t *testing.T) {
	start := rand.Uint64()
	rounds := uint64(80)
	if testing.Short() {
		rounds = 20
	}
	for round := range rounds {
		seed := start + round
		rng := rand.New(rand.NewPCG(seed, 3))
		narrow, wide := absorbSpecs(rng)
		rows := 1 + rng.IntN(600)
		draw := func() (batch []arrow.ArrayData) {
			for _, column := range narrow.Columns {
				batch = append(batch, encode(rng, column.Type, randomCells(rng, column.Type, rows)).Data())
			}
			return batch
		}
		first, second := draw(), draw()
		tuned := defaultTuning()
		if rng.IntN(2) == 0 {
			tuned.manyGroups = 10
		}
		opt := Options{Threads: 2, tuning: &tuned}
		whole, a, b := newEngine(t, wide, opt), newEngine(t, narrow, opt), newEngine(t, wide, opt)
		if feed(whole, first, rows) != nil || feed(whole, second, rows) != nil {
			continue // a unit that does not become finer; then there is nothing to absorb
		}
		if err := errors.Join(feed(a, first, rows), feed(b, second, rows)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := b.Absorb(a); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want, wantErr := streamOf(wide, whole)
		got, gotErr := streamOf(wide, b)
		if (wantErr == nil) != (gotErr == nil) || wantErr != nil && wantErr.Error() != gotErr.Error() {
			t.Fatalf("seed %d: error %v, want %v", seed, gotErr, wantErr)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("seed %d: %v: not the same bytes", seed, names(wide))
		}
	}
}

func absorbSpecs(rng *rand.Rand) (narrow, wide Spec) {
	r := randomTable{}
	for range rng.IntN(3) {
		t := keyTypes[rng.IntN(len(keyTypes))]
		r.spec.Columns = append(r.spec.Columns, Column{Name: "k", Type: t})
		r.spec.Keys = append(r.spec.Keys, Key{Column: len(r.spec.Columns) - 1, Type: outputKeyType(t)})
	}
	narrow.Columns = append(narrow.Columns, r.spec.Columns...)
	for range 1 + rng.IntN(4) {
		f := &Functions[rng.IntN(len(Functions))]
		var from, to []arrow.DataType
		for range f.MaxArguments {
			pair := widenings[rng.IntN(len(widenings))]
			if rng.IntN(4) == 0 {
				pair[0] = pair[1]
			}
			from, to = append(from, pair[0]), append(to, pair[1])
		}
		out, err := f.Bind(to, BindOptions{})
		old, _ := f.Bind(from, BindOptions{})
		if err != nil {
			continue
		}
		var arguments []int
		for k := range to {
			r.spec.Columns = append(r.spec.Columns, Column{Name: "v", Type: to[k]})
			narrow.Columns = append(narrow.Columns, Column{Name: "v", Type: from[k]})
			arguments = append(arguments, len(r.spec.Columns)-1)
		}
		r.add(Aggregate{Function: f, Arguments: arguments, Type: out})
		a := r.spec.Aggregates[len(r.spec.Aggregates)-1]
		a.Type = old
		narrow.Aggregates = append(narrow.Aggregates, a)
	}
	r.finish(rng)
	wide = r.spec
	narrow.Keys, narrow.Order = wide.Keys, wide.Order
	var fields []arrow.Field
	for _, ref := range narrow.Order {
		fields = append(fields, arrow.Field{Name: "o", Type: narrow.outputType(ref), Nullable: true})
	}
	narrow.Output = arrow.NewSchema(fields, nil)
	return narrow, wide
}

func newEngine(t *testing.T, spec Spec, opt Options) *Engine {
	t.Helper()
	e, err := New(spec, opt)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func feed(e *Engine, batch []arrow.ArrayData, rows int) error {
	w := e.NewWorker()
	if err := w.Update(batch, int64(rows), nil); err != nil {
		return err
	}
	return w.Close()
}

func streamOf(spec Spec, e *Engine) ([]byte, error) {
	result, err := e.Finish(context.Background())
	if err != nil {
		return nil, err
	}
	defer result.Close()
	_, stream, err := drain(spec, result)
	return stream, err
}
