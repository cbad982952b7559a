package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/groupby"
)

// column draws the cells of one column: its values come out of a small pool of
// what is easy to get wrong, or fresh ones.
type column struct {
	field arrow.Field
	pool  []string
	fresh func() string
}

// randomStream draws a schema and rows. A column's name is its role by the
// default rule; no name earns a warning.
func randomStream(rng *rand.Rand, maxRows int) *arrowtest.Stream {
	var columns []column
	for i := range rng.IntN(4) {
		columns = append(columns, randomColumn(rng, fmt.Sprintf("k%d", i), randomKeyType(rng)))
	}
	suffixes := []string{"", "_sum", "_count", "_min", "_max"}
	for i := range rng.IntN(4) + 1 - min(len(columns), 1) {
		name := fmt.Sprintf("v%d%s", i, suffixes[rng.IntN(len(suffixes))])
		columns = append(columns, randomColumn(rng, name, randomNumberType(rng)))
	}
	rng.Shuffle(len(columns), func(i, j int) { columns[i], columns[j] = columns[j], columns[i] })

	s := &arrowtest.Stream{}
	for _, c := range columns {
		s.Fields = append(s.Fields, c.field)
	}
	freshOneIn := []int{1, 3, 1 << 30}[rng.IntN(3)] // all distinct, some, only the pool
	nullOneIn := []int{2, 10, 1 << 30}[rng.IntN(3)]
	rows := make([]arrowtest.Row, rng.IntN(maxRows+1))
	for i := range rows {
		for _, c := range columns {
			cell := arrowtest.Cell{Text: c.pool[rng.IntN(len(c.pool))]}
			switch {
			case rng.IntN(nullOneIn) == 0:
				cell = arrowtest.Null
			case rng.IntN(freshOneIn) == 0:
				cell.Text = c.fresh()
			}
			rows[i] = append(rows[i], cell)
		}
	}
	s.Batches = []arrowtest.Batch{{Rows: rows}}
	return s
}

func randomKeyType(rng *rand.Rand) arrow.DataType {
	return pick[arrow.DataType](rng, arrow.BinaryTypes.String, arrow.BinaryTypes.String, arrow.BinaryTypes.StringView,
		arrow.BinaryTypes.LargeString, arrow.FixedWidthTypes.Boolean, arrow.FixedWidthTypes.Date32,
		arrow.FixedWidthTypes.Time64us,
		&arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}, &arrow.TimestampType{Unit: arrow.Nanosecond},
		&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int16, ValueType: arrow.BinaryTypes.String},
		arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String))
}

func randomNumberType(rng *rand.Rand) arrow.DataType {
	p := arrow.PrimitiveTypes
	return pick[arrow.DataType](rng, p.Int8, p.Int16, p.Int32, p.Int64, p.Int64, p.Uint8, p.Uint16, p.Uint32, p.Uint64,
		p.Float32, p.Float64, p.Float64, &arrow.Decimal128Type{Precision: 38, Scale: 3},
		&arrow.Decimal64Type{Precision: 18, Scale: 3}, &arrow.Decimal256Type{Precision: 76, Scale: 3},
		&arrow.Decimal32Type{Precision: 9, Scale: 3},
		&arrow.DurationType{Unit: arrow.Microsecond})
}

func pick[T any](rng *rand.Rand, values ...T) T { return values[rng.IntN(len(values))] }

// randomColumn gives the type its values. Half of the numeric columns stay
// small, so that their sums fit.
func randomColumn(rng *rand.Rand, name string, dt arrow.DataType) column {
	c := column{field: arrow.Field{Name: name, Type: dt, Nullable: true}}
	small := rng.IntN(2) == 0
	switch dt.ID() {
	case arrow.BOOL:
		c.pool, c.fresh = []string{"true", "false"}, func() string { return "true" }
	case arrow.TIME64:
		c.fresh = func() string { return time.UnixMicro(rng.Int64N(86400e6)).UTC().Format("15:04:05.000000") }
		c.pool = []string{"00:00:00.000000", "23:59:59.999999", c.fresh()}
	case arrow.DATE32:
		c.fresh = func() string { return time.Unix(86400*rng.Int64N(100_000), 0).UTC().Format("2006-01-02") }
		c.pool = []string{"1970-01-01", "1969-12-31", "0000-01-01", "9999-12-31", c.fresh()}
	case arrow.TIMESTAMP:
		layout := map[arrow.TimeUnit]string{
			arrow.Millisecond: "2006-01-02T15:04:05.000Z", arrow.Nanosecond: "2006-01-02T15:04:05.000000000",
		}[dt.(*arrow.TimestampType).Unit]
		at := func(seconds, nanos int64) string { return time.Unix(seconds, nanos).UTC().Format(layout) }
		c.fresh = func() string { return at(rng.Int64N(4e9)-2e9, rng.Int64N(1e9)) }
		c.pool = []string{at(0, 0), at(-1, 999e6), at(1e9, 1), at(1e9, 0), c.fresh()}
	case arrow.FLOAT32, arrow.FLOAT64:
		c.pool, c.fresh = randomFloats(rng, dt, small)
	case arrow.DECIMAL32, arrow.DECIMAL64, arrow.DECIMAL128, arrow.DECIMAL256:
		c.fresh = func() string { return fmt.Sprintf("%d.%03d", rng.IntN(2e5)-1e5, rng.IntN(1000)) }
		c.pool = []string{"0.000", "-0.001", "1.500", c.fresh()}
		if !small {
			nines := strings.Repeat("9", int(dt.(arrow.DecimalType).GetPrecision())-3) + ".999"
			c.pool = append(c.pool, nines, "-"+nines)
		}
	case arrow.STRING, arrow.STRING_VIEW, arrow.LARGE_STRING, arrow.DICTIONARY, arrow.RUN_END_ENCODED:
		c.pool, c.fresh = randomStrings(rng)
	default:
		c.pool, c.fresh = randomIntegers(rng, dt, small)
	}
	c.pool = c.pool[:1+rng.IntN(len(c.pool))]
	return c
}

func randomStrings(rng *rand.Rand) ([]string, func() string) {
	prefix := strings.Repeat("a shared prefix ", rng.IntN(3))
	pool := []string{
		"", "a", "ab", "abc", "a\x00", "a\x00b", "NULL", "null", "1234567", "12345678", "123456789012", "1234567890123",
		"123456789012345", "1234567890123456", "a,b", "\"", "\n", "ü", "日本語", strings.Repeat("x", 300), " a", "a ",
	}
	for i := range pool {
		pool[i] = prefix + pool[i]
	}
	rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	return pool, func() string { return prefix + strconv.Itoa(rng.IntN(1_000_000)) }
}

func randomIntegers(rng *rand.Rand, dt arrow.DataType, small bool) ([]string, func() string) {
	bits := dt.(arrow.FixedWidthDataType).BitWidth()
	low, high := int64(math.MinInt64)>>(64-bits), uint64(math.MaxInt64)>>(64-bits)
	if arrow.IsUnsignedInteger(dt.ID()) {
		low, high = 0, uint64(math.MaxUint64)>>(64-bits)
	}
	if small {
		low, high = max(low, -100), min(high, 100)
	}
	pool := []string{"0", "1", "7", strconv.FormatInt(low, 10), strconv.FormatUint(high, 10), strconv.FormatUint(high-1, 10)}
	rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	return pool, func() string { return strconv.FormatUint(rng.Uint64N(min(high, math.MaxInt64)), 10) }
}

func randomFloats(rng *rand.Rand, dt arrow.DataType, small bool) ([]string, func() string) {
	bits := dt.(arrow.FixedWidthDataType).BitWidth()
	text := func(v float64) string { return floatCell(v, bits) }
	pool := []string{"0.0", "-0.0", "0.1", "0.2", "-0.3", "1.0", "16777216.0"}
	if !small {
		pool = append(pool, "NaN", "inf", "-inf", "1e30", "-1e30", "1e-30", text(math.SmallestNonzeroFloat32), "1e16")
		if bits == 64 {
			pool = append(pool, "1e+300", "-1e+300", text(math.MaxFloat64), text(-math.MaxFloat64), text(math.SmallestNonzeroFloat64))
		}
	}
	rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	if bits == 32 {
		return pool, func() string { return text(float64(float32(rng.NormFloat64()))) }
	}
	return pool, func() string { return text(math.Ldexp(rng.NormFloat64(), rng.IntN(120)-60)) }
}

// randomQuestion draws the flags and what they mean by the contract: the
// default rule, -g, -a, or both; of functions those that the order of the rows
// is nothing to.
func randomQuestion(rng *rand.Rand, s *arrowtest.Stream) ([]string, question) {
	return randomQuestionOf(rng, s, unordered)
}

func unordered(f *groupby.Function) bool { return !f.Ordered }

// randomQuestionOf draws from some of the functions.
func randomQuestionOf(rng *rand.Rand, s *arrowtest.Stream, some func(*groupby.Function) bool) ([]string, question) {
	var byRule []int
	for i, f := range s.Fields {
		if f.Name[0] == 'k' {
			byRule = append(byRule, i)
		}
	}
	grouped, aggregated := rng.IntN(3) == 0, rng.IntN(3) == 0
	q := question{keys: byRule, decimalSums: rng.IntN(6) == 0}
	var args []string
	if q.decimalSums {
		args = append(args, "--int-sum", "decimal")
	}
	excluded := -1
	switch {
	case !grouped && rng.IntN(5) == 0:
		args, q.keys = append(args, "--no-keys"), nil
	case !grouped && !aggregated && rng.IntN(5) == 0:
		excluded = rng.IntN(len(s.Fields))
		args = append(args, "-x", s.Fields[excluded].Name)
		q.keys = slices.DeleteFunc(slices.Clone(q.keys), func(k int) bool { return k == excluded })
	}
	if grouped {
		q.keys = rng.Perm(len(s.Fields))[:1+rng.IntN(min(len(s.Fields), 3))]
		var names []string
		for _, f := range q.keys {
			names = append(names, s.Fields[f].Name)
		}
		args = append(args, "-g", strings.Join(names, ","))
	}
	if aggregated {
		texts := []string{"count(*)"}
		q.aggregates = []call{{function: "count", name: "count"}}
		for i := range rng.IntN(4) {
			c := randomCall(rng, s.Fields, some)
			c.name = fmt.Sprintf("out%d", i)
			q.aggregates = append(q.aggregates, c)
			texts = append(texts, c.text(s.Fields))
			if !grouped { // a column that -a uses is no key unless -g says so
				q.keys = slices.DeleteFunc(slices.Clone(q.keys), func(k int) bool { return slices.Contains(c.fields, k) })
			}
		}
		args = append(args, "-a", strings.Join(texts, ", "))
	}
	if !aggregated {
		q.aggregates = ruleAggregates(s, append(slices.Clone(q.keys), excluded))
	}
	q.columns = outputOrder(q, !grouped && !aggregated)
	return args, q
}

// randomCall draws a function and columns that it takes: one of those that
// everybody uses, or any of the table.
func randomCall(rng *rand.Rand, fields []arrow.Field, some func(*groupby.Function) bool) call {
	usual := []string{"sum", "min", "max", "count", "mean"}
	for {
		f := &groupby.Functions[rng.IntN(len(groupby.Functions))]
		if rng.IntN(2) == 0 {
			f, _ = groupby.Lookup(usual[rng.IntN(len(usual))])
		}
		c := call{function: f.Name}
		fits := some(f)
		for range max(f.MaxArguments, 1) {
			k := rng.IntN(len(fields))
			c.fields = append(c.fields, k)
			fits = fits && oracleFunctions[f.Name].takes(fields[k].Type)
		}
		if f.Parameter != "" {
			c.p = pick(rng, "0", "1", "0.5", "0.9", "0.99", "0.333", "0.000000001")
		}
		if fits {
			return c
		}
	}
}

// ruleAggregates are the numbers that are not otherwise used, merged by their
// suffix.
func ruleAggregates(s *arrowtest.Stream, used []int) []call {
	var calls []call
	for i, f := range s.Fields {
		if slices.Contains(used, i) || !isNumeric(f.Type) {
			continue
		}
		function := "sum"
		if strings.HasSuffix(f.Name, "_min") || strings.HasSuffix(f.Name, "_max") {
			function = f.Name[len(f.Name)-3:]
		}
		calls = append(calls, call{function: function, fields: []int{i}, name: f.Name})
	}
	return calls
}

// outputOrder is keys, then aggregates; or as in the input.
func outputOrder(q question, asInput bool) []int {
	var columns []int
	field := func(c int) int {
		if c >= 0 {
			return q.keys[c]
		}
		if fields := q.aggregates[^c].fields; len(fields) > 0 {
			return fields[0]
		}
		return -1
	}
	for i := range q.keys {
		columns = append(columns, i)
	}
	for i := range q.aggregates {
		columns = append(columns, ^i)
	}
	if asInput {
		slices.SortFunc(columns, func(a, b int) int { return field(a) - field(b) })
	}
	return columns
}
