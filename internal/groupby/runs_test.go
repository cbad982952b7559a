package groupby

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// TestRunsOfKeys groups by a column whose values come in runs, a column whose
// runs are short, and a column of rows' numbers, in one block and in many. Then
// every key type is made once a run and copied, nulls among them.
func TestRunsOfKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	types := append(slices.Clone(keyTypes), arrow.BinaryTypes.BinaryView, arrow.BinaryTypes.LargeBinary)
	for _, typ := range types {
		for _, bucketRows := range []int{1, 1 << 20} {
			t.Run(fmt.Sprint(typ, bucketRows), func(t *testing.T) { checkRuns(t, rng, typ, bucketRows) })
		}
	}
}

func checkRuns(t *testing.T, rng *rand.Rand, typ arrow.DataType, bucketRows int) {
	spec := specOf([]Column{{"long", typ}, {"short", typ}, {"number", arrow.PrimitiveTypes.Int32}})
	for c := range 2 { // also as strings of other layouts than the engine chooses
		spec.Keys[c].Type = typ
	}
	spec.Output = arrow.NewSchema([]arrow.Field{
		{Name: "long", Type: typ, Nullable: true}, {Name: "short", Type: typ, Nullable: true}, spec.Output.Field(2),
	}, nil)
	const n = 1500
	few, many := []any{nil, randomCell(rng, typ, false), randomCell(rng, typ, false)}, make([]any, 600)
	for i := range many {
		many[i] = randomCell(rng, typ, false)
	}
	if typ.ID() == arrow.BOOL {
		many = few // has runs then, of a hundred rows
	}
	table := make([][]any, 3)
	for i := range n {
		table[0] = append(table[0], few[rng.IntN(len(few))])
		table[1] = append(table[1], many[rng.IntN(len(many))])
		table[2] = append(table[2], int64(i))
	}
	tuned := defaultTuning()
	keepRows(&tuned)
	tuned.bucketRows, tuned.batchRows = bucketRows, 400
	e := newEngine(t, spec, Options{Threads: 2, tuning: &tuned})
	var columns []arrow.ArrayData
	for c, cells := range table {
		columns = append(columns, encode(rng, spec.Columns[c].Type, cells).Data())
	}
	if err := updateAll(t, e, n, columns...); err != nil {
		t.Fatal(err)
	}
	result, err := e.Finish(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	if blocks := len(result.blocks); (blocks > 1) != (bucketRows == 1) {
		t.Fatalf("%d blocks", blocks)
	}
	whole := span{n: n}
	found, long := result.runs(whole, 0)
	if !long || len(found.ends) > len(few) || found.ends[len(found.ends)-1] != n {
		t.Fatalf("the runs of %d rows of %d values: %v, worth it: %v", n, len(few), found, long)
	}
	if _, long := result.runs(whole, 2); long {
		t.Fatal("the numbers of the rows have long runs")
	}
	want, _ := twin(spec, table)
	rows, _, err := drain(spec, result)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := show(rows), show(want); a != b {
		t.Fatalf("got\n%.2000s\nwant\n%.2000s", a, b)
	}
}

// TestRunsEnd compares runs in keys of several words and columns with what a
// look at every group finds.
func TestRunsEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, widths := range [][]int{{3, 5, 4}, {2, 60, 9}, {64, 1}, {0, 4, 4}} {
		r := &Result{layout: newLayout(widths), engine: &Engine{}}
		var rows [][]uint64
		for range 2000 {
			row := make([]uint64, r.layout.words)
			for c, f := range r.layout.fields {
				row[f.word] |= uint64(rng.IntN(min(1<<min(widths[c], 20), 1+7*c+3))) << f.shift
			}
			rows = append(rows, row)
		}
		slices.SortFunc(rows, slices.Compare[[]uint64])
		for rest := rows; len(rest) > 0; {
			n := min(len(rest), 1+rng.IntN(40))
			r.blocks, rest = append(r.blocks, &block{n: n, keys: slices.Concat(rest[:n]...)}), rest[n:]
		}
		for c, f := range r.layout.fields {
			var want []int
			for i := 1; i <= len(rows); i++ {
				if i == len(rows) || rows[i][0]>>f.shift != rows[i-1][0]>>f.shift {
					want = append(want, i)
				}
			}
			wanted := f.word == 0 && minRun*len(want) <= len(rows)
			found, long := r.runs(span{n: len(rows)}, c)
			if long != wanted {
				t.Fatalf("widths %v, column %d: worth it: %v, want %v", widths, c, long, wanted)
			}
			if long && !slices.Equal(found.ends, want) {
				t.Fatalf("widths %v, column %d: runs end at %v, want %v", widths, c, found.ends, want)
			}
		}
	}
}

func TestRepeat(t *testing.T) {
	for _, value := range []string{"", "a", "abc"} {
		for n := range 9 {
			got := make([]byte, n*len(value))
			repeat(got, []byte(value))
			want := ""
			for range n {
				want += value
			}
			if string(got) != want {
				t.Fatalf("%d times %q: %q", n, value, got)
			}
		}
	}
}
