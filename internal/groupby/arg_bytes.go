package groupby

import "encoding/binary"

// argBytes is a choice where one of the arguments has any length: its bytes,
// words being written most significant byte first, in the heap of the greatest.
type argBytes struct {
	choice
	greatest extremeBytes
	code     []byte
}

func (a *argBytes) words() int  { return a.greatest.words() }
func (a *argBytes) bind(at int) { a.greatest.bind(at) }
func (a *argBytes) grow(n int)  { a.greatest.grow(n) }
func (a *argBytes) reset()      { a.greatest.reset() }
func (a *argBytes) size() int64 { return a.greatest.size() }

func (a *argBytes) updatePair(s *states, ids []uint32, x, y *vector) { a.fold(s, ids, x, y, nil) }

// fold is updatePair; see argWords.fold.
func (a *argBytes) fold(s *states, ids []uint32, x, y, above *vector) {
	for i, id := range ids {
		code := a.by.appendBytes(a.code[:0], y, i)
		if above != nil {
			code = binary.BigEndian.AppendUint64(code[:8], orderedInt(above.ints[i]))
		}
		code = a.marked(code, x.has(i))
		if by := len(code); x.has(i) {
			code = a.x.appendBytes(code, x, i)
			invert(code[by:])
		}
		a.greatest.keep(s, id, code)
		a.code = code
	}
}

// marked makes the code of by the beginning of a choice.
func (a *argBytes) marked(by []byte, has bool) []byte {
	if a.flip != 0 {
		invert(by)
	}
	if has {
		return append(by, 1)
	}
	return append(by, 0)
}

func (a *argBytes) keepParts(s *states, id uint32, by, x []byte, has bool) {
	code := a.marked(append(a.code[:0], by...), has)
	n := len(code)
	code = append(code, x...)
	invert(code[n:])
	a.greatest.keep(s, id, code)
	a.code = code
}

func invert(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}

// parts are the codes of a group's choice, if it has one; x is nil for null.
func (a *argBytes) parts(s *states, id uint32) (by, x []byte, ok bool) {
	choice, ok := a.greatest.value(s, id)
	if !ok {
		return nil, nil, false
	}
	code := append([]byte(nil), choice...)
	if a.flip != 0 {
		invert(code)
	}
	n := a.by.length(code)
	if choice[n] == 1 {
		x = append([]byte(nil), choice[n+1:]...)
		invert(x)
	}
	return code[:n], x, true
}

func (a *argBytes) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	a.greatest.merge(s, ids, from, &other.(*argBytes).greatest, rows)
}

func (a *argBytes) finish(s *states, groups []uint32, out *column) int {
	put := a.x.decoder(out)
	for i, id := range groups {
		_, x, _ := a.parts(s, id)
		if put(i, x); x == nil {
			out.setNull(i)
		}
	}
	return -1
}

// parts are the codes of a group's choice, in bytes.
func (a *argWords) parts(s *states, id uint32) (by, x []byte, ok bool) {
	words := s.records[int(id)*s.stride+a.at:][:a.words()]
	for _, w := range words[:a.by.words] {
		by = binary.BigEndian.AppendUint64(by, w^a.flip)
	}
	words = words[a.by.words:]
	if words[0] == 0 {
		return by, nil, true
	}
	for _, w := range words[1:] {
		x = binary.BigEndian.AppendUint64(x, ^w)
	}
	return by, x, true
}

func (a *argWords) keepParts(s *states, id uint32, by, x []byte, has bool) {
	words := make([]uint64, a.words())
	for k := range a.by.words {
		words[k] = binary.BigEndian.Uint64(by[8*k:])
	}
	if has {
		for k := range a.x.words {
			words[a.by.words+1+k] = binary.BigEndian.Uint64(x[8*k:])
		}
	}
	a.complete(words, has)
	a.keep(s, id, words)
}
