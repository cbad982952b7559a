package groupby

import (
	"math/bits"
	"slices"
)

// wordSorter sorts words whose lowest bits have them in order already, where the
// others are equal. The zero value is ready; it keeps its scratch memory.
//
// It is a sorter of half the size, for what fits. One pass deals the words out by the uppermost bits in which they differ, into
// about as many bins as there are words, at most 2^dealBits: more would thrash
// the cache. If all bins are small, what is left is insertion among neighbours,
// on the way back; else large ones are dealt out again.
type wordSorter struct {
	counts  [64/dealBits + 2][]uint32 // by depth
	scratch []uint64
	ordered int // bits
}

// sort sorts words. Those that differ in nothing but the lowest ordered bits must
// be ascending.
func (s *wordSorter) sort(words []uint64, ordered int) {
	s.ordered = ordered
	s.scratch = sized(s.scratch, len(words))
	s.deal(words, s.scratch, 0)
}

func (s *wordSorter) deal(words, scratch []uint64, depth int) {
	if len(words) <= fewItems {
		insertWords(words, words)
		return
	}
	if depth == len(s.counts) {
		slices.Sort(words)
		return
	}
	low, high := words[0], words[0]
	for _, w := range words {
		low, high = min(low, w), max(high, w)
	}
	low = low >> s.ordered << s.ordered
	if high-low < 1<<s.ordered {
		return
	}
	shift := max(s.ordered, bits.Len64(high-low)-min(bits.Len(uint(len(words))), dealBits)) & 63
	bins := int((high-low)>>shift) + 1
	s.counts[depth] = sized(s.counts[depth], bins)
	ends := s.counts[depth]
	clear(ends)
	for _, w := range words {
		ends[(w-low)>>shift]++
	}
	sum, most := uint32(0), uint32(0)
	for b, n := range ends {
		ends[b] = sum
		sum += n
		most = max(most, n)
	}
	scratch = scratch[:len(words)]
	for _, w := range words {
		p := &ends[(w-low)>>shift] // the start of the bin, and in the end its end
		scratch[*p] = w
		*p++
	}
	switch {
	case shift == s.ordered: // dealing out keeps the order
		copy(words, scratch)
		return
	case most <= fewItems:
		insertWords(words, scratch)
		return
	}
	copy(words, scratch)
	start := uint32(0)
	for _, end := range ends {
		if end-start > 1 {
			s.deal(words[start:end], scratch[start:end], depth+1)
		}
		start = end
	}
}

// insertWords makes dst the words of src, none of which is far from its place, in
// order. They may be the same memory.
func insertWords(dst, src []uint64) {
	dst = dst[:len(src)]
	for i, w := range src {
		j := i
		for ; j > 0 && dst[j-1] > w; j-- {
			dst[j] = dst[j-1]
		}
		dst[j] = w
	}
}
