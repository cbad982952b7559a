package groupby

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// TestVarianceOfSmallNoiseOnALargeValue: the textbook's example of what floating
// point gets wrong: 1e9 + {4, 7, 13, 16} has a variance of 30.
func TestVarianceOfSmallNoiseOnALargeValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	want := map[string]float64{
		"var_samp": 30, "var_pop": 22.5, "stddev_samp": math.Sqrt(30), "stddev_pop": math.Sqrt(22.5),
	}
	for name, v := range want {
		for _, typ := range []arrow.DataType{arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Int64} {
			spec := one(name, typ)
			table := [][]any{{}, {}}
			for _, x := range []int64{4, 7, 13, 16} {
				table[0] = append(table[0], "a")
				if typ == arrow.PrimitiveTypes.Int64 {
					table[1] = append(table[1], 1_000_000_000+x)
				} else {
					table[1] = append(table[1], 1e9+float64(x))
				}
			}
			for _, f := range feedings {
				f.batch = 1 + rng.IntN(2) // so that workers have parts of the group
				rows, _, err := f.run(rng, spec, table)
				if got := show(rows); err != nil || got != show([][]any{{"a", v}}) {
					t.Errorf("%s of %s, %s: %s, error %v", name, typ, f.name, got, err)
				}
			}
		}
	}
}

func TestVarianceOfFewOrNoNumbers(t *testing.T) {
	f64 := arrow.PrimitiveTypes.Float64
	keys := text("all null", "inf", "inf", "nan", "nan", "one", "one nan", "zero", "zero")
	values := makeArray(f64, []any{nil, 1.0, math.Inf(1), math.NaN(), 2.0, 5.0, math.NaN(), 1.5, 1.5}).Data()
	nan := math.NaN()
	for name, want := range map[string][]any{
		"var_samp":    {nil, nan, nan, nil, nil, 0.0},
		"var_pop":     {nil, nan, nan, 0.0, nan, 0.0},
		"stddev_samp": {nil, nan, nan, nil, nil, 0.0},
		"stddev_pop":  {nil, nan, nan, 0.0, nan, 0.0},
	} {
		spec := one(name, f64)
		e := newEngine(t, spec, Options{Threads: 1})
		if err := updateAll(t, e, 9, keys, values); err != nil {
			t.Fatal(err)
		}
		var rows [][]any
		for i, key := range []string{"all null", "inf", "nan", "one", "one nan", "zero"} {
			rows = append(rows, []any{key, want[i]})
		}
		if got, want := show(rowsOf(t, spec, e)), show(rows); got != want {
			t.Errorf("%s: got\n%swant\n%s", name, got, want)
		}
	}
}
