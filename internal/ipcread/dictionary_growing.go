package ipcread

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// growing is a flat array that parts are added to. Arrays handed out earlier
// stay as they are: they see a prefix of the same memory, and more is only
// written behind it. Bitmaps end inside a byte, so they alone are copied for
// each array.
type growing struct {
	dataType arrow.DataType
	lease    *lease

	length    int
	nulls     int
	validity  []byte   // bits, from the first null on
	bools     []byte   // bits
	fixed     []byte   // elements of fixed width, or views
	offsets32 []int32  // one more than values
	offsets64 []int64  // one more than values
	chars     [][]byte // what offsets and views lead to; views to the last and those before
}

// maxChars bounds what one character buffer of views grows to: offsets in
// views are int32.
const maxChars = 1 << 30

func newGrowing(t arrow.DataType, l *lease) *growing {
	return &growing{dataType: t, lease: l, offsets32: []int32{0}, offsets64: []int64{0}, chars: [][]byte{nil}}
}

// add copies a part, a decoded array without offset.
func (g *growing) add(p *array.Data) error {
	if g.length > math.MaxInt-p.Len() {
		return faultf(ErrLimit, "more than 2^63 values")
	}
	if err := g.lease.take(sizeOf(p)); err != nil {
		return err
	}
	var err error
	switch g.dataType.ID() {
	case arrow.NULL:
	case arrow.BOOL:
		g.bools = appendBits(g.bools, g.length, p.Buffers()[1].Bytes(), p.Len())
	case arrow.STRING, arrow.BINARY:
		g.offsets32, err = appendValues(g, g.offsets32, p, math.MaxInt32)
	case arrow.LARGE_STRING, arrow.LARGE_BINARY:
		g.offsets64, err = appendValues(g, g.offsets64, p, math.MaxInt64)
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		err = g.addViews(p)
	default:
		g.fixed = append(g.fixed, p.Buffers()[1].Bytes()...)
	}
	if err != nil {
		return err // nothing was added
	}
	g.addValidity(p)
	g.length += p.Len()
	return nil
}

// sizeOf is about what p takes up.
func sizeOf(p *array.Data) (n int64) {
	for _, b := range p.Buffers() {
		if b != nil {
			n += int64(b.Len())
		}
	}
	return n
}

func (g *growing) addValidity(p *array.Data) {
	if g.dataType.ID() == arrow.NULL {
		g.nulls += p.NullN()
		return
	}
	if g.nulls == 0 && p.NullN() > 0 {
		g.validity = slices.Repeat([]byte{0xFF}, int(bytesFor(int64(g.length))))
	}
	g.nulls += p.NullN()
	if g.nulls == 0 {
		return
	}
	bits := []byte(nil)
	if b := p.Buffers()[0]; b != nil {
		bits = b.Bytes()
	}
	g.validity = appendBits(g.validity, g.length, bits, p.Len())
}

// appendBits adds n bits of src, or n ones if src is nil, to the first have
// bits of dst.
func appendBits(dst []byte, have int, src []byte, n int) []byte {
	want := int(bytesFor(int64(have) + int64(n)))
	dst = append(dst, make([]byte, want-len(dst))...)
	if src == nil {
		bitutil.SetBitsTo(dst, int64(have), int64(n), true)
	} else {
		bitutil.CopyBitmap(src, 0, n, dst, have)
	}
	return dst
}

// appendValues adds the values of p, whose offsets become relative to all
// characters so far.
func appendValues[T int32 | int64](g *growing, offsets []T, p *array.Data, most int64) ([]T, error) {
	more := arrow.GetData[T](p.Buffers()[1].Bytes())
	first := more[0]
	chars := p.Buffers()[2].Bytes()[first:more[p.Len()]]
	start := int64(len(g.chars[0]))
	if start > most-int64(len(chars)) {
		return offsets, faultf(ErrLimit, "more than %d bytes of values", most)
	}
	g.chars[0] = append(g.chars[0], chars...)
	for _, offset := range more[1 : p.Len()+1] {
		offsets = append(offsets, offset-first+T(start))
	}
	return offsets, nil
}

// addViews adds views and copies the values that they lead to: a character
// buffer more for every part would be too many.
func (g *growing) addViews(p *array.Data) error {
	views := p.Buffers()[1].Bytes()
	long := int64(0) // views may share their values, so this is not in sizeOf(p)
	for i := 0; i < len(views); i += viewSize {
		long += max(0, int64(binary.LittleEndian.Uint32(views[i:]))-inlineView)
	}
	if err := g.lease.take(long); err != nil {
		return err
	}
	for i := 0; i < len(views); i += viewSize {
		view := [viewSize]byte(views[i:])
		if length := int(binary.LittleEndian.Uint32(view[:])); length > inlineView {
			index := binary.LittleEndian.Uint32(view[8:])
			offset := int(binary.LittleEndian.Uint32(view[12:]))
			g.addLong(&view, p.Buffers()[2+index].Bytes()[offset:offset+length])
		}
		g.fixed = append(g.fixed, view[:]...)
	}
	return nil
}

func (g *growing) addLong(view *[viewSize]byte, value []byte) {
	last := len(g.chars) - 1
	if len(g.chars[last]) > 0 && len(g.chars[last])+len(value) > maxChars {
		g.chars = append(g.chars, nil)
		last++
	}
	binary.LittleEndian.PutUint32(view[8:], uint32(last))
	binary.LittleEndian.PutUint32(view[12:], uint32(len(g.chars[last])))
	g.chars[last] = append(g.chars[last], value...)
}

// values is an array of all that was added so far.
func (g *growing) values() *array.Data {
	buffers := []*memory.Buffer{nil}
	if g.validity != nil {
		buffers[0] = memory.NewBufferBytes(slices.Clone(g.validity))
	}
	add := func(b []byte) { buffers = append(buffers, memory.NewBufferBytes(b)) }
	switch g.dataType.ID() {
	case arrow.NULL:
	case arrow.BOOL:
		add(slices.Clone(g.bools))
	case arrow.STRING, arrow.BINARY:
		add(arrow.GetBytes(g.offsets32))
		add(g.chars[0])
	case arrow.LARGE_STRING, arrow.LARGE_BINARY:
		add(arrow.GetBytes(g.offsets64))
		add(g.chars[0])
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		add(g.fixed)
		for _, chars := range g.chars {
			add(chars)
		}
	default:
		add(g.fixed)
	}
	return array.NewData(g.dataType, g.length, buffers, nil, g.nulls, 0)
}
