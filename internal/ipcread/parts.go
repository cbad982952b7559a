package ipcread

import (
	"cmp"
	"slices"
)

// part is a range of a body's bytes.
type part struct{ from, to int64 }

// parts are the ranges of a body that are wanted: apart from each other, in
// their order. nil is the whole body.
type parts []part

// leastGap is how many bytes are worth leaving out. Two system calls do that
// for up to 64 KiB of a pipe, and copying so many takes as long as they.
const leastGap = 16 << 10

// at is the first part that does not end before i, false if there is none.
func (p parts) at(i int64) (part, bool) {
	k, _ := slices.BinarySearchFunc(p, i, func(q part, i int64) int { return cmp.Compare(q.to, i+1) })
	if k == len(p) {
		return part{}, false
	}
	return p[k], true
}

// partsOf lists where the buffers of those columns lie in the body of b, which
// the layout is of. The list is the old one's memory.
func (l *layout) partsOf(b *framedBatch, columns []int, old parts, leastGap int64) parts {
	list := append(old[:0], part{}) // not nil: nothing may be wanted
	for _, i := range columns {
		if i < 0 {
			continue
		}
		c := &b.schema.Columns[i]
		for k, end := l.bufferAt(c.First), l.bufferAt(c.First.Plus(c.Span)); k < end; k++ {
			if offset, length := b.msg.Buffer(k); length > 0 {
				list = append(list, part{offset, offset + length})
			}
		}
	}
	slices.SortFunc(list, func(p, q part) int { return cmp.Compare(p.from, q.from) })
	joined := list[:1]
	for _, p := range list[1:] {
		if last := &joined[len(joined)-1]; p.from-last.to < leastGap {
			last.to = max(last.to, p.to)
		} else {
			joined = append(joined, p)
		}
	}
	return joined
}
