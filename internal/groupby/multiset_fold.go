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
	bucket [rowKinds][]uint64 // their rows
	shorts int                // how many rows are short; they come first
	items  []sortItem
	sorter sorter
	run    valueRun
	ids    []uint32 // groups with a value
	a, b   [4]uint64
}

// open takes the rows of a bucket.
func (m *multisetFolder) open(bucket int) (rows int) {
	for kind, p := range m.parts {
		m.bucket[kind] = p.rows[p.rowStart[bucket]*p.rowWords : p.rowStart[bucket+1]*p.rowWords]
		if kind == short {
			m.shorts = p.rowStart[bucket+1] - p.rowStart[bucket]
		}
		rows += p.rowStart[bucket+1] - p.rowStart[bucket]
	}
	return rows
}

// row is a row of the bucket, and the partition that it has the form of.
func (m *multisetFolder) row(i uint32) ([]uint64, *partition) {
	kind, at := short, int(i)
	if at >= m.shorts {
		kind, at = long, at-m.shorts
	}
	p := m.parts[kind]
	return m.bucket[kind][at*p.rowWords:][:p.rowWords], p
}

func (m *multisetFolder) key(i uint32) []uint64 {
	row, p := m.row(i)
	return row[:p.layout.words]
}

// value writes the value of a row to dst.
func (m *multisetFolder) value(dst *[4]uint64, i uint32) []uint64 {
	row, p := m.row(i)
	value := dst[:m.set.words()]
	m.set.whole(value, row[p.at[0]:][:p.columns[0].words])
	return value
}

func (m *multisetFolder) count(i uint32) uint64 {
	row, p := m.row(i)
	if len(p.columns) == 1 {
		return 1
	}
	return row[p.at[1]]
}

// each calls f for every group of the bucket with a value: its position in the
// block, which has the keys of all groups, and its values.
func (m *multisetFolder) each(bucket int, b *block, f func(id uint32, run *valueRun)) {
	n := m.open(bucket)
	words := m.parts[short].layout.words
	m.items = sized(m.items, n)
	for i := range m.items {
		m.items[i] = sortItem{row: uint32(i)}
		if words > 0 {
			m.items[i].key = m.key(uint32(i))[0]
		}
	}
	m.sorter.sort(m.items)
	if words > 1 {
		sortTies(m.items, func(a, b uint32) int { return slices.Compare(m.key(a)[1:], m.key(b)[1:]) })
	}
	id := 0
	for lo := 0; lo < n; {
		first := m.key(m.items[lo].row)
		hi := lo + 1
		for hi < n && equalWords(m.key(m.items[hi].row), first) {
			hi++
		}
		for !equalWords(b.keys[id*words:], first) {
			id++
		}
		m.sortValues(m.items[lo:hi])
		f(uint32(id), &m.run)
		lo = hi
	}
}

// sortValues makes m.run the values of the rows listed.
func (m *multisetFolder) sortValues(items []sortItem) {
	for i := range items {
		row, p := m.row(items[i].row)
		items[i].key = row[p.at[0]]
	}
	m.sorter.sort(items)
	if m.set.words() > 1 {
		sortTies(items, func(a, b uint32) int {
			return slices.Compare(m.value(&m.a, a)[1:], m.value(&m.b, b)[1:])
		})
	}
	m.run.width = m.set.words()
	m.run.reset()
	for _, it := range items {
		m.run.add(m.value(&m.a, it.row), m.count(it.row))
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
