package ipcread

import (
	"arrowagg/internal/ipcmeta"
)

// rowRange is the rows of a column that are wanted. Bitmaps are cut at whole
// bytes, so that an array begins at base and has an offset.
type rowRange struct {
	total        int64 // rows that the column has
	first, count int64
}

func (r rowRange) base() int64   { return r.first &^ 7 }
func (r rowRange) offset() int64 { return r.first & 7 }
func (r rowRange) end() int64    { return r.first + r.count }
func (r rowRange) length() int64 { return r.end() - r.base() }

// begin makes b the batch being decoded and holds its nodes, buffers and
// variadic counts against what the schema says it must have.
func (d *Decoder) begin(b *framedBatch, total ipcmeta.Span) error {
	d.batch, d.used = b, 0
	d.swap = b.schema.BigEndian
	d.unions = 0
	if b.msg.Version == ipcmeta.V4 {
		d.unions = 1
	}
	if int64(len(b.body)) != b.msg.BodyLength {
		return faultf(ErrCorrupt, "body of %d bytes, not %d", len(b.body), b.msg.BodyLength)
	}
	if n := b.msg.Nodes(); n != total.Nodes {
		return faultf(ErrCorrupt, "%d field nodes where the schema has %d", n, total.Nodes)
	}
	if n := b.msg.Variadics(); n != total.Variadics {
		return faultf(ErrCorrupt, "%d variadic counts where the schema has %d view columns", n, total.Variadics)
	}
	buffers := b.msg.Buffers()
	sum := int64(0)
	d.variadics = append(d.variadics[:0], 0)
	for i := range total.Variadics {
		n := b.msg.Variadic(i)
		if n < 0 || n > int64(buffers) {
			return faultf(ErrCorrupt, "view column of %d character buffers in a batch of %d", n, buffers)
		}
		sum += n
		d.variadics = append(d.variadics, sum)
	}
	if want := int64(total.Buffers+d.unions*total.Unions) + sum; int64(buffers) != want {
		return faultf(ErrCorrupt, "%d buffers where the schema has %d", buffers, want)
	}
	if i := b.msg.Outside(int64(len(b.body))); i >= 0 {
		offset, length := b.msg.Buffer(i)
		return outside(i, offset, length, len(b.body))
	}
	return nil
}

func lies(offset, length int64, in int) bool {
	return offset >= 0 && length >= 0 && offset <= int64(in)-length
}

func outside(i int, offset, length int64, body int) error {
	return faultf(ErrCorrupt, "buffer %d at %d, %d bytes long, lies outside the body of %d bytes",
		i, offset, length, body)
}

// node reads the field node of a column that must have so many rows, and
// returns the claimed null count. A claim of -1 means that nobody counted.
func (d *Decoder) node(i int, rows int64) (nulls int64, err error) {
	length, nulls := d.batch.msg.Node(i)
	if length != rows {
		return 0, wrongLength(length, rows)
	}
	if nulls < -1 || nulls > length {
		return 0, faultf(ErrCorrupt, "column of %d rows with %d nulls", length, nulls)
	}
	return nulls, nil
}

// bufferAt is the number of the first buffer of the column at that place.
func (d *Decoder) bufferAt(at ipcmeta.Span) int {
	return at.Buffers + d.unions*at.Unions + int(d.variadics[at.Variadics])
}

// charBuffers is how many character buffers the view column at that place has.
func (d *Decoder) charBuffers(at ipcmeta.Span) int {
	return int(d.variadics[at.Variadics+1] - d.variadics[at.Variadics])
}

// buffer returns buffer i of the batch, which is number k of the array in s:
// inside the body, decompressed, in this machine's byte order, aligned. It
// lies in the body where that is all true of it already.
func (d *Decoder) buffer(s *slot, i, k int, e element) ([]byte, error) {
	offset, length := d.batch.msg.Buffer(i)
	if length == 0 {
		return nil, nil
	}
	body := d.batch.body
	if !lies(offset, length, len(body)) {
		return nil, outside(i, offset, length, len(body))
	}
	raw := body[offset : offset+length : offset+length]
	if d.batch.msg.Codec() != ipcmeta.Uncompressed {
		var err error
		if raw, err = d.decompress(s, k, raw); err != nil {
			return nil, err
		}
	}
	reorder := copyBytes
	if d.swap && e.swap != nil {
		reorder = e.swap
	} else if aligned(raw, e.align) {
		return raw, nil
	}
	native, err := d.scratch(s, areaNative(k), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	reorder(native, raw)
	return native, nil
}

func copyBytes(dst, src []byte) { copy(dst, src) }
