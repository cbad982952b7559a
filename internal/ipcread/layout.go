package ipcread

import "arrowagg/internal/ipcmeta"

// layout is where the buffers of a batch's columns are among all of the batch's.
type layout struct {
	unions    int     // more buffers that each union has: 1 in version 4
	variadics []int64 // character buffers of all view columns before this one
}

// lay holds a batch's nodes, buffers and variadic counts against what the
// schema says it must have, and its buffers against its body.
func (l *layout) lay(b *framedBatch, total ipcmeta.Span) error {
	l.unions = 0
	if b.msg.Version == ipcmeta.V4 {
		l.unions = 1
	}
	if n := b.msg.Nodes(); n != total.Nodes {
		return faultf(ErrCorrupt, "%d field nodes where the schema has %d", n, total.Nodes)
	}
	if n := b.msg.Variadics(); n != total.Variadics {
		return faultf(ErrCorrupt, "%d variadic counts where the schema has %d view columns", n, total.Variadics)
	}
	buffers := b.msg.Buffers()
	sum := int64(0)
	l.variadics = append(l.variadics[:0], 0)
	for i := range total.Variadics {
		n := b.msg.Variadic(i)
		if n < 0 || n > int64(buffers) {
			return faultf(ErrCorrupt, "view column of %d character buffers in a batch of %d", n, buffers)
		}
		sum += n
		l.variadics = append(l.variadics, sum)
	}
	if want := int64(total.Buffers+l.unions*total.Unions) + sum; int64(buffers) != want {
		return faultf(ErrCorrupt, "%d buffers where the schema has %d", buffers, want)
	}
	if i := b.msg.Outside(b.msg.BodyLength); i >= 0 {
		offset, length := b.msg.Buffer(i)
		return outside(i, offset, length, b.msg.BodyLength)
	}
	return nil
}

// bufferAt is the number of the first buffer of the column at that place.
func (l *layout) bufferAt(at ipcmeta.Span) int {
	return at.Buffers + l.unions*at.Unions + int(l.variadics[at.Variadics])
}

// charBuffers is how many character buffers the view column at that place has.
func (l *layout) charBuffers(at ipcmeta.Span) int {
	return int(l.variadics[at.Variadics+1] - l.variadics[at.Variadics])
}

func lies(offset, length, in int64) bool {
	return offset >= 0 && length >= 0 && offset <= in-length
}

func outside(i int, offset, length, body int64) error {
	return faultf(ErrCorrupt, "buffer %d at %d, %d bytes long, lies outside the body of %d bytes",
		i, offset, length, body)
}
