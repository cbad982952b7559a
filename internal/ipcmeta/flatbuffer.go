package ipcmeta

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// A flatbuffer is read with an error that sticks: after the first fault every
// further access yields zero, so that a parser checks once, at its end.
type flatbuffer struct {
	bytes  []byte
	budget int // bytes that may still be visited
	err    error
}

// sharing is how often, on average, a byte may be visited. Writers share
// vtables and perhaps strings, never whole trees.
const sharing = 4

var errTooLong = errors.New("metadata longer than 2 GiB")

func newFlatbuffer(b []byte) flatbuffer {
	if len(b) > math.MaxInt32 {
		return flatbuffer{err: errTooLong}
	}
	return flatbuffer{bytes: b, budget: sharing*len(b) + 1024}
}

// table is a located table, its vtable and the fields of its shape known to be
// in the buffer. Where a field lies is checked field by field: the size of the
// table that its vtable tells is not to be relied on, since Go's builder shares
// vtables between tables whose fields begin at the same places and end at
// others. It is checked again when a field is read, since the bytes may have
// changed by then.
//
// The zero table has no fields.
type table struct {
	pos         int
	vtable, end int // entries of the vtable, after its own header
}

// tableCost is what visiting a table costs of the budget: about what the
// smallest one takes up with the offset that leads to it.
const tableCost = 16

func (f *flatbuffer) fail(format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("metadata: "+format, args...)
	}
}

func (f *flatbuffer) spend(n int) {
	if f.budget -= n; f.budget < 0 {
		f.fail("shared parts unfold to more than %d times the metadata", sharing)
	}
}

// holds tells whether n bytes at pos lie in the buffer.
func (f *flatbuffer) holds(pos, n int) bool {
	return f.err == nil && pos >= 0 && n >= 0 && pos <= len(f.bytes)-n
}

func (f *flatbuffer) root(s shape) table { return f.tableAt(f.target(0), s) }

// target follows the offset at pos. It never leads back or stands still.
func (f *flatbuffer) target(pos int) int {
	if !f.holds(pos, 4) {
		f.fail("offset at %d lies outside the metadata", pos)
		return 0
	}
	to := pos + int(binary.LittleEndian.Uint32(f.bytes[pos:]))
	if to < pos+4 || !f.holds(to, 4) {
		f.fail("offset at %d leads outside the metadata", pos)
		return 0
	}
	return to
}

// tableAt verifies the table at pos and the fields of its shape. What they
// refer to is verified where it is followed.
func (f *flatbuffer) tableAt(pos int, s shape) table {
	if !f.holds(pos, 4) {
		f.fail("table at %d lies outside the metadata", pos)
		return table{}
	}
	vtable := pos - int(int32(binary.LittleEndian.Uint32(f.bytes[pos:])))
	if !f.holds(vtable, 4) {
		f.fail("vtable of the table at %d lies outside the metadata", pos)
		return table{}
	}
	length := int(binary.LittleEndian.Uint16(f.bytes[vtable:]))
	if length < 4 || length%2 != 0 || !f.holds(vtable, length) {
		f.fail("vtable of the table at %d is %d bytes long", pos, length)
		return table{}
	}
	f.spend(tableCost)
	t := table{pos: pos, vtable: vtable + 4, end: vtable + length}
	for i, width := range s {
		f.field(t, i, int(width))
	}
	return t
}

// field returns where field number i of t is, 0 if it is absent.
func (f *flatbuffer) field(t table, i, width int) int {
	entry := t.vtable + 2*i
	if f.err != nil || entry+2 > t.end {
		return 0
	}
	offset := int(binary.LittleEndian.Uint16(f.bytes[entry:]))
	if offset == 0 {
		return 0
	}
	if offset < 4 || !f.holds(t.pos+offset, width) {
		f.fail("field %d of the table at %d lies outside the metadata", i, t.pos)
		return 0
	}
	return t.pos + offset
}

func (f *flatbuffer) byteField(t table, i int, absent byte) byte {
	if pos := f.field(t, i, 1); pos != 0 {
		return f.bytes[pos]
	}
	return absent
}

func (f *flatbuffer) int16Field(t table, i int, absent int16) int16 {
	if pos := f.field(t, i, 2); pos != 0 {
		return int16(binary.LittleEndian.Uint16(f.bytes[pos:]))
	}
	return absent
}

func (f *flatbuffer) int32Field(t table, i int, absent int32) int32 {
	if pos := f.field(t, i, 4); pos != 0 {
		return int32(binary.LittleEndian.Uint32(f.bytes[pos:]))
	}
	return absent
}

func (f *flatbuffer) int64Field(t table, i int, absent int64) int64 {
	if pos := f.field(t, i, 8); pos != 0 {
		return int64(binary.LittleEndian.Uint64(f.bytes[pos:]))
	}
	return absent
}

// tableField returns the table that field i refers to.
func (f *flatbuffer) tableField(t table, i int, s shape) (table, bool) {
	pos := f.field(t, i, 4)
	if pos == 0 {
		return table{}, false
	}
	child := f.tableAt(f.target(pos), s)
	return child, f.err == nil
}

// vectorField returns the entries of the vector that field i refers to, nil
// if it is absent, and how many there are.
func (f *flatbuffer) vectorField(t table, i, width int) (at, n int) {
	pos := f.field(t, i, 4)
	if pos == 0 {
		return 0, 0
	}
	at = f.target(pos)
	if f.err != nil {
		return 0, 0
	}
	claimed := binary.LittleEndian.Uint32(f.bytes[at:])
	at += 4
	if uint64(claimed) > uint64(len(f.bytes)-at)/uint64(width) {
		f.fail("vector at %d claims %d entries", at-4, claimed)
		return 0, 0
	}
	n = int(claimed)
	f.spend(n * width)
	if f.err != nil {
		return 0, 0
	}
	return at, n
}

// structs is vectorField for entries without offsets in them.
func (f *flatbuffer) structs(t table, i, width int) []byte {
	at, n := f.vectorField(t, i, width)
	return f.bytes[at : at+n*width]
}

// text is vectorField for a string. A zero follows its bytes, by which a damaged
// length is told.
func (f *flatbuffer) text(t table, i int) []byte {
	at, n := f.vectorField(t, i, 1)
	if at != 0 && (!f.holds(at+n, 1) || f.bytes[at+n] != 0) {
		f.fail("string at %d has no zero at its end", at)
		return nil
	}
	return f.bytes[at : at+n]
}

func (f *flatbuffer) int32At(pos int) int32 {
	return int32(binary.LittleEndian.Uint32(f.bytes[pos:]))
}
