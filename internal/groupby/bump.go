package groupby

import "arrowagg/internal/arena"

// bump cuts words off an arena's pages, for what lives as long as its owner.
type bump struct {
	arena  *arena.Arena
	chunks [][]byte
	left   []uint64 // of the last chunk
	few    int      // words from Go's heap: little is not worth a page
}

// fewWords is how many words come from Go's heap before pages do.
const fewWords = 8 << 10

// words returns n words of undefined content.
func (b *bump) words(n int) []uint64 {
	switch {
	case n <= len(b.left):
	case b.few+n <= fewWords:
		b.left = make([]uint64, max(n, fewWords/8))
		b.few += len(b.left)
	default:
		chunk := b.arena.Get(max(arena.Page, 8*n))
		b.chunks = append(b.chunks, chunk)
		b.left = cast[uint64](chunk)
	}
	w := b.left[:n:n]
	b.left = b.left[n:]
	return w
}

// bytes returns n bytes of undefined content.
func (b *bump) bytes(n int) []byte { return bytesOf(b.words((n + 7) / 8))[:n:n] }

// last is the number of the last chunk, -1 as long as there is none.
func (b *bump) last() int { return len(b.chunks) - 1 }

// releaseChunk gives one chunk back, and nothing if there is none yet: what came
// from Go's heap goes there.
func (b *bump) releaseChunk(i int) {
	if i >= 0 {
		b.arena.Put(b.chunks[i])
		b.chunks[i] = nil
	}
}

// release gives everything back.
func (b *bump) release() {
	for _, c := range b.chunks {
		b.arena.Put(c)
	}
	b.chunks, b.left, b.few = nil, nil, 0
}
