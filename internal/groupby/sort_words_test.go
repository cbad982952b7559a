package groupby

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWordSorter(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 6))
	var s wordSorter
	for _, shape := range sortShapes {
		for _, n := range []int{0, 1, 2, 24, 25, 1000, 30_000} {
			for _, ordered := range []int{0, widthFor(n), 32} {
				words := make([]uint64, n)
				for i := range words {
					words[i] = shape.key(rng, i, n)
					if ordered > 0 {
						words[i] = words[i]<<ordered | uint64(i)
					}
				}
				want := slices.Sorted(slices.Values(words))
				if s.sort(words, ordered); !slices.Equal(words, want) {
					t.Fatalf("seed %d, %s, %d words, %d bits in order: wrong", seed, shape.name, n, ordered)
				}
			}
		}
	}
}

// TestRowOrder sorts keys of one word that leave room for the rows' numbers, of
// one word that do not, and of two words.
func TestRowOrder(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 7))
	var o rowOrder
	for _, shape := range sortShapes {
		for _, n := range []int{0, 1, 2, 25, 5000} {
			for keyWords := 1; keyWords <= 2; keyWords++ {
				keys := make([][]uint64, n)
				o.words = sized(o.words, n)
				for i := range keys {
					keys[i] = []uint64{shape.key(rng, i, n), rng.Uint64N(5)}[:keyWords]
					o.words[i] = keys[i][0]
				}
				o.sort(keyWords, func(row uint32) []uint64 { return keys[row] })
				seen := make([]bool, n)
				for i, word := range o.words {
					row := o.row(word)
					if seen[row] {
						t.Fatalf("seed %d, %s: row %d of %d comes twice", seed, shape.name, row, n)
					}
					seen[row] = true
					if o.exact && o.low+word>>o.rowBits != keys[row][0] {
						t.Fatalf("seed %d, %s: the word of row %d does not have its key", seed, shape.name, row)
					}
					if i > 0 && slices.Compare(keys[o.row(o.words[i-1])], keys[row]) > 0 {
						t.Fatalf("seed %d, %s: row %d of %d is out of order", seed, shape.name, row, n)
					}
				}
				if roomy := shape.name == "ascending" && keyWords == 1; roomy && !o.exact {
					t.Fatalf("there is room for %d rows' numbers beside ascending keys", n)
				}
				if full := shape.name == "outlier" && n > 2; full && o.exact {
					t.Fatalf("there is no room for %d rows' numbers beside keys of 64 bits", n)
				}
			}
		}
	}
}
