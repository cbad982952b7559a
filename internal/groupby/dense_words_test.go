package groupby

import (
	"math/rand/v2"
	"slices"
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

// What is in the array is found there, and nothing else is, whatever the step
// and wherever the range lies.
func TestDensePlaces(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	for _, step := range []uint64{1, 2, 3, 7, 60, 1 << 20, 60_000_000, 86_400_000_000_000, 1 << 55, 3 << 52} {
		for _, low := range []uint64{0, 1, step, 1 << 63, ^uint64(0) - 40*step, ^uint64(0) - 31*step} {
			keys := make([]uint64, 32)
			for i := range keys {
				keys[i] = low + uint64(i)*step
			}
			d := newDense(keys)
			if d == nil {
				t.Fatalf("%d in steps of %d: no array", low, step)
			}
			for i, k := range keys[:30] { // the last two are not put
				d.put(k, uint32(i+1))
			}
			s := internScratch{words: slices.Clone(keys), missed: make([]int32, 1000)}
			for range 200 {
				s.words = append(s.words, low+random.Uint64N(40*step), random.Uint64(), low-random.Uint64N(40*step))
			}
			codes := make([]uint32, len(s.words))
			missed := s.missed[:d.probe(codes, &s)]
			for row, key := range s.words {
				want := uint32(slices.Index(keys[:30], key) + 1)
				if codes[row] != want || slices.Contains(missed, int32(row)) != (want == 0) {
					t.Fatalf("%d in steps of %d: key %d has code %d, want %d", low, step, key, codes[row], want)
				}
			}
		}
	}
}

// Values that count up, as times do in a log, are found from the array before
// and after it grows.
func TestDenseFollowsValuesThatCountUp(t *testing.T) {
	var keys []uint64
	var d *denseWords
	for i := range uint64(5000) {
		keys = append(keys, 1<<63+i*60_000_000)
		if timeForDense(len(keys)) {
			d = newDense(keys)
		}
		if len(keys) < leastDense {
			continue
		}
		if at := d.place(keys[i]); at >= uint64(len(d.codes)-1) {
			t.Fatalf("value %d has no place", i)
		}
	}
}
