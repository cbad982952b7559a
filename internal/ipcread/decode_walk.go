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

// begin makes b the batch being decoded and holds it against what the schema
// says it must have.
func (d *Decoder) begin(b *framedBatch, total ipcmeta.Span) error {
	d.batch, d.used = b, 0
	d.swap = b.schema.BigEndian
	if int64(len(b.body)) != b.msg.BodyLength {
		return faultf(ErrCorrupt, "body of %d bytes, not %d", len(b.body), b.msg.BodyLength)
	}
	return d.lay(b, total)
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

// buffer returns buffer i of the batch, which is number k of the array in s:
// inside the body, decompressed, in this machine's byte order, aligned. It
// lies in the body where that is all true of it already.
func (d *Decoder) buffer(s *slot, i, k int, e element) ([]byte, error) {
	offset, length := d.batch.msg.Buffer(i)
	if length == 0 {
		return nil, nil
	}
	body := d.batch.body
	if !lies(offset, length, int64(len(body))) {
		return nil, outside(i, offset, length, int64(len(body)))
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
