package groupby

// rankUnit brings the unit's keys into the common layout, codes to ranks, a
// column at a time.
func (p *partition) rankUnit(u *unit) {
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
	u.keys = make([]uint64, n*words)
	for c, to := range p.layout.fields {
		f := from.fields[c]
		if p.rankings == nil {
			for i := range n {
				u.keys[i*words+to.word] |= uint64(from.number(keys[i*from.words:], c)) << to.shift
			}
			continue
		}
		rank := p.rankings[c].rank
		mask := uint64(1)<<f.width - 1
		if words == 1 && from.words == 1 {
			for i, key := range keys[:n] {
				u.keys[i] |= uint64(rank[key>>f.shift&mask]) << to.shift
			}
			continue
		}
		for i := range n {
			code := keys[i*from.words+f.word] >> f.shift & mask
			u.keys[i*words+to.word] |= uint64(rank[code]) << to.shift
		}
	}
}

// bucket is the bucket of a key.
func (p *partition) bucket(key []uint64) int {
	if len(key) == 0 {
		return 0
	}
	return int(key[0] >> p.shift)
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
	for k := range words {
		for i, at := range to {
			dst[at+k] = u.keys[i*words+k]
		}
	}
	u.keys = nil
	if u.block == nil {
		ids := p.segments[u.segment].ids
		for i, at := range to {
			dst[at+words] = uint64(u.segment)<<32 | uint64(ids[u.lo+i])
		}
		return to
	}
	u.block.eachColumn(p.columns, func(i int, values, _ []uint64) {
		dealValues(dst, to, p.at[i], values, p.columns[i].words)
	})
	if p.masked {
		p.dealMask(u.block, to)
	}
	return to
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
