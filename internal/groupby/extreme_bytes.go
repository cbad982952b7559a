package groupby

import "bytes"

// extremeBytes keeps the least or greatest string. The record says where its
// bytes lie in the accumulator's heap, and how much room there is:
//
//	| 1 + offset | capacity << 32 | length |
//
// Zero is no value. A value that fits the room of the one before takes its
// place, another is appended; when half of the heap is dead, it is rewritten.
type extremeBytes struct {
	place
	least bool
	heap  []byte
	dead  int
}

func (a *extremeBytes) words() int    { return 2 }
func (a *extremeBytes) takes() taking { return takesConverted }
func (a *extremeBytes) grow(int)      {}
func (a *extremeBytes) reset()        { a.heap, a.dead = a.heap[:0], 0 }
func (a *extremeBytes) size() int64   { return int64(cap(a.heap)) }

func (a *extremeBytes) update(s *states, ids []uint32, v *vector) {
	for i, id := range ids {
		a.keep(s, id, v.at(i))
	}
}

// value is the group's bytes; ok is false for a group without a value.
func (a *extremeBytes) value(s *states, id uint32) (value []byte, ok bool) {
	p := s.records[int(id)*s.stride+a.at:][:2]
	if p[0] == 0 {
		return nil, false
	}
	return a.heap[p[0]-1:][:uint32(p[1])], true
}

func (a *extremeBytes) keep(s *states, id uint32, value []byte) {
	old, ok := a.value(s, id)
	if ok {
		if c := bytes.Compare(value, old); c == 0 || (c < 0) != a.least {
			return
		}
	}
	p := s.records[int(id)*s.stride+a.at:][:2]
	room := int(p[1] >> 32)
	if ok && len(value) <= room {
		copy(a.heap[p[0]-1:], value)
	} else {
		a.dead += room
		p[0], room = uint64(len(a.heap))+1, len(value)
		a.heap = append(a.heap, value...)
	}
	p[1] = uint64(room)<<32 | uint64(len(value))
	if a.dead > len(a.heap)/2 && a.dead > 1<<20 {
		a.rewrite(s)
	}
}

// rewrite leaves the living values alone in a heap of their size.
func (a *extremeBytes) rewrite(s *states) {
	heap := make([]byte, 0, (len(a.heap)-a.dead)*3/2)
	for at := a.at; at < len(s.records); at += s.stride {
		p := s.records[at:][:2]
		if p[0] == 0 {
			continue
		}
		n := uint64(uint32(p[1]))
		value := a.heap[p[0]-1:][:n]
		p[0], p[1] = uint64(len(heap))+1, n<<32|n
		heap = append(heap, value...)
	}
	a.heap, a.dead = heap, 0
}

func (a *extremeBytes) merge(s *states, ids []uint32, from *states, other accumulator, rows []uint32) {
	b := other.(*extremeBytes)
	for i, row := range rows {
		if value, ok := b.value(from, row); ok {
			a.keep(s, ids[i], value)
		}
	}
}

func (a *extremeBytes) finish(s *states, groups []uint32, out *column) int {
	for i, id := range groups {
		value, _ := a.value(s, id)
		if out.width > 0 {
			copy(out.fixed[i*out.width:], value)
		} else {
			out.append(value)
		}
	}
	return -1
}
