package ipcread

import (
	"errors"
	"math"
	"runtime/debug"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"arrowagg/internal/ipcmeta"
)

// framedBatch is what the framer knows of a record batch, or of a dictionary
// batch, and the decoder needs.
type framedBatch struct {
	msg    ipcmeta.Message
	body   []byte // of msg.BodyLength bytes
	schema *ipcmeta.Schema
	dicts  *Dictionaries // as they are where the batch stands in its stream
}

// splittable tells whether the batch may be cut into morsels: ranges of its
// rows that are decoded each on its own. A compressed buffer would be
// decompressed once per morsel, run ends checked once per morsel; and rows
// that no bytes stand for are no work to share.
func (b *framedBatch) splittable() bool {
	if b.msg.Codec() != ipcmeta.Uncompressed || b.msg.Rows()/8 > int64(len(b.body)) {
		return false
	}
	for i := range b.schema.Columns {
		if b.schema.Columns[i].Type.ID() == arrow.RUN_END_ENCODED {
			return false
		}
	}
	return true
}

// Decoder builds columns out of framed batches, checking them on the way. It
// belongs to one goroutine and owns the scratch memory that its arrays refer to.
type Decoder struct {
	shared *decoding
	lease  *lease

	slots  []*slot // scratch, one for each array of a decoded batch
	used   int     // slots of the batch being decoded
	arrays []arrow.ArrayData

	batch  *framedBatch // being decoded
	swap   bool         // its numbers are big-endian
	layout              // of its buffers
}

func newDecoder(shared *decoding) *Decoder {
	return &Decoder{shared: shared, lease: &lease{budget: shared.scratch}}
}

// Rest is called when a frame was released: it ends what the other decoders may
// be waiting for, if the frame took more memory than all may together.
func (d *Decoder) Rest() {
	if d.lease.alone {
		d.slots, d.used, d.arrays = nil, 0, nil
		d.lease.end()
	}
}

// Decode verifies and builds the columns at those indices of the stream's
// schema (-1 gives nil). The arrays are valid until the next Decode or the
// frame's Release. Two batches of one dictionary snapshot have the same
// Dictionary() value.
//
// What an array promises beyond Arrow's own rules, however the input was
// encoded: the null count is exact, and without nulls there is no bitmap;
// offsets, indices, views and run ends are this decoder's own copy, checked,
// so that nothing that happens to a mapped file leads outside a buffer;
// a view that is null is empty, and the bytes after a short
// one are zero; an index under a null is inside its dictionary if that has
// values. The offset is less than 8 but for run-end-encoded arrays. Whether
// strings are UTF-8 and times of the day is left to whoever uses them, since an engine needs
// to look at distinct ones only; Check looks at all, and at
// columns that cannot be read, for which it gets nil.
func (d *Decoder) Decode(f *Frame, columns []int) (arrays []arrow.ArrayData, err error) {
	if !f.Stream.mayDecode(columns) {
		panic("ipcread: a column to decode that Use was not told of")
	}
	arrays, err = d.decode(&f.framedBatch, f.Row, f.Rows, columns)
	if err != nil {
		return nil, f.fail(err)
	}
	return arrays, nil
}

// columnError adds to a cause the column it was found in.
type columnError struct {
	column string
	cause  error
}

func (e *columnError) Error() string { return e.cause.Error() }
func (e *columnError) Unwrap() error { return e.cause }

// decode is Decode without a place: its errors are causes, in a *columnError
// where one column is at fault.
func (d *Decoder) decode(b *framedBatch, row, rows int64, columns []int) (arrays []arrow.ArrayData, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			arrays, err = nil, caught(cause, b)
		}
	}()
	if err := d.begin(b, b.schema.Total); err != nil {
		return nil, err
	}
	if row < 0 || rows < 0 || row > b.msg.Rows()-rows || b.msg.Rows() > math.MaxInt {
		return nil, faultf(ErrCorrupt, "rows %d to %d of a batch of %d", row, row+rows, b.msg.Rows())
	}
	wanted := rowRange{total: b.msg.Rows(), first: row, count: rows}
	if i := b.msg.Uneven(b.schema); i >= 0 {
		c := &b.schema.Columns[i]
		length, _ := b.msg.Node(c.First.Nodes)
		return nil, &columnError{c.Name, wrongLength(length, wanted.total)}
	}
	d.arrays = d.arrays[:0]
	for _, i := range columns {
		if i < 0 {
			d.arrays = append(d.arrays, nil)
			continue
		}
		c := &b.schema.Columns[i]
		if !Readable(c.Type) && d.shared.contents {
			if row == 0 { // of several morsels the first one checks it all
				if _, _, err := d.verify(c, c.First); err != nil {
					return nil, &columnError{c.Name, err}
				}
			}
			d.arrays = append(d.arrays, nil)
			continue
		}
		if !Readable(c.Type) {
			return nil, &columnError{c.Name, faultf(errors.ErrUnsupported, "values of type %v cannot be read", c.Type)}
		}
		decoded, err := d.column(c, c.First, wanted)
		if err != nil {
			return nil, &columnError{c.Name, err}
		}
		d.arrays = append(d.arrays, decoded)
	}
	return d.arrays, nil
}

// decodeValues decodes a dictionary batch. Of values that cannot be read it
// makes no array, but checks them in a check.
func (d *Decoder) decodeValues(b *framedBatch, c *ipcmeta.Column) (values *array.Data, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			values, err = nil, caught(cause, b)
		}
	}()
	if err := d.begin(b, c.Span); err != nil {
		return nil, err
	}
	if Readable(c.Type) {
		return d.column(c, ipcmeta.Span{}, rowRange{total: b.msg.Rows(), count: b.msg.Rows()})
	}
	if !d.shared.contents {
		return nil, faultf(errors.ErrUnsupported, "values of type %v cannot be read", c.Type)
	}
	rows, _, err := d.verify(c, ipcmeta.Span{})
	if err == nil && rows != b.msg.Rows() {
		err = wrongLength(rows, b.msg.Rows())
	}
	return nil, err
}

// caught makes an error of a panic. The walk is meant not to panic; this is
// the net under it. The one that nothing can prevent is a mapped file that
// shrank: its pages are gone.
func caught(cause any, b *framedBatch) error {
	if fault, ok := cause.(interface{ Addr() uintptr }); ok &&
		(within(fault.Addr(), b.body) || within(fault.Addr(), b.msg.Bytes())) {
		return errShrunk
	}
	return faultf(ErrCorrupt, "cannot be decoded: %v", cause)
}
