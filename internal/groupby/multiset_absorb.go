package groupby

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// absorption takes the multisets of one engine over into those of another,
// whose columns may be wider: every value in the code that it has there.
type absorption struct {
	to, from *Engine
	layout   *layout    // of keys in to
	codes    [][]uint32 // of to, by key and by rank in from
	values   [][]uint32 // of to, by multiset and code in from: interned values
	rows     []multisetRows
}

func newAbsorption(to, from *Engine, l *layout, codes [][]uint32) (*absorption, error) {
	a := &absorption{to: to, from: from, layout: l, codes: codes, rows: to.newMultisetRows()}
	a.values = make([][]uint32, len(to.multisets))
	for k, m := range from.multisets {
		if !m.interned() {
			continue
		}
		r := m.interner.rank(m.code.typ)
		now, err := translate(to.multisets[k].interner, r.values)
		if err != nil {
			return nil, a.wrap(k, err)
		}
		a.values[k] = make([]uint32, len(r.rank))
		for code, rank := range r.rank {
			a.values[k][code] = now[rank]
		}
	}
	return a, nil
}

func (a *absorption) wrap(k int, err error) error {
	def := a.to.spec.Aggregates[a.to.multisets[k].first]
	return fmt.Errorf("%s for column %q: %w", def.Function.Name, def.Name, err)
}

// take takes over the values of a bucket, whose groups are those of block b.
func (a *absorption) take(f *folder, bucket int, b *block) error {
	words := a.layout.words
	for k := range a.rows {
		var keys, values, counts []uint64
		add := func() error {
			recoded, err := a.recode(k, values)
			if err != nil {
				return a.wrap(k, err)
			}
			a.rows[k].add(a.to, keys, a.layout, recoded, counts)
			keys, values, counts = keys[:0], values[:0], counts[:0]
			return nil
		}
		var err error
		f.multisets[k].open(bucket, nil)
		f.multisets[k].each(b, func(id uint32, v groupValues) {
			key := make([]uint64, words)
			translateKey(key, a.layout, f.p.layout, a.codes, b.keys[int(id)*f.p.layout.words:])
			v.each(func(value []uint64, count uint64) bool {
				keys, values, counts = append(keys, key...), append(values, value...), append(counts, count)
				if len(counts) == chunkRows {
					err = errors.Join(err, add())
				}
				return err == nil
			})
		})
		if err = errors.Join(err, add()); err != nil {
			return err
		}
	}
	return nil
}

// recode writes values in the code that the wider column has.
func (a *absorption) recode(k int, values []uint64) ([]uint64, error) {
	old, now := a.from.multisets[k], a.to.multisets[k]
	if old.interned() {
		for i, code := range values {
			values[i] = uint64(a.values[k][code])
		}
		return values, nil
	}
	if old.code.alike(&now.code) {
		return values, nil
	}
	list := make([][]byte, len(values)/old.words())
	for i := range list {
		for _, w := range values[i*old.words() : (i+1)*old.words()] {
			list[i] = binary.BigEndian.AppendUint64(list[i], w)
		}
	}
	list, err := recode(&old.code, &now.code, list)
	if err != nil {
		return nil, err
	}
	values = values[:0]
	for _, code := range list {
		for ; len(code) > 0; code = code[8:] {
			values = append(values, binary.BigEndian.Uint64(code))
		}
	}
	now.oneZero(values)
	return values, nil
}

// translateKey writes a key of ranks as one of codes.
func translateKey(dst []uint64, to, from *layout, codes [][]uint32, key []uint64) {
	for c, f := range to.fields {
		dst[f.word] |= uint64(codes[c][from.number(key, c)]) << f.shift
	}
}
