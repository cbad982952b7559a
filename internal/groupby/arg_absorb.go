package groupby

import "fmt"

// chooser is an accumulator of choices, taken apart.
type chooser interface {
	codes() *choice
	parts(s *states, id uint32) (by, x []byte, ok bool)
	keepParts(s *states, id uint32, by, x []byte, has bool)
}

func (c *choice) codes() *choice { return c }

func (a *argWords) absorb(s *states, ids []uint32, from *states, other accumulator, rows []uint32, _ widened) error {
	return absorbChoices(a, s, ids, from, other, rows)
}

func (a *argBytes) absorb(s *states, ids []uint32, from *states, other accumulator, rows []uint32, _ widened) error {
	return absorbChoices(a, s, ids, from, other, rows)
}

// absorbChoices keeps the choices of narrower arguments. A choice among narrower
// values is one among the wider: codes keep apart what the narrower type keeps
// apart, and x, which may be rounded, keeps its order.
func absorbChoices(a chooser, s *states, ids []uint32, from *states, other accumulator, rows []uint32) error {
	b, ok := other.(chooser)
	if !ok {
		return fmt.Errorf("no choices that could be gone on with")
	}
	bys, xs := make([][]byte, len(rows)), make([][]byte, len(rows))
	for i, row := range rows {
		if bys[i], xs[i], ok = b.parts(from, row); !ok {
			return fmt.Errorf("a group without a choice")
		}
	}
	missing := make([]bool, len(rows))
	for i, x := range xs {
		missing[i] = x == nil
	}
	var err error
	if bys, err = recode(&b.codes().by, &a.codes().by, bys); err != nil {
		return err
	}
	if xs, err = recode(&b.codes().x, &a.codes().x, xs); err != nil {
		return err
	}
	for i, id := range ids {
		a.keepParts(s, id, bys[i], xs[i], !missing[i])
	}
	return nil
}

// recode writes values in the code of a wider type, by way of a column. nil is
// null, and stays so.
func recode(old, now *orderCode, values [][]byte) ([][]byte, error) {
	if old.alike(now) {
		return values, nil
	}
	t := old.typ
	if isString(t) {
		return nil, fmt.Errorf("strings do not become %s", now.typ)
	}
	out := newColumn(t, len(values), heap)
	put := old.decoder(out)
	for i, code := range values {
		if put(i, code); code == nil {
			out.setNull(i)
		}
	}
	array := out.array()
	defer array.Release()
	l, err := newLoader(Column{Type: now.typ})
	if err != nil {
		return nil, err
	}
	if err := l.bind(array.Data()); err != nil {
		return nil, err
	}
	wide := make([][]byte, len(values))
	for lo := 0; lo < len(values); {
		n := l.load(lo, min(chunkRows, len(values)-lo), nil)
		if n == 0 {
			return nil, l.tooLong(int64(lo))
		}
		if bad := l.apply(); bad >= 0 {
			return nil, l.valueError(bad, int64(lo+bad))
		}
		v := &l.converted
		if now.exact {
			v = &l.natural
		}
		for i := range n {
			if v.has(i) {
				wide[lo+i] = now.appendBytes(nil, v, i)
			}
		}
		lo += n
	}
	return wide, nil
}
