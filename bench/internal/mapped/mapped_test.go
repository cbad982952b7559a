package mapped

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"arrowagg/bench/internal/dataset"
)

func stream(t *testing.T, spec dataset.Spec) string {
	t.Helper()
	paths, err := dataset.Ensure(spec, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return paths[0]
}

// The mapping reads what arrow-go's reader reads, batch by batch.
func TestReadsWhatTheReaderReads(t *testing.T) {
	for _, spec := range []dataset.Spec{
		{Set: "h2o", Rows: 5000, Batch: 999},
		{Set: "sensor", Rows: 5000, Batch: 999, Encoding: "dictionary", Nulls: 0.1},
		{Set: "h2o", Rows: 5000, Batch: 999, Codec: "zstd", Encoding: "view"},
		{Set: "h2o"},
	} {
		path := stream(t, spec)
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		want, err := ipc.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for want.Next() {
			if !got.Next() {
				t.Fatalf("%+v: a batch is missing: %v", spec, got.Err())
			}
			if !array.RecordEqual(want.RecordBatch(), got.RecordBatch()) {
				t.Errorf("%+v: a batch differs", spec)
			}
		}
		if got.Next() || got.Err() != nil {
			t.Errorf("%+v: a batch too many, or %v", spec, got.Err())
		}
	}
}

func TestProjection(t *testing.T) {
	path := stream(t, dataset.Spec{Set: "h2o", Rows: 1000, Batch: 300})
	all, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	some, err := OpenColumns(path, []string{"v3", "id1"})
	if err != nil {
		t.Fatal(err)
	}
	for all.Next() {
		if !some.Next() {
			t.Fatal(some.Err())
		}
		for i, name := range []string{"v3", "id1"} {
			column := all.RecordBatch().Column(all.Schema().FieldIndices(name)[0])
			if !array.Equal(some.RecordBatch().Column(i), column) {
				t.Errorf("column %s differs", name)
			}
		}
	}
	if some.Next() {
		t.Error("a batch too many")
	}
	if _, err := OpenColumns(path, []string{"nope"}); err == nil {
		t.Error("a column that is not there is taken")
	}
}

func TestTruncatedIsAnError(t *testing.T) {
	whole, err := os.ReadFile(stream(t, dataset.Spec{Set: "h2o", Rows: 1000}))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 3, 7, 100, len(whole) / 2, len(whole) - 9} {
		path := filepath.Join(t.TempDir(), "cut.arrows")
		if err := os.WriteFile(path, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			continue
		}
		for r.Next() {
		}
		if r.Err() == nil {
			t.Errorf("the first %d of %d bytes read without an error", n, len(whole))
		}
	}
}
