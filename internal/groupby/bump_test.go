package groupby

import (
	"testing"

	"arrowagg/internal/arena"
)

// TestFewWordsTakeNoPage: what keeps little takes no page of the arena, and the
// words that it was given stay its own when pages begin.
func TestFewWordsTakeNoPage(t *testing.T) {
	memory := &arena.Arena{}
	defer memory.Close()
	b := bump{arena: memory}
	var given [][]uint64
	for i := range 20 {
		w := b.words(100 + i)
		w[0], w[len(w)-1] = uint64(i), uint64(i)
		given = append(given, w)
	}
	if memory.Held() != 0 {
		t.Errorf("%d bytes of pages for 2,000 words", memory.Held())
	}
	for range 200 {
		clear(b.words(1000))
	}
	if memory.InUse() == 0 {
		t.Error("200,000 words took no page")
	}
	for i, w := range given {
		if w[0] != uint64(i) || w[len(w)-1] != uint64(i) {
			t.Errorf("words %d were given twice", i)
		}
	}
	if b.release(); memory.InUse() != 0 {
		t.Errorf("%d bytes in use after the release", memory.InUse())
	}
}
