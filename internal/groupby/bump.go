package groupby

import "arrowagg/internal/arena"

// bump cuts words off an arena's pages, for what lives as long as its owner.
type bump struct {
	arena  *arena.Arena
	chunks [][]byte
	left   []uint64 // of the last chunk
	held   int64
}

// words returns n words of undefined content.
func (b *bump) words(n int) []uint64 {
	if n > len(b.left) {
		chunk := b.arena.Get(max(arena.Page, 8*n))
		b.chunks, b.held = append(b.chunks, chunk), b.held+int64(len(chunk))
		b.left = cast[uint64](chunk)
	}
	w := b.left[:n:n]
	b.left = b.left[n:]
	return w
}

// bytes returns n bytes of undefined content.
func (b *bump) bytes(n int) []byte { return bytesOf(b.words((n + 7) / 8))[:n:n] }

// release gives everything back.
func (b *bump) release() {
	for _, c := range b.chunks {
		b.arena.Put(c)
	}
	b.chunks, b.left, b.held = nil, nil, 0
}
