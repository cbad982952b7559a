package result

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// table writes rows, given as JSON, as an IPC stream and loads it.
func table(t *testing.T, fields []arrow.Field, json string) *Table {
	t.Helper()
	schema := arrow.NewSchema(fields, nil)
	batch, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(json))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema))
	if err := w.Write(batch); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t.arrows")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func field(name string, typ arrow.DataType) arrow.Field {
	return arrow.Field{Name: name, Type: typ, Nullable: true}
}

var (
	utf8    = arrow.BinaryTypes.String
	int64s  = arrow.PrimitiveTypes.Int64
	doubles = arrow.PrimitiveTypes.Float64
	base    = []arrow.Field{field("k", utf8), field("n", int64s), field("x", doubles)}
)

const baseRows = `[{"k":"a","n":1,"x":0.5},{"k":null,"n":2,"x":1e10},{"k":"b","n":null,"x":-3}]`

var byKey = Options{Keys: []string{"k"}, Approximate: []string{"x"}}

func TestSameRowsInOtherTypesAndOrder(t *testing.T) {
	want := table(t, base, baseRows)
	for name, got := range map[string]*Table{
		"rows in another order": table(t, base, `[{"k":"b","n":null,"x":-3},{"k":"a","n":1,"x":0.5},{"k":null,"n":2,"x":1e10}]`),
		"columns in another order": table(t, []arrow.Field{base[2], base[0], base[1]},
			`[{"k":"a","n":1,"x":0.5},{"k":null,"n":2,"x":1e10},{"k":"b","n":null,"x":-3}]`),
		"rounded otherwise": table(t, base, `[{"k":"a","n":1,"x":0.5},{"k":null,"n":2,"x":10000000000.00001},{"k":"b","n":null,"x":-3}]`),
		"other types": table(t, []arrow.Field{
			field("k", arrow.BinaryTypes.StringView),
			field("n", &arrow.Decimal128Type{Precision: 38}), field("x", doubles),
		}, `[{"k":"a","n":"1","x":0.5},{"k":null,"n":"2","x":1e10},{"k":"b","n":null,"x":-3}]`),
		"dictionary": table(t, []arrow.Field{
			field("k", &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: utf8}),
			field("n", arrow.PrimitiveTypes.Uint8), field("x", doubles),
		}, baseRows),
	} {
		for _, d := range Diff(want, got, byKey) {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestDifferencesAreFound(t *testing.T) {
	want := table(t, base, baseRows)
	for name, c := range map[string]struct {
		fields []arrow.Field
		rows   string
		says   string
	}{
		"an integer":     {base, strings.Replace(baseRows, `"n":2`, `"n":3`, 1), `k=null: n is 3, want 2`},
		"a null":         {base, strings.Replace(baseRows, `"n":null`, `"n":0`, 1), `k="b": n is 0, want null`},
		"a float":        {base, strings.Replace(baseRows, `0.5`, `0.5001`, 1), `x is 0.5001, want 0.5`},
		"another key":    {base, strings.Replace(baseRows, `"a"`, `"c"`, 1), `no row for k="a"`},
		"null as text":   {base, strings.Replace(baseRows, `"k":null`, `"k":""`, 1), `no row for k=null`},
		"a row less":     {base, `[{"k":"a","n":1,"x":0.5},{"k":null,"n":2,"x":1e10}]`, `2 rows, want 3`},
		"a row twice":    {base, strings.Replace(baseRows, `]`, `,{"k":"a","n":1,"x":0.5}]`, 1), `a row too many for k="a"`},
		"another name":   {[]arrow.Field{base[0], base[1], field("y", doubles)}, `[]`, `columns k,n,y, want k,n,x`},
		"another family": {[]arrow.Field{base[0], base[1], field("x", int64s)}, `[]`, `column "x" is of type int64`},
		"infinite":       {base, strings.Replace(baseRows, `1e10`, `"Inf"`, 1), `x is +Inf, want 1e+10`},
	} {
		d := strings.Join(Diff(want, table(t, c.fields, c.rows), byKey), "\n")
		if !strings.Contains(d, c.says) {
			t.Errorf("%s: %q does not say %q", name, d, c.says)
		}
	}
}

func TestRoundingIsForgivenOnlyWhereSaid(t *testing.T) {
	want := table(t, base, baseRows)
	got := table(t, base, strings.Replace(baseRows, `1e10`, `10000000000.00001`, 1))
	if d := Diff(want, got, Options{Keys: []string{"k"}}); len(d) == 0 {
		t.Error("an exact column may not differ")
	}
}

func TestOrdered(t *testing.T) {
	a := table(t, base, `[{"k":"a"},{"k":"b"}]`)
	b := table(t, base, `[{"k":"b"},{"k":"a"}]`)
	if d := Diff(a, b, Options{Ordered: true}); len(d) != 2 {
		t.Errorf("%q, want two differences", d)
	}
	if d := Diff(a, a, Options{Ordered: true}); len(d) != 0 {
		t.Errorf("%q, want none", d)
	}
}

func TestDecimalsCompareByValue(t *testing.T) {
	d := func(scale int32, json string) *Table {
		return table(t, []arrow.Field{field("d", &arrow.Decimal128Type{Precision: 30, Scale: scale})}, json)
	}
	two := d(2, `[{"d":"1.50"},{"d":"-0.05"},{"d":"0.00"}]`)
	four := d(4, `[{"d":"1.5000"},{"d":"-0.0500"},{"d":"0.0000"}]`)
	for _, text := range Diff(two, four, Options{Ordered: true}) {
		t.Error(text)
	}
	if other := d(4, `[{"d":"1.5001"},{"d":"-0.0500"},{"d":"0.0000"}]`); len(Diff(two, other, Options{Ordered: true})) != 1 {
		t.Error("1.5 and 1.5001 are taken for one")
	}
}

func TestInstantsCompareAcrossUnits(t *testing.T) {
	at := func(typ arrow.DataType, text string) *Table {
		return table(t, []arrow.Field{field("t", typ)}, `[{"t":"`+text+`"}]`)
	}
	seconds := at(&arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"}, "2024-01-01T00:00:01Z")
	nanos := at(&arrow.TimestampType{Unit: arrow.Nanosecond}, "2024-01-01 00:00:01")
	for _, d := range Diff(seconds, nanos, Options{Ordered: true}) {
		t.Error(d)
	}
}
