package groupby

// recent remembers, for one worker and one key column, the codes of short
// values that came lately, each in the one place that its hash leads to:
//
//	up to 7 bytes   h o s t - 7 0 | length and 1 |  code
//	up to 15        as in a bytesTable, two words |  code
//
// Where few values are distinct nearly every row is found there, with one
// multiplication and one comparison, and the interner's table is left for the
// others. Codes never change, so nothing that is remembered is ever wrong; a
// value may only be pushed out by another one. Where many values are distinct
// that is the rule: then it is asked ever more rarely. What is worth remembering
// is what is there when the next chunk will ask.
type recent struct {
	words []recentWord
	pairs []recentPair
	patience
}

type recentWord struct {
	key  uint64 // 0: nothing is remembered here
	code uint32
}

type recentPair struct {
	key  [2]uint64
	code uint32 // 0: nothing is remembered here
}

const (
	recentLog    = 13 // 1,000 values push each other out in 1 row of 20
	recentPlaces = 1 << recentLog

	wordBytes = 7
)

// look writes the codes of a chunk's values and lists in s the rows that it
// missed, whose codes mean nothing but whose keys are in s then.
func (r *recent) look(w *bytesInterner, codes []uint32, v *vector, s *internScratch) (missed int) {
	if int(v.offsets[v.n]-v.offsets[0]) > wordBytes*v.n {
		w.packAll(s.pairs, v)
		missed = r.lookPairs(&w.hash, codes, s)
		return v.present(codes, s.missed[:missed])
	}
	missed = r.lookWords(&w.hash, codes, v, s)
	missed = v.present(codes, s.missed[:missed])
	for _, row := range s.missed[:missed] {
		s.pairs[row] = w.key(v.at(int(row)))
	}
	return missed
}

// lookWords is look for values of which nearly all have up to 7 bytes; it misses
// all others, and those that end so close to the end of the memory that no word
// can be read there.
func (r *recent) lookWords(h *hashing, codes []uint32, v *vector, s *internScratch) (missed int) {
	if r.words == nil {
		r.words = make([]recentWord, recentPlaces)
	}
	places, factor := (*[recentPlaces]recentWord)(r.words), h.factors()[0]
	ends, b := v.offsets[1:][:len(codes)], v.bytes
	list := s.missed[:len(codes)]
	from := int(v.offsets[0])
	last := len(b) - 8
	for i, end := range ends {
		n, at := int(end)-from, from
		from = int(end)
		if uint(n) > wordBytes || at > last {
			list[missed] = int32(i)
			missed++
			continue
		}
		key := wordAt(b, at)&shortMasks[n&15][0] + uint64(n+1)
		p := &places[key*factor>>(64-recentLog)]
		codes[i] = p.code
		if p.key != key {
			list[missed] = int32(i)
			missed++
		}
	}
	return missed
}

// lookPairs is look for values whose keys are in s.
func (r *recent) lookPairs(h *hashing, codes []uint32, s *internScratch) (missed int) {
	if r.pairs == nil {
		r.pairs = make([]recentPair, recentPlaces)
	}
	places, f := (*[recentPlaces]recentPair)(r.pairs), h.factors()
	codes = codes[:len(s.pairs)]
	list := s.missed[:len(s.pairs)]
	for i := range s.pairs {
		key := &s.pairs[i]
		p := &places[(key[0]*f[0]+key[1]*f[1])>>(64-recentLog)]
		codes[i] = p.code
		if (p.key[0]^key[0])|(p.key[1]^key[1]) != 0 || p.code == 0 {
			list[missed] = int32(i)
			missed++
		}
	}
	return missed
}

// put remembers the code of a short value.
func (r *recent) put(h *hashing, key [2]uint64, code uint32) {
	f := h.factors()
	switch n := key[1] & 0xff; {
	case n <= wordBytes:
		if r.words != nil {
			word := key[0] + n + 1
			r.words[word*f[0]>>(64-recentLog)] = recentWord{word, code}
		}
	case n <= shortBytes && r.pairs != nil:
		r.pairs[(key[0]*f[0]+key[1]*f[1])>>(64-recentLog)] = recentPair{key, code}
	}
}
