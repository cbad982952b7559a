package ipcread

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

var int16s = arrow.PrimitiveTypes.Int16

// nested are columns that no plan can use, each of which can be damaged: numbers
// of its buffers, as they lie there, and what makes them wrong.
var nested = []struct {
	name    string
	typ     arrow.DataType
	json    string
	damages []damage
}{
	{"list", arrow.ListOf(int16s), `[[1, 2], null, [3]]`, []damage{
		{ints(0, 2, 2, 3), ints(0, 2, 2, 300), "row 3: offset 300 is outside 0 to 3"},
		{ints(0, 2, 2, 3), ints(0, 2, 1, 3), "row 2: offset 1 comes after 2"},
		{ints(0, 2, 2, 3), ints(-1, 2, 2, 3), "row 1: offset -1 is outside 0 to 3"},
	}},
	{"large list", arrow.LargeListOf(int16s), `[[1, 2], null, [3]]`, []damage{
		{longs(0, 2, 2, 3), longs(0, 2, 2, 4), "row 3: offset 4 is outside 0 to 3"},
	}},
	{"map", arrow.MapOf(int16s, int16s), `[[{"key": 1, "value": 2}], [], [{"key": 3, "value": 4}]]`, []damage{
		{ints(0, 1, 1, 2), ints(0, 1, 1, 9), "row 3: offset 9 is outside 0 to 2"},
	}},
	{"list view", arrow.ListViewOf(int16s), `[[1, 2], null, [3, 4, 5, 6, 7]]`, []damage{
		{ints(2, 0, 5), ints(2, 0, -5), "row 3: -5 values from 2 on, of 7"},
		{ints(2, 0, 5), ints(8, 0, 5), "row 1: 8 values from 0 on, of 7"},
	}},
	{"large list view", arrow.LargeListViewOf(int16s), `[[1, 2], null, [3, 4, 5, 6, 7]]`, []damage{
		{longs(2, 0, 5), longs(2, 0, 6), "row 3: 6 values from 2 on, of 7"},
	}},
	{
		"struct", arrow.StructOf(arrow.Field{Name: "s", Type: arrow.BinaryTypes.String, Nullable: true}),
		`[{"s": "ab"}, null, {"s": "c"}]`,
		[]damage{
			{ints(0, 2, 2, 3), ints(0, 9, 2, 3), "row 1: offset 9 is outside 0 to 3"},
			{[]byte("abc"), []byte{'a', 'b', 0xff}, "row 3: not UTF-8"},
		},
	},
	{"list of list", arrow.ListOf(arrow.ListOf(int16s)), `[[[1, 2], [3, 4, 5]], [[6]]]`, []damage{
		{ints(0, 2, 5, 6), ints(0, 2, 7, 6), "row 2: offset 7 is outside 0 to 6"},
	}},
	{"dense union", arrow.DenseUnionOf([]arrow.Field{
		{Name: "a", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "b", Type: arrow.BinaryTypes.String, Nullable: true},
	}, []arrow.UnionTypeCode{5, 7}), `[[5, 1], [7, "x"], [5, 2], [5, 3]]`, []damage{
		{[]byte{5, 7, 5, 5}, []byte{5, 7, 5, 8}, "row 4: no child of the union has type id 8"},
		{[]byte{5, 7, 5, 5}, []byte{5, 0xff, 5, 5}, "row 2: no child of the union has type id -1"},
		{ints(0, 0, 1, 2), ints(0, 1, 1, 2), "row 2: offset 1 into a child of 1 rows"},
		{ints(0, 0, 1, 2), ints(0, 0, -1, 2), "row 3: offset -1 into a child of 3 rows"},
	}},
	{"sparse union", arrow.SparseUnionOf([]arrow.Field{
		{Name: "a", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "b", Type: arrow.BinaryTypes.String, Nullable: true},
	}, []arrow.UnionTypeCode{5, 7}), `[[5, 1], [7, "xyz"], [5, 2]]`, []damage{
		{[]byte{5, 7, 5}, []byte{5, 6, 5}, "row 2: no child of the union has type id 6"},
		{ints(0, 0, 3, 3), ints(0, 0, 3, 4), "row 3: offset 4 is outside 0 to 3"},
	}},
	{"dictionary of lists", nil, ``, []damage{
		{ints(0, 2, 2, 3), ints(0, 2, 2, 4), "dictionary with id 0 at byte "},
	}},
}

type damage struct {
	from, to []byte
	want     string
}

func ints(values ...int32) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return b
}

func longs(values ...int64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}

// nestedColumn is a column of that type, or a dictionary of lists.
func nestedColumn(t *testing.T, typ arrow.DataType, json string) arrow.Array {
	t.Helper()
	if typ == nil {
		lists := nestedColumn(t, arrow.ListOf(int16s), `[[1, 2], null, [3]]`)
		encoded := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: lists.DataType()}
		return array.NewDictionaryArray(encoded, nestedColumn(t, encoded.IndexType, `[2, null, 0]`), lists)
	}
	column, _, err := array.FromJSON(memory.DefaultAllocator, typ, strings.NewReader(json))
	if err != nil {
		t.Fatal(err)
	}
	return column
}

// encoded is a stream of a batch of those rows between two columns that can be
// read, so that a wrong count of nodes or buffers would show in the last.
func encoded(t *testing.T, column arrow.Array, options ...ipc.Option) []byte {
	t.Helper()
	n := nestedColumn(t, arrow.PrimitiveTypes.Int64, "["+strings.Repeat("77,", column.Len()-1)+"77]")
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "n", Type: n.DataType()}, {Name: "x", Type: column.DataType(), Nullable: true}, {Name: "m", Type: n.DataType()},
	}, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, append(options, ipc.WithSchema(schema))...)
	for range 2 {
		if err := w.Write(array.NewRecordBatch(schema, []arrow.Array{n, column, n}, int64(n.Len()))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func checkOne(t *testing.T, b []byte) Report {
	t.Helper()
	reports, _, err := Check(testContext, []string{write(t, "x", b)}, Options{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	return reports[0]
}

func TestCheckLooksIntoNestedColumns(t *testing.T) {
	for _, c := range nested {
		column := nestedColumn(t, c.typ, c.json)
		for _, options := range codecs {
			if got := checkOne(t, encoded(t, column, options...)); got.Status != "ok" || got.Batches != 2 {
				t.Errorf("%s: %+v", c.name, got)
			}
		}
		whole := encoded(t, column)
		for _, d := range c.damages {
			at := bytes.LastIndex(whole, d.from) // in the last batch
			if at < 0 {
				t.Fatalf("%s: no %v", c.name, d.from)
			}
			damaged := slices.Concat(whole[:at], d.to, whole[at+len(d.from):])
			if got := checkOne(t, damaged); got.Status != "error" || !strings.Contains(got.Problem, `column "x"`) ||
				!strings.Contains(got.Problem, d.want) {
				t.Errorf("%s: %q, want %q", c.name, got.Problem, d.want)
			}
			r, err := read([]string{write(t, "x", damaged)}, Options{})
			if err != nil || len(r.rows) != 2*column.Len() {
				t.Errorf("%s: a run, which does not read it: %v, %v", c.name, r.rows, err)
			}
		}
	}
}

// TestCheckUnpacksNestedColumns damages every byte of a compressed body in turn:
// what is not found leaves values other ones, not a frame that cannot be read.
func TestCheckUnpacksNestedColumns(t *testing.T) {
	many := "[[" + strings.Repeat("12345, 6, 7, 8,", 100) + "1]]"
	column := nestedColumn(t, arrow.ListOf(int16s), many)
	whole := encoded(t, column, ipc.WithZstd())
	magic := []byte{0x28, 0xb5, 0x2f, 0xfd}
	frames := bytes.Count(whole, magic)
	if frames == 0 {
		t.Fatal("nothing is compressed")
	}
	for at := 0; ; {
		i := bytes.Index(whole[at:], magic)
		if i < 0 {
			break
		}
		at += i
		damaged := slices.Clone(whole)
		damaged[at] ^= 1
		if got := checkOne(t, damaged); got.Status != "error" {
			t.Errorf("a frame at byte %d that is none: %+v", at, got)
		}
		at++
	}
}

func TestCheckCountsNulls(t *testing.T) {
	column := nestedColumn(t, arrow.PrimitiveTypes.Int64, `[null, 2, null, 4]`)
	whole := encoded(t, column)
	node := longs(4, 2) // four rows, two nulls
	at := bytes.LastIndex(whole, node)
	for claimed, want := range map[int64]string{2: "", -1: "", 1: "1 nulls, of which its validity bitmap has 2", 4: "4 nulls, of which"} {
		copy(whole[at:], longs(4, claimed))
		if got := checkOne(t, whole); !strings.Contains(got.Problem, want) || (got.Problem == "") != (want == "") {
			t.Errorf("%d nulls claimed: %q, want %q", claimed, got.Problem, want)
		}
		r, err := read([]string{write(t, "x", whole)}, Options{})
		if err != nil || len(r.rows) != 8 {
			t.Errorf("%d nulls claimed: a run, which counts them itself: %v, %v", claimed, r.rows, err)
		}
	}
}

// TestCheckOfTheCorpus: no real file is said to be bad, and what is made bad in
// any column is said to be.
func TestCheckOfTheCorpus(t *testing.T) {
	// A struct without its validity buffer, which other readers refuse, too.
	const shortOfBuffers = "dict_of_struct_ree_valid"
	files := corpusFiles(t, "")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		short := strings.TrimSuffix(strings.TrimPrefix(name, "hostile/"), ".arrows")
		_, known := readFromHostile[short]
		got := checkOne(t, files[name])
		switch {
		case short == shortOfBuffers:
			if !strings.Contains(got.Problem, "6 buffers where the schema has 7") {
				t.Errorf("%s: %q", name, got.Problem)
			}
		case strings.HasPrefix(name, "hostile/") && !known && got.Status == "ok" && !slices.Contains(answeredElsewhere, short):
			t.Errorf("%s: ok", name)
		case (!damaged(name) && notRead[name] == "" || strings.HasPrefix(name, "hostile/") && known) && got.Status != "ok":
			t.Errorf("%s: %s", name, got.Problem)
		}
	}
}
