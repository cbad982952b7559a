package groupby

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// TestFunctions: what help, validation and the next level read of every row of
// the table.
func TestFunctions(t *testing.T) {
	merges := map[string]string{
		"sum": "sum", "count": "sum", "min": "min", "max": "max",
		"bool_and": "min", "bool_or": "max", "any_value": "min",
	}
	for i := range Functions {
		f := &Functions[i]
		if found, ok := Lookup(f.Name); !ok || found != f {
			t.Errorf("%s: looked up as %v", f.Name, found)
		}
		if f.Help == "" || strings.ContainsAny(f.Help, "\n\t") || f.Name != strings.ToLower(f.Name) {
			t.Errorf("%s: help %q", f.Name, f.Help)
		}
		want := merges[f.Name]
		if want == "" {
			want = "none"
		}
		if f.Merge != want {
			t.Errorf("%s: merges as %q, want %q", f.Name, f.Merge, want)
		}
		if f.MaxArguments == 0 || f.Name == "count" {
			continue
		}
		lists := make([]arrow.DataType, f.MinArguments)
		for k := range lists {
			lists[k] = arrow.ListOf(arrow.PrimitiveTypes.Int64)
		}
		_, err := f.Bind(lists, BindOptions{})
		if err == nil || !strings.HasPrefix(err.Error(), f.Name+" takes ") {
			t.Errorf("%s of lists: error %v", f.Name, err)
		}
	}
}

func TestBooleanFunctionsTakeBooleansAlone(t *testing.T) {
	for _, name := range []string{"bool_and", "bool_or"} {
		f, _ := Lookup(name)
		_, err := f.Bind([]arrow.DataType{arrow.PrimitiveTypes.Int8}, BindOptions{})
		if want := name + " takes booleans, not int8"; err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
		types := []arrow.DataType{arrow.FixedWidthTypes.Boolean}
		if got, want := f.SQL([]string{`"x"`}, types, types[0]), strings.ToUpper(name)+`("x")`; got != want {
			t.Errorf("SQL %s, want %s", got, want)
		}
	}
}

// TestEachFunctionAlone: the draw of random specs reaches each function seldom.
func TestEachFunctionAlone(t *testing.T) {
	rounds := uint64(2)
	if testing.Short() {
		rounds = 1
	}
	first := rand.Uint64()
	for i := range Functions {
		for round := range rounds {
			seed := first + round
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			checkTable(t, seed, rng, randomSpecOf(rng, Functions[i:i+1]))
			if t.Failed() {
				t.Fatalf("%s: %d", Functions[i].Name, i)
			}
		}
	}
}
