package render

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/decimal256"
	"github.com/apache/arrow-go/v18/arrow/float16"
)

// everyType is one of each kind that a result may have.
var everyType = []arrow.DataType{
	arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
	arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
	arrow.FixedWidthTypes.Float16, arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64,
	&arrow.Decimal32Type{Precision: 9, Scale: 2}, &arrow.Decimal64Type{Precision: 18, Scale: -3},
	&arrow.Decimal128Type{Precision: 38, Scale: 0}, &arrow.Decimal128Type{Precision: 38, Scale: 40},
	&arrow.Decimal256Type{Precision: 76, Scale: 10},
	arrow.FixedWidthTypes.Boolean,
	arrow.FixedWidthTypes.Date32, arrow.FixedWidthTypes.Date64,
	arrow.FixedWidthTypes.Time32s, arrow.FixedWidthTypes.Time32ms,
	arrow.FixedWidthTypes.Time64us, arrow.FixedWidthTypes.Time64ns,
	&arrow.TimestampType{Unit: arrow.Second}, &arrow.TimestampType{Unit: arrow.Millisecond},
	&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "America/New_York"},
	&arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "UTC"},
	arrow.FixedWidthTypes.Duration_s, arrow.FixedWidthTypes.Duration_ns,
	arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString, arrow.BinaryTypes.StringView,
	arrow.BinaryTypes.Binary, arrow.BinaryTypes.LargeBinary, arrow.BinaryTypes.BinaryView,
	&arrow.FixedSizeBinaryType{ByteWidth: 3}, arrow.Null,
}

// seeded returns a generator whose seed is in the log.
func seeded(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// rounds is how often a property is tried: less under -short, which the race
// detector runs with.
func rounds(n int) int {
	if testing.Short() {
		return n/10 + 1
	}
	return n
}

// randomInt is often small and often an extreme of the type of that many bits.
func randomInt(r *rand.Rand, bits int) int64 {
	switch r.IntN(8) {
	case 0:
		return 0
	case 1:
		return math.MinInt64 >> (64 - bits)
	case 2:
		return math.MaxInt64 >> (64 - bits)
	}
	return int64(r.Uint64()) >> (64 - bits + r.IntN(bits))
}

func randomFloat(r *rand.Rand) float64 {
	switch r.IntN(10) {
	case 0:
		return []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1)}[r.IntN(5)]
	case 1:
		return []float64{1e-5, 1e17, 9.99e-6, 99999999999999980, 1e-4, 5e-324, math.MaxFloat64}[r.IntN(7)]
	case 2:
		return math.Float64frombits(r.Uint64())
	case 3:
		return float64(r.IntN(2000) - 1000)
	}
	return (r.Float64() - 0.5) * math.Pow(10, float64(r.IntN(30)-10))
}

// fragments are what texts are made of: whatever some format minds.
var fragments = []string{
	"a", "bc", "host-1", " ", "  ", "\t", "\n", "\r", "\r\n",
	",", "\"", "\"\"", "'", ";", "|", "\\", "\\N", "\\n",
	"NULL", "null", "<br>", "&amp;", "*", "_", "__", "`", "[x](y)", "$", "~",
	"\x00", "\x1b[31m", "\x7f", "\u0085", "\u009b",
	"é", "e\u0301", "ß", "日本語", "한", "😀",
	"👨\u200d👩\u200d👧", "❤\ufe0f", "🇩🇪", "שלום", "مرحبا", "می\u200cخواهم", "\u202e", "\u2066",
	"\u200b", "\ufeff", "\u2028", "\u00ad", "\u00a0", "\u3000", "\U000e0041", "\ufffd",
}

func randomText(r *rand.Rand) string {
	text := ""
	for range r.IntN(5) {
		text += fragments[r.IntN(len(fragments))]
	}
	return text
}

// appendRandom appends one value that is not null.
func appendRandom(r *rand.Rand, b array.Builder) {
	switch b := b.(type) {
	case *array.Int8Builder:
		b.Append(int8(randomInt(r, 8)))
	case *array.Int16Builder:
		b.Append(int16(randomInt(r, 16)))
	case *array.Int32Builder:
		b.Append(int32(randomInt(r, 32)))
	case *array.Int64Builder:
		b.Append(randomInt(r, 64))
	case *array.Uint8Builder:
		b.Append(uint8(randomInt(r, 8)))
	case *array.Uint16Builder:
		b.Append(uint16(randomInt(r, 16)))
	case *array.Uint32Builder:
		b.Append(uint32(randomInt(r, 32)))
	case *array.Uint64Builder:
		b.Append(uint64(randomInt(r, 64)))
	case *array.Float16Builder:
		b.Append(float16.FromBits(uint16(r.Uint32())))
	case *array.Float32Builder:
		b.Append(float32(randomFloat(r)))
	case *array.Float64Builder:
		b.Append(randomFloat(r))
	case *array.Decimal32Builder:
		b.Append(decimal.Decimal32(randomInt(r, 32)))
	case *array.Decimal64Builder:
		b.Append(decimal.Decimal64(randomInt(r, 64)))
	case *array.Decimal128Builder:
		b.Append(decimal128.New(randomInt(r, 64)>>r.IntN(64), r.Uint64()>>r.IntN(64)))
	case *array.Decimal256Builder:
		high := uint64(randomInt(r, 64) >> r.IntN(64))
		b.Append(decimal256.New(high, r.Uint64()>>r.IntN(64), r.Uint64(), r.Uint64()>>r.IntN(64)))
	case *array.BooleanBuilder:
		b.Append(r.IntN(2) == 0)
	case *array.Date32Builder:
		b.Append(arrow.Date32(randomInt(r, 32)))
	case *array.Date64Builder:
		b.Append(arrow.Date64(randomInt(r, 60)))
	case *array.Time32Builder:
		b.Append(arrow.Time32(randomInt(r, 32)))
	case *array.Time64Builder:
		b.Append(arrow.Time64(randomInt(r, 64)))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(randomInt(r, 60)))
	case *array.DurationBuilder:
		b.Append(arrow.Duration(randomInt(r, 64)))
	case *array.StringBuilder:
		b.Append(randomText(r))
	case *array.LargeStringBuilder:
		b.Append(randomText(r))
	case *array.StringViewBuilder:
		b.Append(randomText(r))
	case *array.BinaryBuilder: // large_binary has the same
		b.Append([]byte(randomText(r)))
	case *array.BinaryViewBuilder:
		b.Append([]byte(randomText(r)))
	case *array.FixedSizeBinaryBuilder:
		b.Append([]byte{byte(r.Uint32()), 0, 0xff})
	case *array.NullBuilder:
		b.AppendNull()
	default:
		panic(fmt.Sprintf("no random value for %T", b))
	}
}

// randomBatch makes a batch that is a slice of a larger one, so that its
// offsets are not zero. Nulls are of that share.
func randomBatch(r *rand.Rand, schema *arrow.Schema, rows int, nulls float64) arrow.RecordBatch {
	b := array.NewRecordBuilder(allocator, schema)
	defer b.Release()
	before, after := r.IntN(20), r.IntN(20)
	for _, column := range b.Fields() {
		for range before + rows + after {
			if r.Float64() < nulls {
				column.AppendNull()
			} else {
				appendRandom(r, column)
			}
		}
	}
	whole := b.NewRecordBatch()
	defer whole.Release()
	return whole.NewSlice(int64(before), int64(before+rows))
}

// schemaOf names a column after each type.
func schemaOf(types ...arrow.DataType) *arrow.Schema {
	fields := make([]arrow.Field, len(types))
	for i, t := range types {
		fields[i] = arrow.Field{Name: fmt.Sprintf("%02d_%s", i, t.Name()), Type: t, Nullable: true}
	}
	return arrow.NewSchema(fields, nil)
}

// randomTable makes a few batches of columns of any types.
func randomTable(r *rand.Rand) (*arrow.Schema, []arrow.RecordBatch) {
	types := make([]arrow.DataType, 1+r.IntN(5))
	for i := range types {
		types[i] = everyType[r.IntN(len(everyType))]
		if r.IntN(3) == 0 {
			types[i] = arrow.BinaryTypes.String
		}
	}
	schema := schemaOf(types...)
	fields := schema.Fields()
	for i := range fields {
		if r.IntN(2) == 0 {
			fields[i].Name += randomText(r)
		}
	}
	schema = arrow.NewSchema(fields, nil)
	batches := make([]arrow.RecordBatch, r.IntN(4))
	for i := range batches {
		batches[i] = randomBatch(r, schema, r.IntN(12), []float64{0, 0.2, 1}[r.IntN(3)])
	}
	return schema, batches
}
