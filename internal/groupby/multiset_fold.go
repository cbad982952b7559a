package groupby

import (
	"context"
	"slices"
)

// dealMultisets deals out the multisets' rows as p has dealt out its own, and
// gives back the memory that they had, one after the other.
func (p *partition) dealMultisets(ctx context.Context, threads int) error {
	p.interned = make([]ranking, len(p.engine.multisets))
	for k, m := range p.engine.multisets {
		if m.interned() && p.engine.spec.Partial {
			p.interned[k] = m.interner.rank(m.code.typ)
		}
		var parts [rowKinds]*partition
		for kind := range parts {
			q := &partition{engine: p.engine, arena: p.arena, rankings: p.rankings, last: p.last}
			q.columns, q.like = m.columns[kind], p
			for i := range p.segments {
				if stores := p.segments[i].multisets; stores != nil {
					q.segments = append(q.segments, segment{rows: stores[k][kind]})
				}
			}
			if err := q.run(ctx, threads); err != nil {
				return err
			}
			for i := range q.segments {
				q.segments[i].rows.release()
			}
			parts[kind] = q
		}
		p.multisets = append(p.multisets, parts)
	}
	return nil
}

// multisetRows is the number of rows of all multisets.
func (p *partition) multisetRows() (n int) {
	for i := range p.segments {
		for _, stores := range p.segments[i].multisets {
			n += stores[short].rows + stores[long].rows
		}
	}
	return n
}

// multisetFolder folds one multiset's rows of a bucket.
type multisetFolder struct {
	set    *multiset
	parts  [rowKinds]*partition
	taken  [rowKinds]wordRoom
	bucket [rowKinds][]uint64 // their rows, in order of key and value
	sorter rowSorter
	group  groupRows
	values [rowKinds][4]uint64 // at its cursors
	ids    []uint32            // groups with a value
}

// open takes the rows of a bucket and sorts them. ranks, if there are any, take
// the place of codes that do not compare as their values do.
func (m *multisetFolder) open(bucket int, ranks []uint32) {
	for kind, p := range m.parts {
		rows := p.rows.take(bucket, &m.taken[kind])
		if ranks != nil {
			for i := p.at[0]; i < len(rows); i += p.rowWords {
				rows[i] = uint64(ranks[rows[i]])
			}
		}
		m.sorter.sort(rows, p.rowWords, p.at[0]+p.columns[0].words)
		m.bucket[kind] = rows
	}
}

// each calls f for every group of the opened bucket with a value: its position in
// the block, which has the keys of all groups, and its values.
func (m *multisetFolder) each(b *block, f func(id uint32, v groupValues)) {
	words := m.parts[short].layout.words
	at := [rowKinds]int{}
	m.group = groupRows{folder: m}
	for id := range b.n {
		key := b.keys[id*words : (id+1)*words]
		for kind, rows := range m.bucket {
			from, width := at[kind], m.parts[kind].rowWords
			for at[kind] < len(rows) && equalWords(rows[at[kind]:], key) {
				at[kind] += width
			}
			m.group.kinds[kind] = rows[from:at[kind]]
		}
		if len(m.group.kinds[short])+len(m.group.kinds[long]) > 0 {
			f(uint32(id), &m.group)
		}
	}
}

// groupRows are the values of a group in the two kinds of rows.
type groupRows struct {
	folder *multisetFolder
	kinds  [rowKinds][]uint64
}

func (g *groupRows) rows() uint64 {
	p := g.folder.parts[long]
	n := uint64(len(g.kinds[short]) / g.folder.parts[short].rowWords)
	for i := p.at[1]; i < len(g.kinds[long]); i += p.rowWords {
		n = saturated(n, g.kinds[long][i])
	}
	return n
}

func (g *groupRows) each(f func(value []uint64, count uint64) bool) {
	var a, b groupCursor
	for a, b = g.cursor(short), g.cursor(long); !a.ended || !b.ended; {
		order := 0
		switch {
		case b.ended:
			order = -1
		case a.ended:
			order = 1
		default:
			order = slices.Compare(a.value, b.value)
		}
		goOn := false
		switch order {
		case -1:
			goOn = f(a.value, a.count)
		case 0:
			goOn = f(a.value, saturated(a.count, b.count))
		default:
			goOn = f(b.value, b.count)
		}
		if !goOn {
			return
		}
		if order <= 0 {
			a.next()
		}
		if order >= 0 {
			b.next()
		}
	}
}

// groupCursor goes through the different values of a group in rows of one kind.
type groupCursor struct {
	set   *multiset
	part  *partition
	rows  []uint64 // the next first
	value []uint64
	count uint64
	ended bool
}

func (g *groupRows) cursor(kind int) groupCursor {
	m := g.folder
	c := groupCursor{set: m.set, part: m.parts[kind], rows: g.kinds[kind], value: m.values[kind][:m.set.words()]}
	c.next()
	return c
}

// next goes to the next value.
func (c *groupCursor) next() {
	if len(c.rows) == 0 {
		c.ended = true
		return
	}
	width, at, words := c.part.rowWords, c.part.at[0], c.part.columns[0].words
	value, i := c.rows[at:at+words], 0
	if len(c.part.columns) == 1 {
		for i = width; i < len(c.rows) && equalWords(c.rows[i+at:], value); i += width {
		}
		c.count = uint64(i / width)
	} else {
		c.count = 0
		for ; i < len(c.rows) && equalWords(c.rows[i+at:], value); i += width {
			c.count = saturated(c.count, c.rows[i+c.part.at[1]])
		}
	}
	c.set.whole(c.value, value)
	c.rows = c.rows[i:]
}

// foldMultisets makes the states of holistic aggregates.
func (f *folder) foldMultisets(bucket int, b *block) {
	for k, m := range f.p.engine.multisets {
		folder := &f.multisets[k]
		folder.ids = folder.ids[:0]
		fold := func(id uint32, v groupValues) {
			folder.ids = append(folder.ids, id)
			for _, a := range m.readers {
				f.states.accumulators[a].(holistic).fold(f.states, id, v)
			}
		}
		if sorted := f.p.engine.sorted; sorted != nil {
			sorted.each(k, b, fold)
		} else {
			folder.open(bucket, nil)
			folder.each(b, fold)
		}
		for _, a := range m.readers {
			f.states.flags.set(folder.ids, valued(a))
		}
	}
}
