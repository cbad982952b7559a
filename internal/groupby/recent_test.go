package groupby

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"arrowagg/internal/arena"
)

// TestRecentCodes: what a worker remembers has the codes of the interner that it
// was learned from, whatever values come in which order, and whoever asks.
func TestRecentCodes(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	lengths := map[string]func() int{
		"a word":   func() int { return random.IntN(wordBytes + 1) },
		"two":      func() int { return wordBytes + 1 + random.IntN(shortBytes-wordBytes) },
		"any":      func() int { return random.IntN(20) },
		"few long": func() int { return []int{3, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 40}[random.IntN(13)] },
	}
	for name, length := range lengths {
		for _, distinct := range []int{1, 5, 300, 20_000} {
			for _, collide := range []bool{false, true} {
				if collide && distinct > 300 {
					continue // every lookup would pass all of them
				}
				pool := make([]string, distinct)
				for i := range pool {
					pool[i] = (fmt.Sprint(i) + strings.Repeat("\x00", 40))[:length()] // told apart by length, too
				}
				in := newBytesInterner(newHashing(collide), true, &arena.Arena{})
				remembering := internScratch{recent: &recent{}}
				var plain internScratch
				for chunk := range 40 {
					v := chunkOf(random, pool, 1+random.IntN(chunkRows), chunk%3 == 0)
					codes, want := make([]uint32, v.n), make([]uint32, v.n)
					if bad := in.intern(codes, v, &remembering); bad >= 0 {
						t.Fatal(bad)
					}
					if bad := in.intern(want, v, &plain); bad >= 0 {
						t.Fatal(bad)
					}
					if !slices.Equal(codes, want) {
						t.Fatalf("%s, %d values, chunk %d: %v, want %v", name, distinct, chunk, codes, want)
					}
				}
			}
		}
	}
}

// chunkOf draws n rows from a pool, into memory that ends with the last one.
func chunkOf(random *rand.Rand, pool []string, n int, nulls bool) *vector {
	v := &vector{n: n, lane: laneBytes, offsets: []int32{0}}
	if nulls {
		v.valid = make([]uint64, (n+63)/64)
		for i := range v.valid {
			v.valid[i] = random.Uint64() | random.Uint64()
		}
	}
	for range n {
		v.bytes = append(v.bytes, pool[random.IntN(len(pool))]...)
		v.offsets = append(v.offsets, int32(len(v.bytes)))
	}
	v.bytes = slices.Clip(v.bytes)
	return v
}

// TestRecentIsAskedWhereItPays: it answers for few values and is left alone
// with many.
func TestRecentIsAskedWhereItPays(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for _, c := range []struct {
		distinct int
		nulls    bool
		want     bool
	}{{100, false, true}, {100, true, true}, {100_000, false, false}} {
		pool := make([]string, c.distinct)
		for i := range pool {
			pool[i] = fmt.Sprint(i)
		}
		in := newBytesInterner(newHashing(false), true, &arena.Arena{})
		s := internScratch{recent: &recent{}}
		codes := make([]uint32, chunkRows)
		for range 200 {
			in.intern(codes, chunkOf(random, pool, chunkRows, c.nulls), &s)
		}
		if got := s.recent.wait == 0; got != c.want {
			t.Errorf("%d values, nulls %t: asked always: %t, want %t", c.distinct, c.nulls, got, c.want)
		}
	}
}
