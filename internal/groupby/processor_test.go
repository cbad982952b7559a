package groupby

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// TestNumbersDoNotDependOnTheProcessor pins the bits of everything that is
// computed of floats, over values drawn so that a fused product would show. The
// test proves something where it is run twice: make processor builds it for
// processors that fuse.
func TestNumbersDoNotDependOnTheProcessor(t *testing.T) {
	const want = "ab5e99333b83dc4f5e834fdc2d35420d144727b059930720e553e30b7890411b"
	rng := rand.New(rand.NewPCG(11, 12))
	const rows = 4000
	table := make([][]any, 3)
	for range rows {
		table[0] = append(table[0], fmt.Sprint("g", rng.IntN(40)))
		for c := 1; c < 3; c++ {
			table[c] = append(table[c], math.Ldexp(rng.Float64()-0.3, rng.IntN(90)-45))
		}
	}
	f64 := arrow.PrimitiveTypes.Float64
	spec := specOf([]Column{{Name: "host", Type: arrow.BinaryTypes.String}})
	columns := []Column{spec.Columns[0], {Name: "x", Type: f64}, {Name: "y", Type: f64}}
	var aggregates []Aggregate
	for _, name := range []string{
		"sum", "min", "max", "mean", "var_samp", "var_pop", "stddev_samp", "stddev_pop",
		"ratio", "weighted_mean", "arg_min", "arg_max",
	} {
		f, _ := Lookup(name)
		a := Aggregate{Function: f, Name: name, Arguments: []int{1, 2}[:f.MaxArguments], Type: f64}
		aggregates = append(aggregates, a)
	}
	spec = specOf(columns[:1], aggregates...)
	spec.Columns = columns
	answer, _, err := feedings[0].run(rng, spec, table)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256([]byte(show(answer)))); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
