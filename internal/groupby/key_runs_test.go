package groupby

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arena"
)

// TestKeyRunsCodes: the codes of values in runs are those that each row for
// itself gets, in every lane, with nulls and without, and whatever the runs'
// lengths and places are.
func TestKeyRunsCodes(t *testing.T) {
	random := rand.New(rand.NewPCG(51, 52))
	kinds := map[string]struct {
		typ arrow.DataType
		put func(v *vector, x int)
	}{
		"ints": {arrow.PrimitiveTypes.Int64, func(v *vector, x int) {
			v.lane, v.ints = laneInts, append(v.ints, int64(x)-3)
		}},
		"uints": {arrow.PrimitiveTypes.Uint64, func(v *vector, x int) {
			v.lane, v.uints = laneUints, append(v.uints, uint64(x))
		}},
		"floats": {arrow.PrimitiveTypes.Float64, func(v *vector, x int) {
			v.lane = laneFloats
			v.floats = append(v.floats, []float64{0, math.Copysign(0, -1), math.NaN(), 1, 2, 3, 4, 5}[x%8])
		}},
		"decimals": {&arrow.Decimal128Type{Precision: 30}, func(v *vector, x int) {
			v.lane, v.width, v.words = laneWords, 2, append(v.words, uint64(x%2), uint64(x/2))
		}},
		"strings": {arrow.BinaryTypes.String, func(v *vector, x int) {
			v.lane = laneBytes
			v.bytes = append(v.bytes, []string{"", "a", "host-00001", "host-00002", "a value of more than 15 bytes"}[x%5]...)
			v.offsets = append(v.offsets, int32(len(v.bytes)))
		}},
	}
	for name, kind := range kinds {
		for _, longest := range []int{1, 3, 10, 100, 5000} {
			in := newInterner(kind.typ, maxNumbers, newHashing(false), &arena.Arena{})
			var runs keyRuns
			found := 0
			for chunk := range 60 {
				v := &vector{n: 1 + random.IntN(chunkRows), offsets: []int32{0}}
				if chunk%2 == 0 {
					v.valid = make([]uint64, wordsFor(v.n))
				}
				for row := 0; row < v.n; {
					x, null := random.IntN(8), random.IntN(4) == 0
					for end := min(v.n, row+1+random.IntN(longest)); row < end; row++ {
						kind.put(v, x)
						if v.valid != nil && !null {
							v.valid[row>>6] |= 1 << (row & 63)
						}
					}
				}
				var s internScratch
				want, codes := make([]uint32, v.n), make([]uint32, v.n)
				if bad := in.intern(want, v, &s); bad >= 0 {
					t.Fatal(bad)
				}
				bad, done := runs.intern(codes, in, v, &s)
				if !done {
					continue
				}
				found++
				if bad >= 0 || !slices.Equal(codes, want) {
					t.Fatalf("%s in runs of %d: %v, want %v (%d)", name, longest, codes, want, bad)
				}
			}
			if longest == 1 && found > 30 || longest >= 100 && found < 30 {
				t.Errorf("%s in runs of up to %d were found %d times", name, longest, found)
			}
		}
	}
}

// TestBadKeyInARun: the first row of the run is the one at fault.
func TestBadKeyInARun(t *testing.T) {
	v := &vector{lane: laneBytes, offsets: []int32{0}}
	for row := range 200 {
		v.n++
		v.bytes = append(v.bytes, fmt.Sprintf("%d", row/40)...)
		if row/40 == 3 {
			v.bytes[len(v.bytes)-1] = 0xff
		}
		v.offsets = append(v.offsets, int32(len(v.bytes)))
	}
	var runs keyRuns
	in := newBytesInterner(newHashing(false), true, &arena.Arena{})
	if bad, done := runs.intern(make([]uint32, v.n), in, v, &internScratch{}); !done || bad != 120 {
		t.Errorf("row %d (%t), want 120", bad, done)
	}
}
