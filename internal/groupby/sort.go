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

// sortItems sorts by key; scratch has the same length. Equal keys stay in no
// particular order.
//
// One pass deals the items out by the uppermost bits in which they differ, into
// about as many bins as there are items, so that what is left is insertion
// among neighbours. A bin that stays large (skew) is sorted by comparing.
func sortItems(items, scratch []sortItem, counts *[]uint32) {
	const few = 24
	n := len(items)
	if n > few {
		low, high := items[0].key, items[0].key
		for _, it := range items {
			low, high = min(low, it.key), max(high, it.key)
		}
		if low == high {
			return
		}
		log := min(bits.Len(uint(n)), 16)
		shift := max(0, bits.Len64(high-low)-log)
		dealItems(items, scratch, counts, low, high, shift)
	}
	insertItems(items)
}

// dealItems moves items into bins by (key-low) >> shift, and sorts the bins
// that insertion would take long for.
func dealItems(items, scratch []sortItem, counts *[]uint32, low, high uint64, shift int) {
	const large = 48
	bins := int((high-low)>>shift) + 1
	*counts = sized(*counts, bins+1)
	count := *counts
	clear(count)
	for _, it := range items {
		count[(it.key-low)>>shift+1]++
	}
	for b := 1; b <= bins; b++ {
		count[b] += count[b-1]
	}
	for _, it := range items {
		p := &count[(it.key-low)>>shift]
		scratch[*p] = it
		*p++
	}
	copy(items, scratch)
	// count[b] is now the end of bin b.
	start := uint32(0)
	for _, end := range count[:bins] {
		if end-start > large && shift > 0 {
			slices.SortFunc(items[start:end], func(a, b sortItem) int { return cmp.Compare(a.key, b.key) })
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
