package groupby

import (
	"math/rand/v2"
	"testing"

	"arrowagg/internal/arena"
)

// TestRepeats estimates rows to a group where rows lie in blocks of two layouts:
// exactly if they are few, else about.
func TestRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	var memory arena.Arena
	defer memory.Close()
	for _, widths := range [][2][]int{{{14, 3}, {20, 9}}, {{40, 20}, {40, 40}}} {
		old, now := newLayout(widths[0]), newLayout(widths[1])
		for _, c := range []struct{ groups, times, least, most int }{{100, 3, 3, 3}, {1000, 1, 1, 1}, {10_000, 5, 4, 6}} {
			r := &rowStore{memory: bump{arena: &memory}}
			all := rng.Perm(c.groups * c.times)
			for lo := 0; lo < len(all); lo += 90 {
				r.layout = now
				if lo < len(all)/2 {
					r.layout = old
				}
				part := all[lo:min(lo+90, len(all))]
				numbers := [][]uint32{make([]uint32, len(part)), make([]uint32, len(part))}
				for i, row := range part {
					numbers[0][i], numbers[1][i] = uint32(row%c.groups), uint32(row%c.groups%8)
				}
				keys := make([]uint64, len(part)*r.layout.words)
				r.layout.pack(keys, numbers)
				r.add(keys, len(part), nil, nil)
			}
			h := newHashing(false)
			if got := r.repeats(&h); got < c.least || got > c.most {
				t.Errorf("%d groups of %d rows in layouts of %v bits: estimated %d", c.groups, c.times, widths, got)
			}
			r.release()
		}
	}
}
