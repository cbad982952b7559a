package groupby

import "testing"

// TestSizesGrowWithGroups: what grows says so, and nothing is left in the end.
func TestSizesGrowWithGroups(t *testing.T) {
	q := benchQueries[3] // one integer key
	spec, batches := q.prepare(400_000)
	e := newEngine(t, spec, Options{Threads: 1})
	w := e.NewWorker()
	before := e.Size()
	for _, b := range batches {
		if err := w.Update(b, int64(b[0].Len()), nil); err != nil {
			t.Fatal(err)
		}
	}
	groups := int64(4000)
	if grown := e.Size() - before; grown < groups*8*int64(w.states.stride) {
		t.Fatalf("%d groups of %d words, and the size has grown by %d", groups, w.states.stride, grown)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rowsOf(t, spec, e)
	if e.arena.Held() != 0 {
		t.Fatalf("%d bytes are held after the end", e.arena.Held())
	}
}
