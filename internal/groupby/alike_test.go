package groupby

import (
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// oneRun is a column of rows rows that all have one value.
func oneRun(value string, rows int64) arrow.ArrayData {
	t := arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String)
	ends := array.NewData(arrow.PrimitiveTypes.Int64, 1,
		[]*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int64Traits.CastToBytes([]int64{rows}))}, nil, 0, 0)
	return array.NewData(t, int(rows), []*memory.Buffer{nil}, []arrow.ArrayData{ends, text(value)}, 0, 0)
}

// A key that is one run for all rows costs nothing, however many rows there are.
func TestOneRunIsCountedAtOnce(t *testing.T) {
	spec := one("count", nil)
	e := newEngine(t, spec, Options{Threads: 1})
	w := e.NewWorker()
	for _, key := range []string{"b", "a", "b"} {
		if err := w.Update([]arrow.ArrayData{oneRun(key, 1e15)}, 1e15, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := show(rowsOf(t, spec, e)), show([][]any{{"a", int64(1e15)}, {"b", int64(2e15)}}); got != want {
		t.Fatalf("got %s want %s", got, want)
	}
}

func TestOneRunIsChecked(t *testing.T) {
	e := newEngine(t, one("count", nil), Options{Threads: 1})
	err := e.NewWorker().Update([]arrow.ArrayData{oneRun("\xff", 1e15)}, 1e15, nil)
	var value *ValueError
	if !errors.As(err, &value) || value.Row != 0 || !strings.Contains(value.Error(), "UTF-8") {
		t.Fatalf("got %v", err)
	}
}
