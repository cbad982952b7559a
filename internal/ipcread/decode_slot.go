package ipcread

import (
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// slot is what one array of a decoded batch is made of, used again for the
// array that comes at the same point of the next batch.
type slot struct {
	data    *array.Data
	buffers []*memory.Buffer // as data has them
	owned   []*memory.Buffer // one for each place in buffers
	areas   [][]byte
	// children of a run-end-encoded array: data's own slice, so that resetting
	// it retains and releases the same ones. No count in here ever falls to 0.
	children []arrow.ArrayData
	empty    *array.Data // dictionary of a batch of nulls
}

// The scratch areas of a slot.
const (
	areaValidity  = 0
	areaStructure = 1 // offsets, indices, views, run ends
	areaBuffers   = 2 // two for each buffer
)

func areaPlain(k int) int  { return areaBuffers + 2*k }     // decompressed
func areaNative(k int) int { return areaBuffers + 2*k + 1 } // in byte order and aligned

func (d *Decoder) slot() *slot {
	if d.used == len(d.slots) {
		d.slots = append(d.slots, &slot{})
	}
	d.used++
	return d.slots[d.used-1]
}

// scratch returns n bytes of an area, with what a batch before left in them.
func (d *Decoder) scratch(s *slot, area int, n int64) ([]byte, error) {
	for len(s.areas) <= area {
		s.areas = append(s.areas, nil)
	}
	have := int64(cap(s.areas[area]))
	if have < n {
		// Room for batches a little larger; a multiple of 64 keeps Go's
		// allocator from handing out less than 8-byte alignment.
		size := (n + n/8 + 63) &^ 63
		if err := d.lease.take(size - have); err != nil {
			return nil, err
		}
		s.areas[area] = make([]byte, size)
	}
	return s.areas[area][:n:n], nil
}

// shape says how many buffers the array has, all of them absent.
func (s *slot) shape(buffers int) {
	for len(s.owned) < buffers {
		s.owned = append(s.owned, memory.NewBufferBytes(nil))
	}
	if cap(s.buffers) < buffers {
		s.buffers = make([]*memory.Buffer, buffers)
		s.data = nil // it has the old ones
	}
	s.buffers = s.buffers[:buffers]
	clear(s.buffers)
}

func (s *slot) set(i int, b []byte) {
	s.owned[i].Reset(b)
	s.buffers[i] = s.owned[i]
}

// finish makes the array of rows r. dictionary may be nil.
func (s *slot) finish(t arrow.DataType, r rowRange, nulls int64, dictionary *array.Data) *array.Data {
	length, offset := int(r.count), int(r.offset())
	if s.data == nil {
		s.data = array.NewData(t, length, s.buffers, nil, int(nulls), offset)
	} else if !s.same(t, length, int(nulls), offset, dictionary) {
		s.data.Reset(t, length, s.buffers, nil, int(nulls), offset)
	}
	// A dictionary's reference count is shared by all workers: it is not
	// touched where the array has it already.
	if dictionary != nil && s.data.Dictionary() != arrow.ArrayData(dictionary) {
		s.data.SetDictionary(dictionary)
	}
	return s.data
}

func (s *slot) same(t arrow.DataType, length, nulls, offset int, dictionary *array.Data) bool {
	d := s.data
	return d.DataType() == t && d.Len() == length && d.NullN() == nulls && d.Offset() == offset &&
		len(d.Buffers()) == len(s.buffers) && len(d.Children()) == 0 && d.Dictionary() == arrow.ArrayData(dictionary)
}

// finishRuns makes a run-end-encoded array of all runs, which begins at the
// first row of r.
func (s *slot) finishRuns(t arrow.DataType, r rowRange, ends, values *array.Data) *array.Data {
	s.shape(1)
	s.children = append(s.children[:0], ends, values)
	if s.data == nil {
		s.data = array.NewData(t, int(r.count), s.buffers, s.children, 0, int(r.first))
	} else {
		s.data.Reset(t, int(r.count), s.buffers, s.children, 0, int(r.first))
	}
	return s.data
}

func aligned(b []byte, to int) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(b)))%uintptr(to) == 0
}

func within(addr uintptr, b []byte) bool {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return addr >= start && addr-start < uintptr(len(b))
}
