package expr

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/syntax"
)

// pools are columns of every type, with values that meet often, and literals
// that lie on them, between them and beyond them.
var pools = []struct {
	column, typ      string
	values, literals string // separated by blanks
}{
	{"i8", "int8", "-128 -1 0 1 2 127", "-129 -128 -1.5 -1 0 0.5 1 1e0 127 127.5 1e30"},
	{"i32", "int32", "-2147483648 -1 0 1 7 2147483647", "0 1 7 7.0 2147483647 2147483648"},
	{"i64", "int64", "-9223372036854775808 -1 0 1 9007199254740993 9223372036854775807", "-9223372036854775809 " +
		"9223372036854775807 9223372036854775807.5 9007199254740992 9007199254740993 -1e400 0"},
	{"u8", "uint8", "0 1 2 255", "-1 0 1 254.9 255 256"},
	{"u64", "uint64", "0 1 9223372036854775808 18446744073709551615", "-1 0 0.1 9223372036854775808 18446744073709551615 1e20"},
	{"f32", "float32", "NaN inf -inf -0.0 0.0 0.1 1 -1.5 16777216", "0 0.1 0.10000000149011612 -0.0 1e39 -1e39 'NaN' 'inf' '-inf' 1"},
	{"f64", "float64", "NaN inf -inf -0.0 0.0 0.1 1 -1.5 9007199254740992", "0 0.1 -0.0 1e400 -1e400 'NaN' 'inf' '-inf' 9007199254740993 1e-400"},
	{"d64", "decimal64(9, 3)", "0.000 0.001 -1.500 1.000 999999.999", "0 0.0005 0.001 -1.5 1 1e6"},
	{"d128", "decimal128(20, 2)", "0.00 0.01 -1.50 1.00 999999999999999999.99", "0 0.005 0.01 -1.5 1 1e18 1e39 -1e39"},
	{"d256", "decimal256(50, 2)", "0.00 0.01 -1.50 1.00 999999999999999999999999999999.99", "0 0.001 1 -1.5 1e30 1e90 -1e90"},
	{"neg", "decimal128(10, -2)", "0 100 -200 12300", "0 99 100 100.5 -200 12300"},
	{"s", "utf8", "a b ab abc b%c größe größer _ NULL", "'' 'a' 'ab' 'abb' 'größe' 'zz' '_'"},
	{"s2", "large_utf8", "a b ab abc größe a_string_of_more_than_twelve_bytes", "'a' 'ab' 'c' 'a_string_of_more_than_twelve_bytes'"},
	{"bin", "binary", `a \xff \x00 ab`, `'\x' '\x61' '\xff' '\x0000' '\x6162'`},
	{"up", "bool", "true false", "true false"},
	{"day", "date32", "-1 0 1 19000", "'1969-12-31' '1970-01-01' '2022-01-08' '2400-02-29'"},
	{"day64", "date64", "-86400000 0 86400000", "'1969-12-31' '1970-01-01' '1970-01-02'"},
	{"t", "time32[ms]", "0 1 3600000 86399999", "'00:00:00' '01:00:00' '23:59:59'"},
	{"took", "duration[us]", "-1 0 1 1500000 5400000000", "0s 1us 1.5s 1h30m -1us 1ns '90m'"},
	{"ts", "timestamp[s]", "-1 0 1 1700000000", "'1969-12-31T23:59:59' '1970-01-01T00:00:00.5' '1970-01-01T00:00:00' '2023-11-14T22:13:20'"},
	{"ms", "timestamp[ms]", "-1 0 500 1000 1700000000001", "'1970-01-01T00:00:00.5' '1970-01-01T00:00:00.0005' '2023-11-14T22:13:20'"},
	{"tz", "timestamp[ms, Europe/Berlin]", "-1 0 500 1700000000000", "'1970-01-01T00:00:00Z' '1970-01-01T01:00:00+01:00' '2023-11-14T22:13:20Z'"},
	{"nil", "null", "", "0 'x'"},
}

var ops = []string{"=", "<>", "<", "<=", ">", ">="}

func randomStream(rng *rand.Rand, rows int) *arrowtest.Stream {
	var header []string
	for _, p := range pools {
		header = append(header, p.column+" "+p.typ)
	}
	s := arrowtest.Must(strings.Join(header, " | "))
	batch := arrowtest.Batch{}
	for range rows {
		row := make(arrowtest.Row, len(pools))
		for i, p := range pools {
			values := strings.Fields(p.values)
			if row[i] = arrowtest.Null; len(values) > 0 && rng.IntN(5) > 0 {
				row[i] = arrowtest.Cell{Text: values[rng.IntN(len(values))]}
			}
		}
		batch.Rows = append(batch.Rows, row)
	}
	s.Batches = append(s.Batches, batch)
	return s
}

// randomCondition writes a condition over the pools.
func randomCondition(rng *rand.Rand, depth int) string {
	if depth > 0 && rng.IntN(3) > 0 {
		a, b := randomCondition(rng, depth-1), randomCondition(rng, depth-1)
		switch rng.IntN(4) {
		case 0:
			return "not (" + a + ")"
		case 1:
			return "(" + a + ") " + ops[rng.IntN(len(ops))] + " (" + b + ")"
		case 2:
			return "(" + a + ") or (" + b + ")"
		}
		return "(" + a + ") and (" + b + ")"
	}
	p := pools[rng.IntN(len(pools))]
	literals := strings.Fields(p.literals)
	literal := func() string { return literals[rng.IntN(len(literals))] }
	op, not := ops[rng.IntN(len(ops))], []string{"", " not"}[rng.IntN(2)]
	switch rng.IntN(8) {
	case 0:
		return p.column + " is" + not + " null"
	case 1:
		return literal() + " " + op + " " + p.column
	case 2:
		return p.column + not + " in (" + literal() + ", " + literal() + ", " + literal() + ")"
	case 3:
		return p.column + not + " between " + literal() + " and " + literal()
	case 4:
		return p.column + " " + op + " " + sameClass(rng, p.column)
	case 5:
		patterns := strings.Fields("'%' 'a%' '%b' '_' '%ö_e%' 'a%c' '' '%r' '__' '%b%' 'gr%e' '%a%b%' '_b%_' 'b%%c'")
		return []string{"s", "s2"}[rng.IntN(2)] + not + " like " + patterns[rng.IntN(len(patterns))]
	case 6:
		return "up"
	}
	return p.column + " " + op + " " + literal()
}

func sameClass(rng *rand.Rand, column string) string {
	groups := []string{"i8 i32 i64 u8 u64 f32 f64 d64 d128 d256 neg", "s s2", "bin", "up", "day day64", "t", "took", "ts ms", "tz", "nil"}
	for _, g := range groups {
		if names := strings.Fields(g); slices.Contains(names, column) {
			return names[rng.IntN(len(names))]
		}
	}
	panic(column)
}

func scopeOf(fields []arrow.Field) Scope {
	var s Scope
	for _, f := range fields {
		s.Columns = append(s.Columns, Column{Name: f.Name, Type: f.Type})
	}
	return s
}

// filterRows filters a batch that has the columns that the condition uses.
func filterRows(t *testing.T, src string, c *Condition, f *Filter, rec arrow.RecordBatch) []int32 {
	t.Helper()
	var columns []arrow.ArrayData
	for i := range c.Uses() {
		columns = append(columns, rec.Column(i).Data())
	}
	rows, all, err := f.Select(columns, rec.NumRows())
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	if all {
		rows = nil
		for i := range rec.NumRows() {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// Random conditions over random rows select what the oracle does, however the
// columns are encoded, sliced and cut into batches.
func TestFilterAgainstOracle(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 2))
	defer func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	}()
	runs := 200
	if testing.Short() {
		runs = 60
	}
	for run := range runs {
		s := randomStream(rng, 1+rng.IntN(200))
		src := randomCondition(rng, 3)
		e, err := syntax.ParseCondition(src)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		scope := scopeOf(s.Fields)
		c, err := BindCondition(src, e, scope)
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		var want []int32
		for i, row := range s.Batches[0].Rows {
			if (&oracle{s.Fields, row}).condition(e) == yes {
				want = append(want, int32(i))
			}
		}
		var used []string
		for _, i := range c.Uses() {
			used = append(used, s.Fields[i].Name)
		}
		if len(used) == 0 {
			used = []string{"i8"} // so that there are rows
		}
		f := c.NewFilter() // one filter sees all encodings, as it does in a run
		for name, form := range forms(t, s.Select(used...), rng) {
			var got []int32
			first := int32(0)
			for _, rec := range form {
				for _, row := range filterRows(t, src, c, f, rec) {
					got = append(got, first+row)
				}
				first += int32(rec.NumRows())
			}
			if !slices.Equal(got, want) {
				t.Fatalf("run %d: %s, %s: rows %v, want %v\n%s", run, src, name, got, want, difference(s, e, got, want))
			}
		}
	}
}

// forms writes the same rows in other encodings and cuts.
func forms(t *testing.T, s *arrowtest.Stream, rng *rand.Rand) map[string][]arrow.RecordBatch {
	t.Helper()
	must := func(recs []arrow.RecordBatch, err error) []arrow.RecordBatch {
		if err != nil {
			t.Fatal(err)
		}
		return recs
	}
	all := map[string][]arrow.RecordBatch{
		"plain":  must(s.Records()),
		"slices": must(s.Slices(3, 2)),
		"cut":    must(s.RecutAt(rng).Records()),
	}
	index := []arrow.DataType{arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Int64}[rng.IntN(3)]
	encode := map[string]func(arrow.DataType) arrow.DataType{
		"dictionary": func(dt arrow.DataType) arrow.DataType {
			return &arrow.DictionaryType{IndexType: index, ValueType: dt}
		},
		"runs":  func(dt arrow.DataType) arrow.DataType { return arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, dt) },
		"views": func(dt arrow.DataType) arrow.DataType { return arrowtest.ToView(arrow.Field{Type: dt}) },
	}
	for name, as := range encode {
		encoded := s.Retype(func(f arrow.Field) arrow.DataType {
			switch f.Type.ID() {
			case arrow.NULL, arrow.DECIMAL32, arrow.DECIMAL64, arrow.BOOL:
				return f.Type // arrow-go's builders have no encodings of them
			}
			return as(f.Type)
		})
		all[name] = must(encoded.Records())
		all[name+" in slices"] = must(encoded.Slices(2, 1))
		all[name+" in cuts"] = must(encoded.RecutAt(rng).Records())
	}
	return all
}

func difference(s *arrowtest.Stream, e syntax.Expr, got, want []int32) string {
	for i, row := range s.Batches[0].Rows {
		if slices.Contains(got, int32(i)) != slices.Contains(want, int32(i)) {
			var cells []string
			for j, f := range s.Fields {
				cells = append(cells, fmt.Sprintf("%s=%v", f.Name, row[j]))
			}
			return fmt.Sprintf("row %d: %s", i, strings.Join(cells, " "))
		}
	}
	return ""
}
