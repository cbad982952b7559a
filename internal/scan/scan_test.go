package scan

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/expr"
	"arrowagg/internal/syntax"
)

func condition(t *testing.T, src string, columns ...expr.Column) *expr.Condition {
	t.Helper()
	e, err := syntax.ParseCondition(src)
	if err != nil {
		t.Fatal(err)
	}
	c, err := expr.BindCondition(src, e, expr.Scope{Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func computed(t *testing.T, src string, columns ...expr.Column) *expr.Computed {
	t.Helper()
	items, err := syntax.ParseItems(src)
	if err != nil {
		t.Fatal(err)
	}
	c, err := expr.BindComputed(src, items[0].Expr, expr.Scope{Columns: columns})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func decoded(t *testing.T, text string) ([]arrow.ArrayData, int64) {
	t.Helper()
	recs, err := arrowtest.Must(text).Records()
	if err != nil {
		t.Fatal(err)
	}
	var columns []arrow.ArrayData
	for _, c := range recs[0].Columns() {
		columns = append(columns, c.Data())
	}
	return columns, recs[0].NumRows()
}

// taken writes the rows that come through, column by column.
func taken(t *testing.T, s *Scanner, columns []arrow.ArrayData, rows int64, source string) string {
	t.Helper()
	var out strings.Builder
	err := s.Scan(columns, rows, source, func(p Piece) error {
		selected := p.Selected
		if selected == nil {
			for i := range p.Rows {
				selected = append(selected, int32(i))
			}
		}
		for _, i := range selected {
			for _, c := range p.Columns {
				cell := "nil"
				if c != nil {
					cell = array.MakeFromData(c).ValueStr(int(i))
				}
				fmt.Fprintf(&out, "%s ", cell)
			}
			out.WriteString("; ")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestScan(t *testing.T) {
	x := expr.Column{Name: "x", Type: arrow.PrimitiveTypes.Int64}
	ts := expr.Column{Name: "ts", Type: arrow.FixedWidthTypes.Timestamp_s}
	p := &Projection{
		Where:       condition(t, "x > 1", x),
		WhereInputs: []int{1},
		Columns: []Column{
			{Input: 0},
			{Computed: computed(t, "date_trunc(hour, ts)", ts), Inputs: []int{2}},
			{Source: true},
		},
	}
	columns, rows := decoded(t, "k utf8 | x int64 | ts timestamp[s, UTC]\na | 1 | 0\nb | 2 | 3601\nc | null | 5\nd | 3 | null\n")
	const want = "b 1970-01-01T01:00:00Z w1 ; d (null) w1 ; "
	s := p.NewScanner()
	for range 2 {
		if got := taken(t, s, columns, rows, "w1"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got := taken(t, s, columns, rows, "w2"); got != strings.ReplaceAll(want, "w1", "w2") {
		t.Errorf("another source: got %s", got)
	}
	// An input without the columns has no row that meets the condition.
	if got := taken(t, s, []arrow.ArrayData{nil, nil, nil}, rows, "w1"); got != "" {
		t.Errorf("no columns: got %s", got)
	}
}

// Where nothing is asked of rows the arrays are passed on, not touched.
func TestIdle(t *testing.T) {
	p := &Projection{Columns: []Column{{Input: 0}, {Input: 1}}}
	columns, rows := decoded(t, "k utf8 | x int64\na | 1\nb | 2\n")
	s := p.NewScanner()
	take := func(p Piece) error {
		if &p.Columns[0] != &columns[0] || p.Rows != rows || p.Selected != nil || p.First != 0 {
			t.Errorf("got %v", p)
		}
		return nil
	}
	if n := testing.AllocsPerRun(10, func() { s.Scan(columns, rows, "w", take) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Long batches go through in pieces, with rows and errors counted in the batch.
func TestPieces(t *testing.T) {
	const rows = 3*pieceRows + 5
	b := array.NewInt64Builder(memory.DefaultAllocator)
	for i := range rows {
		b.Append(int64(i))
	}
	columns := []arrow.ArrayData{b.NewArray().Data()}
	x := expr.Column{Name: "x", Type: arrow.PrimitiveTypes.Int64}
	p := &Projection{
		Where: condition(t, "x >= 65530 and x <> 65540", x), WhereInputs: []int{0},
		Columns: []Column{
			{Input: 0},
			{Computed: computed(t, "cast(x as int32)", x), Inputs: []int{0}, Written: "cast(x as int32)"},
		},
	}
	next := int64(65530)
	err := p.NewScanner().Scan(columns, rows, "", func(p Piece) error {
		if p.Rows > pieceRows {
			t.Errorf("a piece of %d rows", p.Rows)
		}
		in, out := array.NewInt64Data(p.Columns[0]), array.NewInt32Data(p.Columns[1])
		selected := p.Selected
		if selected == nil {
			for i := range p.Rows {
				selected = append(selected, int32(i))
			}
		}
		for _, i := range selected {
			if next == 65540 {
				next++
			}
			if in.Value(int(i)) != next || out.Value(int(i)) != int32(next) || p.First+int64(i) != next {
				t.Fatalf("row %d of the piece at %d: %d and %d, want %d", i, p.First, in.Value(int(i)), out.Value(int(i)), next)
			}
			next++
		}
		return nil
	})
	if err != nil || next != rows {
		t.Errorf("%v, %d rows", err, next)
	}

	p = &Projection{Columns: []Column{{
		Computed: computed(t, "cast(x as uint16)", x), Inputs: []int{0}, Written: "cast(x as uint16)",
	}}}
	var value *expr.ValueError
	err = p.NewScanner().Scan(columns, rows, "", func(Piece) error { return nil })
	if !errors.As(err, &value) || value.Row != 65536 || !strings.HasPrefix(value.Text, "cast(x as uint16): ") {
		t.Errorf("got %v", err)
	}
	stop := errors.New("stop")
	calls := 0
	p = &Projection{Columns: []Column{{Source: true}}}
	err = p.NewScanner().Scan(columns, rows, "", func(Piece) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// Rows without data are one piece, whatever their number.
func TestRowsWithoutData(t *testing.T) {
	const rows = 1e15
	x := expr.Column{Name: "x", Type: arrow.PrimitiveTypes.Int64}
	for src, pieces := range map[string]int{"x is null": 1, "x = 1": 0} {
		p := &Projection{
			Where: condition(t, src, x), WhereInputs: []int{0},
			Columns: []Column{{Input: 0}, {Source: true}, {Computed: computed(t, "cast(x as int8)", x), Inputs: []int{0}}},
		}
		n := 0
		err := p.NewScanner().Scan([]arrow.ArrayData{nil}, rows, "w", func(p Piece) error {
			n++
			if p.Rows != rows || p.Selected != nil || p.Columns[0] != nil || p.Columns[2] != nil {
				t.Errorf("%s: got %v", src, p)
			}
			runs := p.Columns[1]
			if runs.Len() != rows || runs.Children()[0].Len() != 1 {
				t.Errorf("%s: the source is %v", src, runs)
			}
			return nil
		})
		if err != nil || n != pieces {
			t.Errorf("%s: %v, %d pieces", src, err, n)
		}
	}
}
