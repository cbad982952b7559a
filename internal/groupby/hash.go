package groupby

import (
	"hash/maphash"
	"math/bits"
	"math/rand/v2"
)

// hashing is seeded once per engine, so that nobody can prepare keys that
// collide. Hashes only say where to look; equality is always decided on the
// values. mask is all ones but in tests, which clear it to make all hashes
// collide.
type hashing struct {
	seed maphash.Seed
	a, b uint64
	mask uint64
}

func newHashing(collide bool) hashing {
	h := hashing{seed: maphash.MakeSeed(), a: rand.Uint64(), b: rand.Uint64() | 1, mask: ^uint64(0)}
	if collide {
		h.mask = 0
	}
	return h
}

// word mixes one word: the two halves of a product, folded.
func (h *hashing) word(w uint64) uint64 {
	hi, lo := bits.Mul64(w^h.a, h.b)
	return (hi ^ lo) & h.mask
}

// all is word for many.
func (h *hashing) all(dst, words []uint64) {
	a, b := h.a, h.b
	dst = dst[:len(words)]
	for i, w := range words {
		hi, lo := bits.Mul64(w^a, b)
		dst[i] = hi ^ lo
	}
	h.collide(dst)
}

// factors make a hash of the few uppermost bits of a key's words times them,
// added up: for what is looked at once and not searched for.
func (h *hashing) factors() [2]uint64 { return [2]uint64{h.b & h.mask, (h.a | 1) & h.mask} }

// pair mixes two words.
func (h *hashing) pair(w0, w1 uint64) uint64 {
	hi, lo := bits.Mul64(w0^h.a, w1^h.b)
	return (hi ^ lo) & h.mask
}

// pairs is pair for many.
func (h *hashing) pairs(dst []uint64, pairs [][2]uint64) {
	a, b := h.a, h.b
	dst = dst[:len(pairs)]
	for i := range pairs {
		p := &pairs[i]
		hi, lo := bits.Mul64(p[0]^a, p[1]^b)
		dst[i] = hi ^ lo
	}
	h.collide(dst)
}

func (h *hashing) collide(hashes []uint64) {
	if h.mask == 0 {
		clear(hashes)
	}
}

// words mixes any number of words.
func (h *hashing) words(w []uint64) uint64 {
	x := h.a
	for _, v := range w {
		hi, lo := bits.Mul64(v^x, h.b)
		x = hi ^ lo ^ v
	}
	return h.word(x)
}

// bytes mixes any number of bytes.
func (h *hashing) bytes(b []byte) uint64 { return maphash.Bytes(h.seed, b) & h.mask }
