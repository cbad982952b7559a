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
		q := &partition{engine: p.engine, arena: p.arena, rankings: p.rankings, last: p.last, columns: m.rows, like: p}
		for i := range p.segments {
			if rows := p.segments[i].multisets; rows != nil {
				q.segments = append(q.segments, segment{rows: rows[k]})
			}
		}
		p.multisets = append(p.multisets, q)
		if err := q.run(ctx, threads); err != nil {
			return err
		}
		for i := range q.segments {
			q.segments[i].rows.release()
		}
	}
	return nil
}

// multisetRows is the number of rows of all multisets.
func (p *partition) multisetRows() (n int) {
	for i := range p.segments {
		for _, rows := range p.segments[i].multisets {
			n += rows.rows
		}
	}
	return n
}

// multisetFolder folds one multiset's rows of a bucket.
type multisetFolder struct {
	p      *partition
	items  []sortItem
	sorter sorter
	run    valueRun
	ids    []uint32 // groups with a value
}

// each calls f for every group of the bucket with a value: its position in the
// block, which has the keys of all groups, and its values.
func (m *multisetFolder) each(bucket int, b *block, f func(id uint32, run *valueRun)) {
	p := m.p
	rows := p.rows[p.rowStart[bucket]*p.rowWords : p.rowStart[bucket+1]*p.rowWords]
	words, width := p.layout.words, p.columns[0].words
	key := func(row uint32) []uint64 { return rows[int(row)*p.rowWords:][:words] }
	value := func(row uint32) []uint64 { return rows[int(row)*p.rowWords+p.at[0]:][:width] }
	m.items = sized(m.items, p.rowStart[bucket+1]-p.rowStart[bucket])
	for i := range m.items {
		m.items[i] = sortItem{row: uint32(i)}
		if words > 0 {
			m.items[i].key = rows[i*p.rowWords]
		}
	}
	m.sorter.sort(m.items)
	if words > 1 {
		sortTies(m.items, func(a, b uint32) int { return slices.Compare(key(a)[1:], key(b)[1:]) })
	}
	id := 0
	for lo := 0; lo < len(m.items); {
		first := key(m.items[lo].row)
		hi := lo + 1
		for hi < len(m.items) && equalWords(key(m.items[hi].row), first) {
			hi++
		}
		for !equalWords(b.keys[id*words:], first) {
			id++
		}
		part := m.items[lo:hi]
		for i := range part {
			part[i].key = value(part[i].row)[0]
		}
		m.sorter.sort(part)
		if width > 1 {
			sortTies(part, func(a, b uint32) int { return slices.Compare(value(a)[1:], value(b)[1:]) })
		}
		m.run.width = width
		m.run.reset()
		for _, it := range part {
			m.run.add(value(it.row), rows[int(it.row)*p.rowWords+p.at[1]])
		}
		f(uint32(id), &m.run)
		lo = hi
	}
}

// foldMultisets makes the states of holistic aggregates.
func (f *folder) foldMultisets(bucket int, b *block) {
	for k, m := range f.p.engine.multisets {
		m, folder := m, &f.multisets[k]
		folder.ids = folder.ids[:0]
		folder.each(bucket, b, func(id uint32, run *valueRun) {
			folder.ids = append(folder.ids, id)
			for _, a := range m.readers {
				f.states.accumulators[a].(holistic).fold(f.states, id, run)
			}
		})
		for _, a := range m.readers {
			f.states.flags.set(folder.ids, valued(a))
		}
	}
}
