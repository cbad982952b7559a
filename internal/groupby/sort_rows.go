package groupby

import "math/bits"

// rowSorter sorts rows of several words in place, by their first words: where
// rows are as many as memory has room for, there is none for a copy of them. The
// zero value is ready.
//
// It deals rows out by the uppermost bits in which they differ, as sorter does,
// but by exchanging them (P. McIlroy, K. Bostic, M. D. McIlroy, Engineering
// Radix Sort, 1993).
type rowSorter struct {
	width, words int        // of a row, and of what they are compared by
	ends         [][]uint64 // by depth: where the next row of a bin goes, and its end
}

// sort sorts rows of width words by their first words.
func (s *rowSorter) sort(rows []uint64, width, words int) {
	s.width, s.words = width, words
	s.deal(rows, 0, 0)
}

// deal sorts rows whose first word words are equal.
func (s *rowSorter) deal(rows []uint64, word, depth int) {
	width := s.width
	n := len(rows) / width
	if n <= fewItems {
		s.insert(rows, word)
		return
	}
	low, high := uint64(0), uint64(0)
	for ; low == high; word++ {
		if word == s.words {
			return
		}
		low, high = rows[word], rows[word]
		for i := word; i < len(rows); i += width {
			low, high = min(low, rows[i]), max(high, rows[i])
		}
	}
	word--
	shift := max(0, bits.Len64(high-low)-min(bits.Len(uint(n)), dealBits))
	bins := int((high-low)>>shift) + 1
	if depth == len(s.ends) {
		s.ends = append(s.ends, nil)
	}
	s.ends[depth] = sized(s.ends[depth], 2*bins)
	next, ends := s.ends[depth][:bins], s.ends[depth][bins:]
	clear(ends)
	for i := word; i < len(rows); i += width {
		ends[(rows[i]-low)>>shift]++
	}
	at := uint64(0)
	for b := range bins {
		next[b] = at
		at += ends[b]
		ends[b] = at
	}
	for b := range bins {
		for next[b] < ends[b] {
			row := rows[int(next[b])*width:][:width]
			to := (row[word] - low) >> shift
			for to != uint64(b) {
				other := rows[int(next[to])*width:][:width]
				next[to]++
				for k, w := range row {
					row[k], other[k] = other[k], w
				}
				to = (row[word] - low) >> shift
			}
			next[b]++
		}
	}
	if shift == 0 {
		word++
	}
	if word == s.words {
		return
	}
	from := uint64(0)
	for b := range bins {
		if ends[b]-from > 1 {
			s.deal(rows[int(from)*width:int(ends[b])*width], word, depth+1)
		}
		from = ends[b]
	}
}

// insert sorts few rows, by their words from one on.
func (s *rowSorter) insert(rows []uint64, word int) {
	width := s.width
	for i := width; i < len(rows); i += width {
		for j := i; j > 0 && s.less(rows[j:], rows[j-width:], word); j -= width {
			a, b := rows[j:j+width], rows[j-width:j]
			for k, w := range a {
				a[k], b[k] = b[k], w
			}
		}
	}
}

func (s *rowSorter) less(a, b []uint64, word int) bool {
	for k := word; k < s.words; k++ {
		if a[k] != b[k] {
			return a[k] < b[k]
		}
	}
	return false
}
