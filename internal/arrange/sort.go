package arrange

import (
	"bytes"
	"cmp"
	"slices"
)

// entry is a row and a word of the column that is being sorted by.
type entry struct {
	word uint64
	ref  ref
}

// order sorts rows of the batches that a gatherer holds.
type order struct {
	gatherer
	keys        []Key
	comparisons []comparison // by key
	spare       []entry      // as many as are sorted at a time
}

func (o *order) column(r ref, k int) *column { return &o.columns[r.batch()][o.keys[k].Column] }

// word is a word of the value of row r in key k, turned round where the key is
// descending.
func (o *order) word(r ref, k, depth int) uint64 {
	w := o.comparisons[k].word(o.column(r, k), r.row(), depth)
	if o.keys[k].Descending {
		return ^w
	}
	return w
}

// sortBy sorts rows that are equal in all keys before k, and lie in the order
// in which they came.
func (o *order) sortBy(rows []entry, k int) {
	if k == len(o.keys) || len(rows) < 2 {
		return
	}
	var missing []entry
	n := 0
	for _, e := range rows {
		if o.column(e.ref, k).isNull(e.ref.row()) {
			missing = append(missing, e)
			continue
		}
		e.word = o.word(e.ref, k, 0)
		rows[n] = e
		n++
	}
	copy(rows[n:], missing)
	o.sortWords(rows[:n], k, 0)
	o.sortBy(rows[n:], k+1)
}

// deepest is how many words of texts are sorted one by one. Texts that are the
// same for longer are compared.
const deepest = 64

// sortWords sorts rows whose values in key k are equal in all words before
// depth, and whose words are there.
func (o *order) sortWords(rows []entry, k, depth int) {
	if len(rows) < 2 {
		return
	}
	o.radix(rows)
	c := &o.comparisons[k]
	runs(rows, func(a, b entry) bool { return a.word == b.word }, func(run []entry) {
		switch {
		case c.words == depth+1:
			o.sortBy(run, k+1)
		case c.words == 0 && (depth == deepest || o.ends(run, k, depth)):
			o.sortTexts(run, k)
		default:
			for i := range run {
				run[i].word = o.word(run[i].ref, k, depth+1)
			}
			o.sortWords(run, k, depth+1)
		}
	})
}

// runs calls f for every stretch of equal rows that has more than one.
func runs(rows []entry, equal func(a, b entry) bool, f func([]entry)) {
	for lo := 0; lo < len(rows); {
		hi := lo + 1
		for hi < len(rows) && equal(rows[lo], rows[hi]) {
			hi++
		}
		if hi-lo > 1 {
			f(rows[lo:hi])
		}
		lo = hi
	}
}

// ends tells whether one of the texts ends in its word at depth, so that the
// zeros behind it could be taken for its own.
func (o *order) ends(rows []entry, k, depth int) bool {
	for _, e := range rows {
		if len(o.column(e.ref, k).value(e.ref.row())) < 8*(depth+1) {
			return true
		}
	}
	return false
}

// sortTexts sorts rows by their whole texts.
func (o *order) sortTexts(rows []entry, k int) {
	compare := func(a, b entry) int { return o.compareTexts(a.ref, b.ref, k) }
	slices.SortFunc(rows, func(a, b entry) int {
		if d := compare(a, b); d != 0 {
			return d
		}
		return cmp.Compare(a.ref, b.ref)
	})
	runs(rows, func(a, b entry) bool { return compare(a, b) == 0 }, func(run []entry) { o.sortBy(run, k+1) })
}

func (o *order) compareTexts(a, b ref, k int) int {
	if o.keys[k].Descending {
		a, b = b, a
	}
	return bytes.Compare(o.column(a, k).value(a.row()), o.column(b, k).value(b.row()))
}

// before tells whether row a comes before row b; of equal rows it is b.
func (o *order) before(a, b ref) bool {
	for k := range o.keys {
		switch noA, noB := o.column(a, k).isNull(a.row()), o.column(b, k).isNull(b.row()); {
		case noA && noB:
			continue
		case noA || noB:
			return noB
		}
		if d := o.compare(a, b, k); d != 0 {
			return d < 0
		}
	}
	return false
}

// compare compares two values of key k.
func (o *order) compare(a, b ref, k int) int {
	words := o.comparisons[k].words
	if words == 0 {
		return o.compareTexts(a, b, k)
	}
	for depth := range words {
		if d := cmp.Compare(o.word(a, k, depth), o.word(b, k, depth)); d != 0 {
			return d
		}
	}
	return 0
}

// fewRows is up to where comparing beats counting.
const fewRows = 256

// radix sorts rows by their words, equal ones staying in their order: byte by
// byte from the last, bytes that are all the same left out.
func (o *order) radix(rows []entry) {
	if len(rows) <= fewRows {
		slices.SortFunc(rows, func(a, b entry) int {
			if a.word != b.word {
				return cmp.Compare(a.word, b.word)
			}
			return cmp.Compare(a.ref, b.ref)
		})
		return
	}
	var counts [8][256]int32
	for _, e := range rows {
		for b := range counts {
			counts[b][byte(e.word>>(8*b))]++
		}
	}
	if cap(o.spare) < len(rows) {
		o.spare = make([]entry, len(rows))
	}
	from, to := rows, o.spare[:len(rows)]
	for b := range counts {
		if int(counts[b][byte(rows[0].word>>(8*b))]) == len(rows) {
			continue
		}
		at := int32(0)
		for v, n := range counts[b] {
			counts[b][v], at = at, at+n
		}
		for _, e := range from {
			place := &counts[b][byte(e.word>>(8*b))]
			to[*place] = e
			*place++
		}
		from, to = to, from
	}
	if &from[0] != &rows[0] {
		copy(rows, from)
	}
}
