package groupby

import (
	"cmp"
	"math/bits"
	"slices"
)

// sortItem is a row to be sorted: the first word of its key and its number.
type sortItem struct {
	key uint64
	row uint32
}

// sorter sorts items by key; equal keys stay in no particular order. The zero
// value is ready; it keeps its scratch memory.
//
// One pass deals the items out by the uppermost bits in which they differ, into
// about as many bins as there are items, at most 2^dealBits: more would thrash
// the cache. Small bins are left to insertion among neighbours, large ones are
// dealt out again.
type sorter struct {
	counts  [64/dealBits + 2][]uint32 // by depth
	scratch []sortItem
}

const (
	dealBits = 11
	fewItems = 24 // insertion is the fastest way up to here
)

func (s *sorter) sort(items []sortItem) {
	s.scratch = sized(s.scratch, len(items))
	s.deal(items, s.scratch, 0)
}

func (s *sorter) deal(items, scratch []sortItem, depth int) {
	if len(items) <= fewItems {
		insertItems(items)
		return
	}
	if depth == len(s.counts) {
		slices.SortFunc(items, func(a, b sortItem) int { return cmp.Compare(a.key, b.key) })
		return
	}
	low, high := items[0].key, items[0].key
	for _, it := range items {
		low, high = min(low, it.key), max(high, it.key)
	}
	if low == high {
		return
	}
	shift := max(0, bits.Len64(high-low)-min(bits.Len(uint(len(items))), dealBits))
	bins := int((high-low)>>shift) + 1
	s.counts[depth] = sized(s.counts[depth], bins+1)
	ends := s.counts[depth]
	clear(ends)
	for _, it := range items {
		ends[(it.key-low)>>shift+1]++
	}
	for b := 1; b <= bins; b++ {
		ends[b] += ends[b-1]
	}
	for _, it := range items {
		p := &ends[(it.key-low)>>shift] // the start of the bin, and in the end its end
		scratch[*p] = it
		*p++
	}
	copy(items, scratch)
	if shift == 0 {
		return
	}
	start := uint32(0)
	for _, end := range ends[:bins] {
		if end-start > 1 {
			s.deal(items[start:end], scratch[start:end], depth+1)
		}
		start = end
	}
}

func insertItems(items []sortItem) {
	for i := 1; i < len(items); i++ {
		it := items[i]
		j := i
		for ; j > 0 && items[j-1].key > it.key; j-- {
			items[j] = items[j-1]
		}
		items[j] = it
	}
}

// sortTies sorts items of one key by comparing rows.
func sortTies(items []sortItem, compare func(a, b uint32) int) {
	for lo := 0; lo < len(items); {
		hi := lo + 1
		for hi < len(items) && items[hi].key == items[lo].key {
			hi++
		}
		if hi-lo > 1 {
			slices.SortFunc(items[lo:hi], func(a, b sortItem) int { return compare(a.row, b.row) })
		}
		lo = hi
	}
}
