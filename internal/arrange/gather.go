package arrange

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// ref is a row of one of several batches. Refs compare in the order of the
// rows.
type ref uint64

func newRef(batch, row int) ref { return ref(batch)<<32 | ref(row) }

func (r ref) batch() int { return int(r >> 32) }
func (r ref) row() int   { return int(uint32(r)) }

// gatherer holds batches of one schema and puts new ones together from their
// rows.
type gatherer struct {
	schema  *arrow.Schema
	batches []arrow.RecordBatch
	columns [][]column // by batch
	refs    []ref      // rows that are to be given out, in this order
}

// hold takes over a batch and returns its number.
func (g *gatherer) hold(batch arrow.RecordBatch) int {
	columns := make([]column, batch.NumCols())
	for i := range columns {
		columns[i] = newColumn(batch.Column(i))
	}
	g.batches, g.columns = append(g.batches, batch), append(g.columns, columns)
	return len(g.batches) - 1
}

func (g *gatherer) release() {
	for _, b := range g.batches {
		if b != nil {
			b.Release()
		}
	}
	g.batches, g.columns, g.refs = nil, nil, nil
}

// maxBytes is what the offsets of utf8 and binary can address.
const maxBytes = math.MaxInt32

// fits returns how many of the rows listed make a batch: those whose bytes can
// be addressed in every column.
func (g *gatherer) fits(refs []ref) int {
	n := min(len(refs), cutRows)
	for c, f := range g.schema.Fields() {
		if !varies(f.Type) || g.bytesOf(c) <= maxBytes {
			continue
		}
		total := int64(0)
		for i, r := range refs[:n] {
			total += int64(len(g.columns[r.batch()][c].value(r.row())))
			if total > maxBytes && i > 0 {
				n = i
				break
			}
		}
	}
	return n
}

// bytesOf is how many bytes values of any length have in all batches held.
func (g *gatherer) bytesOf(c int) (total int64) {
	for _, columns := range g.columns {
		if columns != nil {
			total += columns[c].size()
		}
	}
	return total
}

// batch makes a batch of the rows listed.
func (g *gatherer) batch(refs []ref) arrow.RecordBatch {
	arrays := make([]arrow.Array, len(g.schema.Fields()))
	for c, f := range g.schema.Fields() {
		arrays[c] = g.gather(c, f.Type, refs)
	}
	batch := array.NewRecordBatch(g.schema, arrays, int64(len(refs)))
	for _, a := range arrays {
		a.Release()
	}
	return batch
}

// gather makes column c of the rows listed.
func (g *gatherer) gather(c int, t arrow.DataType, refs []ref) arrow.Array {
	from := make([]*column, len(g.columns)) // by batch
	for b := range g.columns {
		if g.columns[b] != nil {
			from[b] = &g.columns[b][c]
		}
	}
	if t.ID() == arrow.BINARY_VIEW {
		return gatherViews(from, refs)
	}
	valid, nulls := gatherValidity(from, refs)
	buffers := []*memory.Buffer{valid}
	switch t := t.(type) {
	case *arrow.BooleanType:
		buffers = append(buffers, gatherBits(from, refs))
	case *arrow.LargeBinaryType, *arrow.LargeStringType:
		offsets, values := gatherBytes[int64](from, refs)
		buffers = append(buffers, memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(offsets)), values)
	case arrow.FixedWidthDataType:
		buffers = append(buffers, gatherFixed(from, t.BitWidth()/8, refs))
	default:
		offsets, values := gatherBytes[int32](from, refs)
		buffers = append(buffers, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets)), values)
	}
	d := array.NewData(t, len(refs), buffers, nil, nulls, 0)
	defer d.Release()
	return array.MakeFromData(d)
}

func gatherValidity(from []*column, refs []ref) (valid *memory.Buffer, nulls int) {
	var bits []byte
	for i, r := range refs {
		if !from[r.batch()].isNull(r.row()) {
			continue
		}
		if bits == nil {
			bits = make([]byte, (len(refs)+7)/8)
			for k := range refs {
				bits[k/8] |= 1 << (k % 8)
			}
		}
		bits[i/8] &^= 1 << (i % 8)
		nulls++
	}
	if bits == nil {
		return nil, 0
	}
	return memory.NewBufferBytes(bits), nulls
}

func gatherBits(from []*column, refs []ref) *memory.Buffer {
	bits := make([]byte, (len(refs)+7)/8)
	for i, r := range refs {
		if from[r.batch()].boolean(r.row()) {
			bits[i/8] |= 1 << (i % 8)
		}
	}
	return memory.NewBufferBytes(bits)
}

// gatherFixed copies values of fixed width. Where rows are null it copies what
// is there.
func gatherFixed(from []*column, width int, refs []ref) *memory.Buffer {
	out := make([]byte, len(refs)*width)
	if width == 8 {
		for i, r := range refs {
			binary.NativeEndian.PutUint64(out[8*i:], binary.NativeEndian.Uint64(from[r.batch()].value(r.row())))
		}
		return memory.NewBufferBytes(out)
	}
	for i, r := range refs {
		copy(out[i*width:(i+1)*width], from[r.batch()].value(r.row()))
	}
	return memory.NewBufferBytes(out)
}

// gatherBytes copies values of any length, nothing where a row is null.
func gatherBytes[T int32 | int64](from []*column, refs []ref) ([]T, *memory.Buffer) {
	offsets := make([]T, len(refs)+1)
	var values []byte
	for i, r := range refs {
		if col := from[r.batch()]; !col.isNull(r.row()) {
			values = append(values, col.value(r.row())...)
		}
		offsets[i+1] = T(len(values))
	}
	return offsets, memory.NewBufferBytes(values)
}

func gatherViews(from []*column, refs []ref) arrow.Array {
	b := array.NewBinaryViewBuilder(memory.DefaultAllocator)
	defer b.Release()
	for _, r := range refs {
		if col := from[r.batch()]; col.isNull(r.row()) {
			b.AppendNull()
		} else {
			b.Append(col.value(r.row()))
		}
	}
	return b.NewArray()
}
