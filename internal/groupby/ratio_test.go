package groupby

import (
	"math"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// pairSpec builds a spec of one string key and one aggregate of two columns.
func pairSpec(function string, x, y arrow.DataType) Spec {
	spec := specOf([]Column{{Name: "host", Type: arrow.BinaryTypes.String}})
	f, _ := Lookup(function)
	a := Aggregate{Function: f, Name: function, Arguments: []int{1, 2}}
	a.Type, _ = f.Bind([]arrow.DataType{x, y}, BindOptions{})
	columns := append(spec.Columns, Column{Name: "x", Type: x}, Column{Name: "y", Type: y})
	spec = specOf(columns[:1], a)
	spec.Columns = columns
	return spec
}

// checkPair compares what an aggregate of two columns gives with want, a cell
// a key, in the order of the keys.
func checkPair(t *testing.T, spec Spec, keys, x, y []any, want [][]any) {
	t.Helper()
	e := newEngine(t, spec, Options{Threads: 1})
	columns := []arrow.ArrayData{text(keys...), makeArray(spec.Columns[1].Type, x).Data(), makeArray(spec.Columns[2].Type, y).Data()}
	if err := updateAll(t, e, int64(len(keys)), columns...); err != nil {
		t.Fatal(err)
	}
	if got, want := show(rowsOf(t, spec, e)), show(want); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestRatioOfSums(t *testing.T) {
	inf := math.Inf(1)
	checkPair(t, pairSpec("ratio", arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Int64),
		[]any{"a", "a", "b", "b", "c", "d", "e", "f", "f", "g"},
		[]any{0.1, 0.2, 1.0, nil, 1.0, nil, 1.0, inf, 2.0, 0.0},
		[]any{int64(1), int64(2), nil, int64(4), int64(0), int64(7), nil, int64(-1), int64(0), int64(-3)},
		[][]any{
			{"a", 0.1}, // 0.1 + 0.2 is not 0.3 in doubles, and their exact sum divided by three is this
			{"b", 0.25}, {"c", nil}, {"d", nil}, {"e", nil}, {"f", -inf}, {"g", 0.0},
		})
}

func TestRatioDividesOnceAndScales(t *testing.T) {
	big := int64(math.MaxInt64)
	d := &arrow.Decimal128Type{Precision: 20, Scale: 2}
	checkPair(t, pairSpec("ratio", arrow.PrimitiveTypes.Int64, d),
		[]any{"a", "a", "a"}, []any{big, big, big}, []any{twinInt(int64(100)), twinInt(int64(100)), twinInt(int64(100))},
		[][]any{{"a", 0x1p63}})
}

func TestWeightedMean(t *testing.T) {
	f64, nan := arrow.PrimitiveTypes.Float64, math.NaN()
	checkPair(t, pairSpec("weighted_mean", f64, arrow.PrimitiveTypes.Uint64),
		[]any{"a", "a", "a", "b", "b", "c", "d", "d"},
		[]any{0.25, 0.5, nil, 1.0, 2.0, 7.0, math.Inf(1), 1.0},
		[]any{uint64(1), uint64(3), uint64(50), nil, uint64(0), nil, uint64(0), uint64(1)},
		[][]any{{"a", 0.4375}, {"b", nil}, {"c", nil}, {"d", nan}})
	// The products overflow, their mean does not.
	checkPair(t, pairSpec("weighted_mean", f64, f64), []any{"a", "a"},
		[]any{1e300, 3e300}, []any{1e300, 1e300}, [][]any{{"a", 2e300}})
	d := &arrow.Decimal128Type{Precision: 38, Scale: 2}
	checkPair(t, pairSpec("weighted_mean", d, arrow.PrimitiveTypes.Int64), []any{"a", "a"},
		[]any{twinInt(int64(150)), twinInt(int64(-50))}, []any{int64(math.MaxInt64), int64(math.MaxInt64)},
		[][]any{{"a", 0.5}})
}
