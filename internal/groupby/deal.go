package groupby

// rankUnit brings the unit's keys into the common layout, codes to ranks, a
// column at a time; in place, if the keys have as many words there. It returns
// scratch for the next call.
func (p *partition) rankUnit(u *unit, scratch []uint64) []uint64 {
	n, words := u.n(), p.layout.words
	var from *layout
	var keys []uint64
	if u.block != nil {
		from, keys = u.block.layout, u.block.keys()
	} else {
		s := &p.segments[u.segment]
		from = s.layout
		keys = s.keys[u.lo*from.words : u.hi*from.words]
	}
	scratch = sized(scratch, n*words)
	clear(scratch)
	c := 0
	if words == 1 && from.words == 1 && p.rankings != nil {
		for ; c+1 < len(p.rankings); c += 2 {
			p.rankPair(scratch, keys, from, c)
		}
	}
	for ; c < len(p.layout.fields); c++ {
		to := p.layout.fields[c]
		p.rankColumn(scratch, words, to, keys, from.words, from.fields[c], c)
	}
	if words == from.words {
		u.keys = keys
		copy(u.keys, scratch)
		return scratch
	}
	u.keys = scratch
	return nil
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

func (p *partition) count(u *unit, c *bucketCounts) {
	counts := c.rows
	if u.block == nil {
		counts = c.groups
	}
	words := p.layout.words
	if words == 0 {
		counts[0] += u.n()
		return
	}
	for i := 0; i < len(u.keys); i += words {
		counts[u.keys[i]>>p.shift]++
	}
}

// dealRows is how many rows are moved at a time: what they touch in the buckets
// stays in the first-level cache from one column to the next. It is brought there
// by loading it first: many more loads that miss are under way at a time than
// stores.
const dealRows = 256

// deal moves the unit's rows or groups to their buckets; c says where the
// next of each bucket goes. to is scratch.
func (p *partition) deal(u *unit, c *bucketCounts, to []int) []int {
	n, words := u.n(), p.layout.words
	next, rowWords, dst := c.rows, p.rowWords, p.rows
	if u.block == nil {
		next, rowWords, dst = c.groups, words+1, p.groups
	}
	to = sized(to, n)
	for i := range to {
		b := 0
		if words > 0 {
			b = int(u.keys[i*words] >> p.shift)
		}
		to[i] = next[b] * rowWords
		next[b]++
	}
	for lo := 0; lo < n; lo += dealRows {
		hi := min(lo+dealRows, n)
		if rowWords > 0 {
			c.fetched = fetchRows(dst, to[lo:hi], rowWords)
		}
		dealValues(dst, to[lo:hi], 0, u.keys[lo*words:], words)
		if u.block == nil {
			continue
		}
		u.block.eachColumn(p.columns, func(i int, values, _ []uint64) {
			w := p.columns[i].words
			dealValues(dst, to[lo:hi], p.at[i], values[lo*w:], w)
		})
	}
	u.keys = nil
	if u.block == nil {
		ids := p.segments[u.segment].ids
		for i, at := range to {
			dst[at+words] = uint64(u.segment)<<32 | uint64(ids[u.lo+i])
		}
		return to
	}
	if p.masked {
		p.dealMask(u.block, to)
	}
	return to
}

// fetchRows loads the first and the last word of rows. What it returns means
// nothing, but without it the compiler would leave out the loads.
//
//go:noinline
func fetchRows(dst []uint64, to []int, rowWords int) (x uint64) { // inlined it runs out of registers
	for _, at := range to {
		x |= dst[at] | dst[at+rowWords-1]
	}
	return x
}

func dealValues(dst []uint64, to []int, offset int, values []uint64, words int) {
	switch words {
	case 0:
	case 1:
		for i, at := range to {
			dst[at+offset] = values[i]
		}
	default:
		for i, at := range to {
			copy(dst[at+offset:][:words], values[i*words:])
		}
	}
}

// dealMask writes the last word of the rows: bit i says that value i is there.
func (p *partition) dealMask(b *rowBlock, to []int) {
	all := uint64(1)<<len(p.columns) - 1
	for _, at := range to {
		p.rows[at+p.rowWords-1] = all
	}
	b.eachColumn(p.columns, func(i int, _, valid []uint64) {
		if valid == nil {
			return
		}
		for k, at := range to {
			if valid[k>>6]>>(k&63)&1 == 0 {
				p.rows[at+p.rowWords-1] &^= 1 << i
			}
		}
	})
}
