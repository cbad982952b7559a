package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// kind is a column type with a draw of values that are few, so that groups have
// several rows, and nasty.
type kind struct {
	name string
	typ  arrow.DataType
	// draw appends a value that is not null.
	draw func(r *rand.Rand, b array.Builder)
	// as says what it is: any kind can be a key and be counted.
	measure, text, instant bool
	// nan says that there are NaNs and infinities among the values. DataFusion's
	// grouped max passes over NaN, so such tables are for DuckDB alone.
	nan bool
}

// kinds are all types that arrowagg's --sql has the same name for in both
// engines.
var kinds = []kind{
	text("utf8", arrow.BinaryTypes.String),
	text("large_utf8", arrow.BinaryTypes.LargeString),
	text("utf8_view", arrow.BinaryTypes.StringView),
	text("dictionary", &arrow.DictionaryType{
		IndexType: arrow.PrimitiveTypes.Int16, ValueType: arrow.BinaryTypes.String,
	}),
	number("int8", arrow.PrimitiveTypes.Int8, math.MinInt8, math.MaxInt8, (*array.Int8Builder).Append),
	number("int16", arrow.PrimitiveTypes.Int16, math.MinInt16, math.MaxInt16, (*array.Int16Builder).Append),
	number("int32", arrow.PrimitiveTypes.Int32, math.MinInt32, math.MaxInt32, (*array.Int32Builder).Append),
	number("int64", arrow.PrimitiveTypes.Int64, -1<<55, 1<<55, (*array.Int64Builder).Append),
	number("uint8", arrow.PrimitiveTypes.Uint8, 0, math.MaxUint8, (*array.Uint8Builder).Append),
	number("uint16", arrow.PrimitiveTypes.Uint16, 0, math.MaxUint16, (*array.Uint16Builder).Append),
	number("uint32", arrow.PrimitiveTypes.Uint32, 0, math.MaxUint32, (*array.Uint32Builder).Append),
	number("uint64", arrow.PrimitiveTypes.Uint64, 0, 1<<55, (*array.Uint64Builder).Append),
	float("float32", arrow.PrimitiveTypes.Float32, func(b array.Builder, v float64) {
		b.(*array.Float32Builder).Append(float32(v))
	}),
	float("float64", arrow.PrimitiveTypes.Float64, func(b array.Builder, v float64) {
		b.(*array.Float64Builder).Append(v)
	}),
	withNaN("float32", arrow.PrimitiveTypes.Float32, func(b array.Builder, v float64) {
		b.(*array.Float32Builder).Append(float32(v))
	}),
	withNaN("float64", arrow.PrimitiveTypes.Float64, func(b array.Builder, v float64) {
		b.(*array.Float64Builder).Append(v)
	}),
	{name: "decimal128", typ: &arrow.Decimal128Type{Precision: 20, Scale: 3}, measure: true,
		draw: func(r *rand.Rand, b array.Builder) {
			b.(*array.Decimal128Builder).Append(decimal128.FromI64(int64(r.IntN(9)-4) * 1_234_567_890_125))
		}},
	{name: "bool", typ: arrow.FixedWidthTypes.Boolean, draw: func(r *rand.Rand, b array.Builder) {
		b.(*array.BooleanBuilder).Append(r.IntN(2) == 0)
	}},
	{name: "date32", typ: arrow.FixedWidthTypes.Date32, instant: true, draw: func(r *rand.Rand, b array.Builder) {
		b.(*array.Date32Builder).Append(arrow.Date32(19_000 + r.IntN(60) - 19_030*r.IntN(2)))
	}},
	timestamp("timestamp[s]", arrow.Second, ""),
	timestamp("timestamp[ms]", arrow.Millisecond, ""),
	timestamp("timestamp[us]", arrow.Microsecond, ""),
	timestamp("timestamp[ns]", arrow.Nanosecond, ""),
	timestamp("timestamp[us, UTC]", arrow.Microsecond, "UTC"),
}

func text(name string, typ arrow.DataType) kind {
	words := []string{
		"", "a", "b", "A", "NULL", "é", "日本", "a,b", `"`, "line\nend", "twelve bytes", "thirteen byte",
		"a prefix that is shared, 1", "a prefix that is shared, 2",
	}
	return kind{name: name, typ: typ, text: true, draw: func(r *rand.Rand, b array.Builder) {
		word := words[r.IntN(len(words))]
		switch b := b.(type) {
		case *array.BinaryDictionaryBuilder:
			if err := b.AppendString(word); err != nil {
				panic(err)
			}
		case array.StringLikeBuilder:
			b.Append(word)
		}
	}}
}

// number draws small values mostly, sometimes the least and the largest.
func number[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64, B array.Builder](
	name string, typ arrow.DataType, least, most T, add func(B, T),
) kind {
	return kind{name: name, typ: typ, measure: true, draw: func(r *rand.Rand, b array.Builder) {
		v := T(r.IntN(5))
		switch r.IntN(12) {
		case 0:
			v = least
		case 1:
			v = most
		case 2:
			v = least + T(r.IntN(3))
		}
		add(b.(B), v)
	}}
}

// float draws quarters, whose sums are exact in any order, so that a wrong row
// cannot hide in rounding.
func float(name string, typ arrow.DataType, add func(array.Builder, float64)) kind {
	return kind{name: name, typ: typ, measure: true, draw: func(r *rand.Rand, b array.Builder) {
		v := float64(r.IntN(17)-8) / 4
		if v == 0 && r.IntN(2) == 0 {
			v = math.Copysign(0, -1)
		}
		add(b, v)
	}}
}

func withNaN(name string, typ arrow.DataType, add func(array.Builder, float64)) kind {
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
	finite := float(name, typ, add)
	return kind{name: name + " with NaN", typ: typ, measure: true, nan: true, draw: func(
		r *rand.Rand, b array.Builder,
	) {
		if i := r.IntN(20); i < len(special) {
			add(b, special[i])
			return
		}
		finite.draw(r, b)
	}}
}

func timestamp(name string, unit arrow.TimeUnit, zone string) kind {
	return kind{name: name, typ: &arrow.TimestampType{Unit: unit, TimeZone: zone}, instant: true,
		draw: func(r *rand.Rand, b array.Builder) {
			second := int64(1_700_000_000 + 3000*r.IntN(10))
			if r.IntN(4) == 0 {
				second = -second
			}
			b.(*array.TimestampBuilder).Append(arrow.Timestamp(second * int64(1e9) / int64(unit.Multiplier())))
		}}
}

// table is a random table: a column of kind kinds[i] for each of its columns.
type table struct {
	names []string
	kinds []kind
	path  string
}

func (t table) hasNaN() bool {
	return slices.ContainsFunc(t.kinds, func(k kind) bool { return k.nan })
}

func (t table) String() string {
	var b strings.Builder
	for i, name := range t.names {
		fmt.Fprintf(&b, "%s %s, ", name, t.kinds[i].name)
	}
	return b.String() + "in " + t.path
}

// randomTable writes a table of up to six columns and a few hundred rows in
// random batches.
func randomTable(t *testing.T, r *rand.Rand, path string) table {
	t.Helper()
	var chosen []kind
	for range 2 + r.IntN(5) {
		chosen = append(chosen, kinds[r.IntN(len(kinds))])
	}
	return writeTable(t, path, chosen, r)
}

// writeTable writes a table with a column c0, c1 … for each kind.
func writeTable(t *testing.T, path string, chosen []kind, r *rand.Rand) table {
	t.Helper()
	tab := table{kinds: chosen, path: path}
	var fields []arrow.Field
	for i, k := range chosen {
		tab.names = append(tab.names, fmt.Sprintf("c%d", i))
		fields = append(fields, arrow.Field{Name: tab.names[i], Type: k.typ, Nullable: true})
	}
	schema := arrow.NewSchema(fields, nil)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := ipc.NewWriter(f, ipc.WithSchema(schema))
	nulls := []float64{0, 0.1, 0.6}[r.IntN(3)]
	for range r.IntN(5) {
		if err := w.Write(randomBatch(r, schema, chosen, nulls)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return tab
}

func randomBatch(r *rand.Rand, schema *arrow.Schema, columns []kind, nulls float64) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for range r.IntN(120) {
		for i, k := range columns {
			if r.Float64() < nulls {
				b.Field(i).AppendNull()
			} else {
				k.draw(r, b.Field(i))
			}
		}
	}
	return b.NewRecordBatch()
}

// source is the random source of a test and names its seed when it fails.
func source(t *testing.T) *rand.Rand {
	t.Helper()
	s := *seed
	if s == 0 {
		s = rand.Uint64()
	}
	t.Logf("seed %d", s)
	return rand.New(rand.NewPCG(s, 0))
}
