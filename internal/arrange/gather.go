package arrange

import (
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
		if !varies(f.Type) {
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
	if t.ID() == arrow.BINARY_VIEW {
		return g.gatherViews(c, refs)
	}
	valid, nulls := g.gatherValidity(c, refs)
	var buffers []*memory.Buffer
	switch t.(type) {
	case *arrow.BooleanType:
		bits := make([]byte, (len(refs)+7)/8)
		for i, r := range refs {
			if col := &g.columns[r.batch()][c]; !col.isNull(r.row()) && col.boolean(r.row()) {
				bits[i/8] |= 1 << (i % 8)
			}
		}
		buffers = []*memory.Buffer{valid, memory.NewBufferBytes(bits)}
	case *arrow.LargeBinaryType, *arrow.LargeStringType:
		offsets, values := gatherBytes[int64](g, c, refs)
		buffers = []*memory.Buffer{valid, memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(offsets)), values}
	case arrow.FixedWidthDataType:
		buffers = []*memory.Buffer{valid, memory.NewBufferBytes(g.gatherFixed(c, t, refs))}
	default:
		offsets, values := gatherBytes[int32](g, c, refs)
		buffers = []*memory.Buffer{valid, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets)), values}
	}
	d := array.NewData(t, len(refs), buffers, nil, nulls, 0)
	defer d.Release()
	return array.MakeFromData(d)
}

func (g *gatherer) gatherValidity(c int, refs []ref) (valid *memory.Buffer, nulls int) {
	var bits []byte
	for i, r := range refs {
		if !g.columns[r.batch()][c].isNull(r.row()) {
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

// gatherFixed copies values of fixed width; nulls become zeros.
func (g *gatherer) gatherFixed(c int, t arrow.DataType, refs []ref) []byte {
	width := t.(arrow.FixedWidthDataType).BitWidth() / 8
	out := make([]byte, len(refs)*width)
	for i, r := range refs {
		if col := &g.columns[r.batch()][c]; !col.isNull(r.row()) {
			copy(out[i*width:(i+1)*width], col.value(r.row()))
		}
	}
	return out
}

func gatherBytes[T int32 | int64](g *gatherer, c int, refs []ref) ([]T, *memory.Buffer) {
	offsets := make([]T, len(refs)+1)
	total := 0
	for i, r := range refs {
		if col := &g.columns[r.batch()][c]; !col.isNull(r.row()) {
			total += len(col.value(r.row()))
		}
		offsets[i+1] = T(total)
	}
	values := make([]byte, 0, total)
	for _, r := range refs {
		if col := &g.columns[r.batch()][c]; !col.isNull(r.row()) {
			values = append(values, col.value(r.row())...)
		}
	}
	return offsets, memory.NewBufferBytes(values)
}

func (g *gatherer) gatherViews(c int, refs []ref) arrow.Array {
	b := array.NewBinaryViewBuilder(memory.DefaultAllocator)
	defer b.Release()
	for _, r := range refs {
		if col := &g.columns[r.batch()][c]; col.isNull(r.row()) {
			b.AppendNull()
		} else {
			b.Append(col.value(r.row()))
		}
	}
	return b.NewArray()
}
