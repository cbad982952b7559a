package groupby

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// Random specs and tables, biased to what goes wrong: nulls, empty strings,
// extremes, NaN, infinities, -0, shared prefixes, one group, all distinct.

var keyTypes = []arrow.DataType{
	arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString, arrow.BinaryTypes.StringView,
	arrow.BinaryTypes.Binary, &arrow.FixedSizeBinaryType{ByteWidth: 3},
	arrow.FixedWidthTypes.Boolean,
	arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
	arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint64,
	arrow.FixedWidthTypes.Float16, arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64,
	arrow.FixedWidthTypes.Date32, arrow.FixedWidthTypes.Date64,
	arrow.FixedWidthTypes.Time32ms, arrow.FixedWidthTypes.Time64ns,
	&arrow.TimestampType{Unit: arrow.Microsecond}, &arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"},
	arrow.FixedWidthTypes.Duration_ms,
	&arrow.Decimal32Type{Precision: 5, Scale: 2}, &arrow.Decimal64Type{Precision: 12, Scale: 3},
	&arrow.Decimal128Type{Precision: 20, Scale: 4}, &arrow.Decimal256Type{Precision: 50, Scale: 1},
}

type randomTable struct {
	spec  Spec
	table [][]any // by column
}

func randomSpec(rng *rand.Rand) randomTable { return randomSpecOf(rng, Functions) }

// randomSpecOf draws from some of the functions.
func randomSpecOf(rng *rand.Rand, functions []Function) randomTable {
	var r randomTable
	rows := []int{0, 1, 7, 100, 1500, 3000}[rng.IntN(6)]
	column := func(t arrow.DataType) int {
		name := fmt.Sprintf("c%d", len(r.spec.Columns))
		r.spec.Columns = append(r.spec.Columns, Column{Name: name, Type: t})
		r.table = append(r.table, randomCells(rng, t, rows))
		return len(r.spec.Columns) - 1
	}
	for range rng.IntN(4) {
		t := keyTypes[rng.IntN(len(keyTypes))]
		r.spec.Keys = append(r.spec.Keys, Key{Column: column(t), Type: outputKeyType(t)})
	}
	if len(r.spec.Keys) > 0 && rng.IntN(12) == 0 { // many keys: codes past one word
		for range 12 {
			t := keyTypes[rng.IntN(len(keyTypes))]
			r.spec.Keys = append(r.spec.Keys, Key{Column: column(t), Type: outputKeyType(t)})
		}
	}
	for range rng.IntN(5) {
		f := &functions[rng.IntN(len(functions))]
		if f.With != nil {
			f = quantiles[rng.IntN(len(quantiles))].function
		}
		a := Aggregate{Function: f}
		var types []arrow.DataType
		if f.Name != "count" || rng.IntN(2) == 0 {
			types = bindable(rng, f)
			for _, t := range types {
				a.Arguments = append(a.Arguments, column(t))
			}
		}
		var err error
		if a.Type, err = f.Bind(types, BindOptions{DecimalIntSums: rng.IntN(3) == 0}); err != nil {
			panic(err)
		}
		r.add(a)
	}
	if len(r.spec.Keys) == 0 && len(r.spec.Aggregates) == 0 {
		r.add(Aggregate{Function: &countFunction, Type: arrow.PrimitiveTypes.Int64})
	}
	r.finish(rng)
	return r
}

// bindable draws argument types that a function takes.
func bindable(rng *rand.Rand, f *Function) []arrow.DataType {
	types := make([]arrow.DataType, f.MaxArguments)
	for {
		for k := range types {
			types[k] = keyTypes[rng.IntN(len(keyTypes))]
		}
		if _, err := f.Bind(types, BindOptions{}); err == nil {
			return types
		}
	}
}

func (r *randomTable) add(a Aggregate) {
	a.Name = fmt.Sprintf("%s_%d", a.Function.Name, len(r.spec.Aggregates))
	r.spec.Aggregates = append(r.spec.Aggregates, a)
}

// finish sets the output order and schema.
func (r *randomTable) finish(rng *rand.Rand) {
	for i := range r.spec.Keys {
		r.spec.Order = append(r.spec.Order, Ref{Index: i})
	}
	for i := range r.spec.Aggregates {
		r.spec.Order = append(r.spec.Order, Ref{Aggregate: true, Index: i})
	}
	rng.Shuffle(len(r.spec.Order), func(i, j int) {
		r.spec.Order[i], r.spec.Order[j] = r.spec.Order[j], r.spec.Order[i]
	})
	var fields []arrow.Field
	for i, ref := range r.spec.Order {
		fields = append(fields, arrow.Field{Name: fmt.Sprint("o", i), Type: r.spec.outputType(ref), Nullable: true})
	}
	r.spec.Output = arrow.NewSchema(fields, nil)
}

func outputKeyType(t arrow.DataType) arrow.DataType {
	if isString(t) {
		return arrow.BinaryTypes.String
	}
	return t
}

// randomCells draws from a pool of some size, so that groups repeat.
func randomCells(rng *rand.Rand, t arrow.DataType, rows int) []any {
	pool := make([]any, []int{1, 3, 20, 200, 4000}[rng.IntN(5)])
	hard := rng.IntN(3) == 0
	for i := range pool {
		pool[i] = randomCell(rng, t, hard)
	}
	nulls := []int{0, 0, 10, 50, 100}[rng.IntN(5)]
	cells := make([]any, rows)
	for i := range cells {
		if rng.IntN(100) >= nulls {
			cells[i] = pool[rng.IntN(len(pool))]
		}
	}
	return cells
}

func randomCell(rng *rand.Rand, t arrow.DataType, hard bool) any {
	switch t.ID() {
	case arrow.BOOL:
		return int64(rng.IntN(2))
	case arrow.FLOAT16:
		return fromFloat16(toFloat16(float64(float32(rng.IntN(2000)-1000) / 8)))
	case arrow.FLOAT32:
		return float64(float32(randomFloat(rng, hard)))
	case arrow.FLOAT64:
		return randomFloat(rng, hard)
	case arrow.FIXED_SIZE_BINARY:
		return randomString(rng, 3, 3)
	}
	l, _, _ := laneOf(t)
	switch {
	case isDecimal(t):
		return randomDecimal(rng, t.(arrow.DecimalType).GetPrecision(), hard)
	case l == laneBytes:
		return randomString(rng, 0, []int{3, 7, 15, 40}[rng.IntN(4)])
	case l == laneUints:
		_, high := signedRange(t)
		return randomInt(rng, hard, rng.Uint64()) & (uint64(high)<<1 | 1)
	}
	low, high := signedRange(t)
	v := int64(randomInt(rng, hard, rng.Uint64()))
	if v < low || v > high {
		v = low + int64(uint64(v)%(uint64(high)-uint64(low)))
	}
	if t.ID() == arrow.DATE64 {
		v = v % 1000 * 86_400_000
	}
	return v
}

func randomInt(rng *rand.Rand, hard bool, any uint64) uint64 {
	switch {
	case !hard:
		return uint64(rng.Int64N(2001) - 1000)
	case rng.IntN(3) == 0:
		return any
	}
	return []uint64{0, 1, math.MaxInt64, 1 << 63, math.MaxUint64, math.MaxUint32, 1 << 31}[rng.IntN(7)]
}

func randomFloat(rng *rand.Rand, hard bool) float64 {
	if !hard {
		return float64(rng.IntN(2_000_001)-1_000_000) / 1000
	}
	switch rng.IntN(12) {
	case 0:
		return math.Float64frombits(rng.Uint64())
	case 1:
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[rng.IntN(3)]
	case 2:
		return math.Copysign(0, float64(rng.IntN(2))-0.5)
	case 3:
		return []float64{math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64}[rng.IntN(3)]
	}
	return math.Ldexp(rng.Float64()-0.5, rng.IntN(600)-300)
}

func randomDecimal(rng *rand.Rand, precision int32, hard bool) *big.Int {
	if !hard {
		return big.NewInt(int64(rng.IntN(2001) - 1000))
	}
	v := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(precision)), nil)
	v.Sub(v, big.NewInt(1+int64(rng.IntN(3))))
	if rng.IntN(2) == 0 {
		v.Neg(v)
	}
	return v
}

func randomString(rng *rand.Rand, shortest, longest int) string {
	n := shortest + rng.IntN(longest-shortest+1)
	var b strings.Builder
	for b.Len() < n {
		b.WriteByte("ab\x00z"[rng.IntN(4)])
	}
	return b.String()
}
