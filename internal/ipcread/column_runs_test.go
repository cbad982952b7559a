package ipcread

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

// TestRunsThatClaimTooMuch: one run in a few hundred bytes that claims 1e15
// rows is refused, not counted through.
func TestRunsThatClaimTooMuch(t *testing.T) {
	for _, c := range []struct {
		rows int64
		fits bool
	}{{maxRunRows, true}, {maxRunRows + 1, false}, {1e15, false}} {
		ends := array.NewInt64Builder(memory.DefaultAllocator)
		ends.Append(c.rows)
		values := array.NewInt64Builder(memory.DefaultAllocator)
		values.Append(3)
		runs := array.NewRunEndEncodedArray(ends.NewArray(), values.NewArray(), int(c.rows), 0)
		schema := arrow.NewSchema([]arrow.Field{{Name: "v", Type: runs.DataType()}}, nil)
		var b bytes.Buffer
		w := ipc.NewWriter(&b, ipc.WithSchema(schema))
		if err := w.Write(array.NewRecordBatch(schema, []arrow.Array{runs}, c.rows)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "runs.arrows")
		if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		reports, _, err := Check(t.Context(), []string{name}, Options{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if ok := reports[0].Problem == ""; ok != c.fits || !ok && !strings.Contains(reports[0].Problem, "run-end column of") {
			t.Errorf("%d rows: %q", c.rows, reports[0].Problem)
		}
	}
}
