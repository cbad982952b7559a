package ipcmeta

import "encoding/binary"

// Codec compresses the buffers of a body one by one.
type Codec uint8

const (
	Uncompressed Codec = iota
	LZ4Frame
	ZSTD
)

// batch locates the parts of a RecordBatch table.
type batch struct {
	rows      int64
	codec     Codec
	nodes     []byte // FieldNode {length, null_count int64}
	buffers   []byte // Buffer {offset, length int64}
	variadics []byte // int64
}

const (
	nodeSize     = 16
	bufferSize   = 16
	variadicSize = 8
)

func (f *flatbuffer) batch(t table) batch {
	b := batch{
		rows:      f.int64Field(t, 0, 0),
		nodes:     f.structs(t, 1, nodeSize),
		buffers:   f.structs(t, 2, bufferSize),
		variadics: f.structs(t, 4, variadicSize),
	}
	if b.rows < 0 {
		f.fail("record batch of %d rows", b.rows)
	}
	if compression, present := f.tableField(t, 3, compressionShape); present {
		codec := f.byteField(compression, 0, 0)
		method := f.byteField(compression, 1, 0)
		if codec > 1 {
			f.fail("body compressed by unknown codec %d", codec)
		}
		if method != 0 {
			f.fail("body compressed by unknown method %d", method)
		}
		b.codec = LZ4Frame + Codec(codec)
	}
	return b
}

// Rows returns the number of rows of a batch, or of values of a dictionary
// batch, ≥ 0. Nothing says that the body has as many.
func (b *batch) Rows() int64 { return b.rows }

// Codec returns how the buffers of the body are compressed.
func (b *batch) Codec() Codec { return b.codec }

// Nodes returns the number of field nodes.
func (b *batch) Nodes() int { return len(b.nodes) / nodeSize }

// Node returns field node i as it was written, unchecked.
func (b *batch) Node(i int) (length, nullCount int64) {
	return pair(b.nodes[i*nodeSize:])
}

// Buffers returns the number of buffers.
func (b *batch) Buffers() int { return len(b.buffers) / bufferSize }

// Buffer returns where buffer i claims to be in the body, unchecked.
func (b *batch) Buffer(i int) (offset, length int64) {
	return pair(b.buffers[i*bufferSize:])
}

// Outside returns the first buffer that does not lie in a body of that many
// bytes, -1 if all do. An empty buffer lies anywhere.
func (b *batch) Outside(body int64) int {
	for i, rest := 0, b.buffers; len(rest) >= bufferSize; i, rest = i+1, rest[bufferSize:] {
		offset, length := pair(rest)
		// A negative number is a huge one here.
		if length != 0 && (uint64(length) > uint64(body) || uint64(offset) > uint64(body-length)) {
			return i
		}
	}
	return -1
}

// Uneven returns the first top-level column of the schema whose node has not
// the batch's number of rows, -1 if all have. The batch must have the nodes
// that the schema says.
func (b *batch) Uneven(s *Schema) int {
	for i, node := range s.topNodes {
		if length, _ := pair(b.nodes[int(node)*nodeSize:]); length != b.rows {
			return i
		}
	}
	return -1
}

// Variadics returns the number of variadic buffer counts: one for each view
// column, in the order of the walk.
func (b *batch) Variadics() int { return len(b.variadics) / variadicSize }

// Variadic returns the claimed number of character buffers of view column i,
// unchecked.
func (b *batch) Variadic(i int) int64 {
	return int64(binary.LittleEndian.Uint64(b.variadics[i*variadicSize:]))
}

func pair(p []byte) (first, second int64) {
	_ = p[15]
	return int64(binary.LittleEndian.Uint64(p)), int64(binary.LittleEndian.Uint64(p[8:]))
}
