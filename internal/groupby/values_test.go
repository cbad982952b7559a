package groupby

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arena"
)

// TestRanksOfStrings: ranks follow the bytes of values, whatever these have in
// common in front, long or short, and where one begins another.
func TestRanksOfStrings(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 42))
	for _, prefix := range []string{"", "id", "id000000", "a prefix of more than fifteen bytes", "\x00"} {
		for _, distinct := range []int{0, 1, 2, 2000} {
			values := map[string]bool{}
			for len(values) < distinct {
				tail := fmt.Sprint(random.IntN(1 << 20))
				switch random.IntN(4) {
				case 0:
					tail = strings.Repeat("\x00", random.IntN(20))
				case 1:
					tail += strings.Repeat("z", random.IntN(20))
				}
				values[prefix+tail] = true
			}
			in := newBytesInterner(newHashing(false), true, &arena.Arena{})
			v := &vector{lane: laneBytes, offsets: []int32{0}}
			pool := []string{}
			for value := range values {
				pool = append(pool, value)
				v.bytes = append(v.bytes, value...)
				v.offsets = append(v.offsets, int32(len(v.bytes)))
			}
			v.n = len(pool)
			codes := make([]uint32, v.n)
			if bad := in.intern(codes, v, &internScratch{}); bad >= 0 {
				t.Fatal(bad)
			}
			ranks := in.rank(arrow.BinaryTypes.String).rank
			sorted := slices.Sorted(slices.Values(pool))
			for i, value := range pool {
				if got := sorted[ranks[codes[i]]]; got != value {
					t.Fatalf("prefix %q: %q has the rank of %q", prefix, value, got)
				}
			}
		}
	}
}
