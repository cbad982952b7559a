package groupby

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// Values that go on past the array's range are new values, not null: keys that
// count up, as ids do, by far more than a table holds at first.
func TestKeysGrowPastTheDenseRange(t *testing.T) {
	const groups = 70_000
	spec := specOf([]Column{{Name: "id", Type: arrow.PrimitiveTypes.Int64}}, aggregateOf(&Spec{}, "count", nil))
	e := newEngine(t, spec, Options{Threads: 1})
	cells := make([]any, groups)
	for i := range cells {
		cells[i] = int64(i + 1)
	}
	if err := updateAll(t, e, groups, makeArray(arrow.PrimitiveTypes.Int64, cells).Data()); err != nil {
		t.Fatal(err)
	}
	if rows := rowsOf(t, spec, e); len(rows) != groups {
		t.Errorf("%d groups, want %d", len(rows), groups)
	}
}
