package groupby

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arena"
)

// Tables, those left behind while they grew among them, are given back when
// their values are ranked.
func TestRankedTablesAreGivenBack(t *testing.T) {
	const keys = 300_000
	for name, lane := range map[string]lane{"words": laneUints, "bytes": laneWords} {
		memory := &arena.Arena{}
		var in interner = newWordInterner(newHashing(false), memory)
		if name == "bytes" {
			in = newBytesInterner(newHashing(false), false, memory)
		}
		var s internScratch
		codes := make([]uint32, 1000)
		v := &vector{n: len(codes), lane: lane, width: 1, uints: make([]uint64, len(codes)), words: make([]uint64, len(codes))}
		for lo := 0; lo < keys; lo += len(codes) {
			for i := range codes {
				v.uints[i] = uint64(lo+i) << 20
				v.words[i] = v.uints[i]
			}
			if bad := in.intern(codes, v, &s); bad >= 0 {
				t.Fatal(bad)
			}
		}
		grown := memory.InUse()
		if n := in.rank(arrow.PrimitiveTypes.Uint64).values.len(); n != keys {
			t.Errorf("%s: %d values", name, n)
		}
		if ranked := memory.InUse(); grown == 0 || ranked > 0 {
			t.Errorf("%s: %d bytes of %d left", name, ranked, grown)
		}
		memory.Close()
	}
}
