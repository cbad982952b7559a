package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// allocator is what tests build arrays with.
var allocator = memory.DefaultAllocator

// batchOf builds a batch from a JSON array of objects.
func batchOf(t testing.TB, schema *arrow.Schema, json string) arrow.RecordBatch {
	t.Helper()
	batch, _, err := array.RecordFromJSON(allocator, schema, strings.NewReader(json))
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

// rendered runs batches through a format.
func rendered(
	t testing.TB, format string, opt Options, schema *arrow.Schema, batches ...arrow.RecordBatch,
) string {
	t.Helper()
	f, ok := Lookup(format)
	if !ok {
		t.Fatalf("no format %s", format)
	}
	var out bytes.Buffer
	w, err := f.New(&out, schema, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// asIs are the options of a run without flags.
var asIs = Options{FloatDigits: -1, Compression: "none"}

func TestNullsAreToldFromText(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "k", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	batch := batchOf(t, schema, `[{"k": null}, {"k": ""}, {"k": "NULL"}]`)
	if got, want := rendered(t, "csv", asIs, schema, batch), "k\n\n\"\"\nNULL\n"; got != want {
		t.Errorf("csv: got %q, want %q", got, want)
	}
	want := `
┌────────┐
│ k      │
├────────┤
│ NULL   │
│ ""     │
│ "NULL" │
└────────┘
`
	if got := rendered(t, "table", asIs, schema, batch); got != want[1:] {
		t.Errorf("table: got\n%s, want\n%s", got, want[1:])
	}
}
