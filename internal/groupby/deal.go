package groupby

// dealScratch is one goroutine's.
type dealScratch struct {
	keys []uint64
	to   []int
}

// rankedKeys brings n keys into the common layout, codes to ranks, a column at a
// time.
func (p *partition) rankedKeys(keys []uint64, n int, from *layout, s *dealScratch) []uint64 {
	words := p.layout.words
	s.keys = sized(s.keys, n*words)
	clear(s.keys)
	c := 0
	if words == 1 && from.words == 1 && p.rankings != nil {
		for ; c+1 < len(p.rankings); c += 2 {
			p.rankPair(s.keys, keys, from, c)
		}
	}
	for ; c < len(p.layout.fields); c++ {
		to := p.layout.fields[c]
		p.rankColumn(s.keys, words, to, keys, from.words, from.fields[c], c)
	}
	return s.keys
}

// rankPair turns the codes of two columns to ranks, of keys of one word.
func (p *partition) rankPair(dst, keys []uint64, from *layout, c int) {
	x, y, toX, toY := from.fields[c], from.fields[c+1], p.layout.fields[c].shift&63, p.layout.fields[c+1].shift&63
	ranksX, ranksY := p.rankings[c].rank, p.rankings[c+1].rank
	fromX, fromY, maskX, maskY := x.shift&63, y.shift&63, uint64(1)<<x.width-1, uint64(1)<<y.width-1
	dst = dst[:len(keys)]
	for i, key := range keys {
		dst[i] |= uint64(ranksX[key>>fromX&maskX])<<toX | uint64(ranksY[key>>fromY&maskY])<<toY
	}
}

// rankColumn moves one column's numbers from one packed form to another.
func (p *partition) rankColumn(dst []uint64, words int, to field, keys []uint64, fromWords int, from field, c int) {
	n := len(dst) / words
	mask := uint64(1)<<from.width - 1
	if p.rankings == nil {
		for i := range n {
			dst[i*words+to.word] |= keys[i*fromWords+from.word] >> from.shift & mask << to.shift
		}
		return
	}
	rank := p.rankings[c].rank
	if words == 1 && fromWords == 1 {
		for i, key := range keys[:n] {
			dst[i] |= uint64(rank[key>>from.shift&mask]) << to.shift
		}
		return
	}
	for i := range n {
		dst[i*words+to.word] |= uint64(rank[keys[i*fromWords+from.word]>>from.shift&mask]) << to.shift
	}
}

// dealtTogether is how many rows are moved at a time: what they touch in the
// buckets stays in the first-level cache from one column to the next. It is
// brought there by loading it first: many more loads that miss are under way at a
// time than stores.
const dealtTogether = 256

// dealRows moves rows to their buckets and gives their memory back.
func (p *partition) dealRows(u *unit, d *dealer, s *dealScratch) {
	words := p.layout.words
	for i := range u.blocks {
		b := &u.blocks[i]
		keys := p.rankedKeys(b.keys(), b.n, b.layout, s)
		for lo := 0; lo < b.n; lo += dealtTogether {
			hi := min(lo+dealtTogether, b.n)
			to := p.places(d, keys[lo*words:hi*words], hi-lo, s)
			d.fetched = p.rows.fetch(to)
			p.rows.put(to, 0, keys[lo*words:], words)
			b.eachColumn(p.columns, func(i int, values, _ []uint64) {
				w := p.columns[i].words
				p.rows.put(to, p.at[i], values[lo*w:], w)
			})
			if p.masked {
				p.dealMask(b, lo, to)
			}
		}
	}
	p.segments[u.segment].rows.memory.releaseChunk(u.blocks[0].chunk)
}

// dealGroups lists groups in their buckets: their keys, and where their states
// are.
func (p *partition) dealGroups(u *unit, d *dealer, s *dealScratch) {
	g, words := &p.segments[u.segment], p.layout.words
	keys := p.rankedKeys(g.keys[u.lo*g.layout.words:u.hi*g.layout.words], u.hi-u.lo, g.layout, s)
	to := p.places(d, keys, u.hi-u.lo, s)
	p.groups.put(to, 0, keys, words)
	for i, at := range to {
		p.groups.row(at)[words] = uint64(u.segment)<<32 | uint64(g.ids[u.lo+i])
	}
}

// places are where n rows with these keys go.
func (p *partition) places(d *dealer, keys []uint64, n int, s *dealScratch) []int {
	s.to = sized(s.to, n)
	if words := p.layout.words; words > 0 {
		d.places(s.to, keys, words, uint(p.shift))
	} else { // one bucket
		s.keys = sized(s.keys, n)
		clear(s.keys)
		d.places(s.to, s.keys, 1, 0)
	}
	return s.to
}

// fetch loads the first and the last word of rows. What it returns means nothing,
// but without it the compiler would leave out the loads.
//
//go:noinline
func (r *bucketRows) fetch(to []int) (x uint64) { // inlined it runs out of registers
	pages, last := r.pages, r.words-1
	for _, at := range to {
		page := pages[at>>pageBits]
		x |= page[at&inPage] | page[(at+last)&inPage]
	}
	return x
}

// put writes a value of so many words into each row, from a word of the row on.
func (r *bucketRows) put(to []int, from int, values []uint64, words int) {
	pages := r.pages
	switch words {
	case 0:
	case 1:
		values = values[:len(to)]
		for i, at := range to {
			pages[at>>pageBits][(at+from)&inPage] = values[i]
		}
	default:
		for i, at := range to {
			copy(r.row(at)[from:][:words], values[i*words:])
		}
	}
}

// dealMask writes the last word of rows, which begin with row lo of a block: bit i
// says that value i is there.
func (p *partition) dealMask(b *rowBlock, lo int, to []int) {
	last := p.rowWords - 1
	all := uint64(1)<<len(p.columns) - 1
	for _, at := range to {
		p.rows.row(at)[last] = all
	}
	b.eachColumn(p.columns, func(i int, _, valid []uint64) {
		if valid == nil {
			return
		}
		for k, at := range to {
			if k += lo; valid[k>>6]>>(k&63)&1 == 0 {
				p.rows.row(at)[last] &^= 1 << i
			}
		}
	})
}
