package groupby

// grouper turns the codes of a worker's rows into group ids, in one of two
// ways, of which the worker sees only the ids:
//
//	direct  the packed codes are the id: while they have few bits, and always
//	        with a single key column
//	hashed  a table from packed codes to dense ids
//
// Codes grow while rows come in. When a column's codes outgrow their bits, all
// are packed anew; in direct mode ids change with that, so the states move.
type grouper struct {
	interners []interner
	columns   []int // of the key columns, among the spec's
	tuning    *tuning
	hash      hashing

	layout *layout // never changed, only replaced
	direct bool
	table  packedTable

	dictionaries []dictionaryCodes // by key
	codes        [][]uint32
	counts       []int
	packed       []uint64
	found        []uint64
	ids          []uint32
	recent       []recent   // by key
	numerals     []patience // by key
	runs         keyRuns
	scratch      internScratch
}

func newGrouper(e *Engine) *grouper {
	g := &grouper{interners: e.interners, tuning: &e.tuning, hash: e.hash, direct: true}
	for _, k := range e.spec.Keys {
		g.columns = append(g.columns, k.Column)
	}
	n := len(g.interners)
	g.codes, g.counts, g.dictionaries = make([][]uint32, n), make([]int, n), make([]dictionaryCodes, n)
	g.recent, g.numerals = make([]recent, n), make([]patience, n)
	for c := range g.codes {
		g.codes[c] = make([]uint32, chunkRows)
	}
	g.layout = newLayout(g.counts) // no bits: the all-null key is 0
	g.ids = make([]uint32, chunkRows)
	return g
}

// intern fills codes with the codes of the loaded chunk. column and bad name
// the first row that has no valid key, if there is one.
func (g *grouper) intern(loaders []*loader, n int) (column, bad int) {
	bad = -1
	for c, in := range g.interners {
		l := loaders[g.columns[c]]
		v := &l.converted
		g.scratch.recent, g.scratch.numerals = &g.recent[c], &g.numerals[c]
		if l.byPosition() {
			if b := g.dictionaries[c].intern(g.codes[c][:n], in, l, &g.scratch); b >= 0 && (bad < 0 || b < bad) {
				column, bad = g.columns[c], b
			}
			g.counts[c] = in.count()
			continue
		}
		if v.lane == laneNone {
			clear(g.codes[c][:n])
			continue
		}
		b, done := g.runs.intern(g.codes[c][:n], in, v, &g.scratch)
		if !done {
			b = in.intern(g.codes[c][:n], v, &g.scratch)
		}
		if b >= 0 && (bad < 0 || b < bad) {
			column, bad = g.columns[c], b
		}
		g.counts[c] = in.count()
	}
	return column, bad
}

// group returns the group ids of the n rows whose codes are there, for which s
// then has records.
func (g *grouper) group(s *states, n int) []uint32 {
	if !g.layout.holds(g.counts) {
		g.widen(s)
	}
	ids := g.ids[:n]
	switch {
	case len(g.interners) == 0:
		clear(ids)
		s.grow(1)
	case len(g.interners) == 1:
		ids = g.codes[0][:n]
		s.grow(g.counts[0] + 1)
	case g.direct:
		packWord(ids, g.layout.fields, g.codes)
		s.grow(1 << g.layout.bits)
	default:
		g.table.lookup(ids, g.pack(n, g.layout))
		s.grow(g.table.n)
	}
	return ids
}

// find writes the ids of those of the rows whose codes are there that belong to
// groups of s, and sets their bits in hits. It adds no group.
func (g *grouper) find(s *states, ids []uint32, hits []uint64) (n int) {
	clear(hits)
	single := len(g.interners) == 1
	if !single && !g.layout.holds(g.counts) {
		g.widen(s)
	}
	var keys []uint64
	if !single {
		g.found = sized(g.found, len(ids)*g.layout.words)
		keys = g.found
		g.layout.pack(keys, g.codes)
	}
	for i := range ids {
		id, ok := g.codes[0][i], false
		if single {
			ok = int(id) < s.n
		} else {
			id, ok = g.table.find(keys[i*g.layout.words : (i+1)*g.layout.words])
		}
		if ok {
			ids[i] = id
			hits[i>>6] |= 1 << (i & 63)
			n++
		}
	}
	return n
}

// keys returns the packed codes of the n rows whose codes are there, in layout
// l or, if that has no room for them, in another one, which is returned.
func (g *grouper) keys(n int, l *layout) ([]uint64, *layout) {
	if l == nil || !l.holds(g.counts) {
		l = newLayout(g.widths(l))
	}
	return g.pack(n, l), l
}

func (g *grouper) pack(n int, l *layout) []uint64 {
	g.packed = sized(g.packed, n*l.words)
	l.pack(g.packed, g.codes)
	return g.packed
}

// groups is the number of groups that this worker has records for.
func (g *grouper) groups(s *states) int {
	if g.direct && len(g.interners) != 1 {
		return 0 // bounded by fitsDirect
	}
	return s.n
}

// shared reports whether groups are counted over all workers: a single key
// column's codes are everybody's.
func (g *grouper) shared() bool { return len(g.interners) == 1 }

// widths makes room for all codes given so far, and at least what l has.
func (g *grouper) widths(l *layout) []int {
	widths := make([]int, len(g.counts))
	for c, n := range g.counts {
		widths[c] = widthFor(n)
		if l != nil {
			widths[c] = max(widths[c], l.fields[c].width)
		}
	}
	return widths
}

// widen packs anew with room for all codes given so far.
func (g *grouper) widen(s *states) {
	old := g.layout
	g.layout = newLayout(g.widths(old))
	switch {
	case len(g.interners) == 1: // codes are ids whatever their width
	case !g.direct:
		g.table.repack(g.layout, old)
	case g.fitsDirect(s):
		g.move(s, old, func(words []uint64) uint32 { return uint32(words[0]) }, 1<<g.layout.bits)
	default:
		g.direct = false
		g.table = newPackedTable(g.hash, g.layout.words, s.arena)
		g.move(s, old, g.table.id, 0)
	}
}

// fitsDirect reports whether a record for every possible key is affordable.
func (g *grouper) fitsDirect(s *states) bool {
	return g.layout.bits <= g.tuning.directBits && s.groupBytes()<<g.layout.bits <= g.tuning.directBytes
}

// move gives the groups new ids, which must be dense or below n.
func (g *grouper) move(s *states, old *layout, id func(words []uint64) uint32, n int) {
	from, ids, rows := *s, []uint32(nil), []uint32(nil)
	words := make([]uint64, g.layout.words)
	for row := range uint32(s.n) {
		if s.flags.touched(row) {
			g.layout.repack(words, old, []uint64{uint64(row)})
			ids, rows = append(ids, id(words)), append(rows, row)
		}
	}
	*s = *s.like()
	s.grow(max(n, len(ids)))
	s.merge(ids, &from, rows)
	from.release()
}

// export lists the groups that have rows: their ids and packed codes.
func (g *grouper) export(s *states) (ids []uint32, keys []uint64) {
	n := 0
	for id := range uint32(s.n) {
		if s.flags.touched(id) {
			n++
		}
	}
	ids = make([]uint32, 0, n)
	for id := range uint32(s.n) {
		if s.flags.touched(id) {
			ids = append(ids, id)
		}
	}
	if !g.direct {
		return ids, g.table.keys[:s.n*g.layout.words] // every group of a table has rows
	}
	keys = make([]uint64, n)
	for i, id := range ids {
		keys[i] = uint64(id)
	}
	return ids, keys
}
