package groupby

import (
	"math/bits"
	"slices"
)

// rowOrder sorts rows by their keys, as a word each:
//
//	| first word of the key, less the least one | number of the row |
//
// Keys of a bucket have their upper bits in common, so there is nearly always
// room for both. If there is not, the lowest bits of the key are left out, and
// rows that look alike then are compared, as are those whose keys have more words.
type rowOrder struct {
	words   []uint64 // before sort: the first words of the keys
	sorter  wordSorter
	rowBits int
	low     uint64
	exact   bool // what is before the row's number is the key
}

// sort sorts n = len(o.words) rows, at most 2^32; key tells their keys, of
// keyWords words. Rows of one key stay in no particular order.
func (o *rowOrder) sort(keyWords int, key func(row uint32) []uint64) {
	o.exact = keyWords <= 1
	if len(o.words) == 0 {
		return
	}
	low, high := o.words[0], o.words[0]
	for _, w := range o.words {
		low, high = min(low, w), max(high, w)
	}
	o.low, o.rowBits = low, widthFor(len(o.words)-1)
	drop := max(0, bits.Len64(high-low)+o.rowBits-64)
	for i, w := range o.words {
		o.words[i] = (w-low)>>(drop&63)<<(o.rowBits&63) | uint64(i)
	}
	o.sorter.sort(o.words, o.rowBits)
	if drop == 0 && o.exact {
		return
	}
	o.exact = false
	for lo, hi := 0, 0; lo < len(o.words); lo = hi {
		for hi = lo + 1; hi < len(o.words) && o.words[hi]>>o.rowBits == o.words[lo]>>o.rowBits; hi++ {
		}
		if hi-lo > 1 {
			slices.SortFunc(o.words[lo:hi], func(a, b uint64) int { return slices.Compare(key(o.row(a)), key(o.row(b))) })
		}
	}
}

// row is the number of the row that a word stands for.
func (o *rowOrder) row(word uint64) uint32 { return uint32(word & (1<<(o.rowBits&63) - 1)) }
