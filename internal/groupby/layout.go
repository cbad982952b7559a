package groupby

import "math/bits"

// layout packs one small number per key column (a code or a rank) into words:
// the first column in the uppermost bits, so that packed keys compare as the
// columns do one by one. No number straddles two words.
type layout struct {
	fields []field
	words  int
	bits   int // in all
}

type field struct {
	word, shift, width int
}

// newLayout makes room for a number of widths[i] bits in field i.
func newLayout(widths []int) *layout {
	l := &layout{fields: make([]field, len(widths))}
	last := make([]int, 0, len(widths)) // bits used in each word
	for i, width := range widths {
		if len(last) == 0 || last[len(last)-1]+width > 64 {
			last = append(last, 0)
		}
		word := len(last) - 1
		last[word] += width
		l.fields[i] = field{word: word, width: width}
		l.bits += width
	}
	// Packed to the low end of a word, so that one word is a small number.
	left := append([]int(nil), last...)
	for i := range l.fields {
		f := &l.fields[i]
		left[f.word] -= f.width
		f.shift = left[f.word]
	}
	l.words = len(last)
	return l
}

// widthFor is the number of bits for numbers up to n.
func widthFor(n int) int { return bits.Len(uint(n)) }

// holds reports whether every field can hold numbers up to its count.
func (l *layout) holds(counts []int) bool {
	for i, n := range counts {
		if widthFor(n) > l.fields[i].width {
			return false
		}
	}
	return true
}

// pack packs rows: numbers[c][i] of column c goes into row i's words.
func (l *layout) pack(dst []uint64, numbers [][]uint32) {
	if l.words == 1 {
		packWord(dst, l.fields, numbers)
		return
	}
	clear(dst)
	for c, f := range l.fields {
		for i, v := range numbers[c][:len(dst)/l.words] {
			dst[i*l.words+f.word] |= uint64(v) << f.shift
		}
	}
}

// packWord packs rows of one word, the first two columns at once.
func packWord[T uint32 | uint64](dst []T, fields []field, numbers [][]uint32) {
	first, shift := numbers[0][:len(dst)], fields[0].shift&63
	if len(fields) == 1 {
		for i, v := range first {
			dst[i] = T(uint64(v) << shift)
		}
		return
	}
	second, shift2 := numbers[1][:len(dst)], fields[1].shift&63
	for i, v := range first {
		dst[i] = T(uint64(v)<<shift | uint64(second[i])<<shift2)
	}
	for c := 2; c < len(fields); c++ {
		shift := fields[c].shift & 63
		for i, v := range numbers[c][:len(dst)] {
			dst[i] |= T(uint64(v) << shift)
		}
	}
}

// number is the number of a column in a row's words.
func (l *layout) number(words []uint64, column int) uint32 {
	f := l.fields[column]
	return uint32(words[f.word] >> f.shift & (1<<f.width - 1))
}

// numbers unpacks one column of as many rows as dst has.
func (l *layout) numbers(dst []uint32, words []uint64, column int) {
	f := l.fields[column]
	mask := uint64(1)<<f.width - 1
	if l.words == 1 {
		shift := f.shift & 63
		for i, word := range words[:len(dst)] {
			dst[i] = uint32(word >> shift & mask)
		}
		return
	}
	for i := range dst {
		dst[i] = uint32(words[i*l.words+f.word] >> f.shift & mask)
	}
}

// repack moves one row's numbers from another layout of the same columns.
func (l *layout) repack(dst []uint64, from *layout, words []uint64) {
	clear(dst)
	for c, f := range l.fields {
		dst[f.word] |= uint64(from.number(words, c)) << f.shift
	}
}
