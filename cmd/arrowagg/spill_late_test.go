package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
)

// TestSpillingAcrossLateSchemas: pipes whose schemas appear one after the other
// widen the aggregated columns. Runs of every width are on disk then, and give
// what one run in memory gives.
func TestSpillingAcrossLateSchemas(t *testing.T) {
	t.Parallel()
	widths := []arrow.DataType{arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64}
	seeds := uint64(8)
	if testing.Short() {
		seeds = 2
	}
	for seed := uint64(1); seed <= seeds; seed++ {
		rng := rand.New(rand.NewPCG(seed, 24))
		b := &bench{t: t, rng: rng, dir: t.TempDir()}
		var pipes []func() string
		for i, width := range widths {
			s := arrowtest.Must(fmt.Sprintf("k utf8 | v_sum %s | w_max %s | u %s\n%s", width, width, width,
				lateRows(rng, arrow.IsFloating(width.ID()))))
			content := s.Recut(5 + 7*i).MustEncode(arrowtest.Encoding{})
			pipes = append(pipes, func() string { return b.pipe(content) })
		}
		names := func() (list []string) {
			for _, p := range pipes {
				list = append(list, p())
			}
			return list
		}
		flags := []string{
			"-f", "csv", "-g", "k", "-a",
			"sum(v_sum), max(w_max), mean(u), count(*), var_pop(u), count_distinct(u), median(v_sum)",
		}
		want := runWith(nil, slices.Concat(flags, names())...)
		if want.code != exitDone {
			t.Fatalf("seed %d: %v", seed, want)
		}
		temp := t.TempDir()
		if got := runSpilling(everyFrame(2), temp, slices.Concat(flags, names())...); got != want {
			t.Errorf("seed %d: %v\n%s", seed, got, firstDifference(got.stdout, want.stdout))
		}
		wantEmpty(t, temp)
	}
}

func lateRows(rng *rand.Rand, fractions bool) (text string) {
	for range 150 {
		value := func() string {
			switch {
			case rng.IntN(6) == 0:
				return "null"
			case fractions:
				return fmt.Sprintf("%d.25", rng.IntN(2000)-1000)
			}
			return fmt.Sprint(rng.IntN(2000) - 1000)
		}
		text += fmt.Sprintf("k%d | %s | %s | %s\n", rng.IntN(60), value(), value(), value())
	}
	return text
}
