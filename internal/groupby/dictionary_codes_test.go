package groupby

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// TestOneDictionaryOfTwoReaders: a dictionary column that is two keys, or a key
// and a value, has its nulls in both.
func TestOneDictionaryOfTwoReaders(t *testing.T) {
	host := Column{Name: "host", Type: arrow.BinaryTypes.String}
	f, _ := Lookup("count_distinct")
	spec := specOf([]Column{host, host}, Aggregate{Function: f, Arguments: []int{0}, Name: "n", Type: arrow.PrimitiveTypes.Int64})
	spec.Keys[1].Column = 0
	spec.Columns = spec.Columns[:1]
	e := newEngine(t, spec, Options{Threads: 1})
	dictionary := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int64, ValueType: arrow.BinaryTypes.String}
	index := makeArray(arrow.PrimitiveTypes.Int64, []any{int64(0), nil, int64(1), int64(0), nil})
	column := array.NewDictionaryArray(dictionary, index, makeArray(arrow.BinaryTypes.String, []any{"a", "b"}))
	if err := updateAll(t, e, 5, column.Data()); err != nil {
		t.Fatal(err)
	}
	want := [][]any{{"a", "a", int64(1)}, {"b", "b", int64(1)}, {nil, nil, int64(0)}}
	if got, want := show(rowsOf(t, spec, e)), show(want); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
