package ipcread

import (
	"math"
	"slices"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/array"

	"arrowagg/internal/ipcmeta"
)

// Dictionaries is an immutable snapshot of a stream's dictionaries: what they
// are for the batches framed after one dictionary message and before the
// next. The nil snapshot has none.
//
// Framing only notes where dictionary messages are. Their values are decoded
// when a batch first needs them, once for all workers.
type Dictionaries struct {
	// versions by ordinal, in chunks: a snapshot shares all chunks but one
	// with the snapshot before it, so that very many dictionaries do not make
	// adding one of them expensive.
	chunks [][]*version
}

const chunkSize = 64

// version is one dictionary as it was at some point of the stream: the first
// parts of a lineage.
type version struct {
	lineage *lineage
	parts   int
	length  int64 // values in those parts

	once   sync.Once
	values *array.Data
	err    error
}

func (d *Dictionaries) version(ordinal int) *version {
	if d == nil || ordinal/chunkSize >= len(d.chunks) {
		return nil
	}
	return d.chunks[ordinal/chunkSize][ordinal%chunkSize]
}

// has tells whether there is a dictionary with that id.
func (d *Dictionaries) has(schema *ipcmeta.Schema, id int64) bool {
	ordinal, known := schema.Ordinal(id)
	return known && d.version(ordinal) != nil
}

// with returns the snapshot after a dictionary message. at is where the message
// is, for errors.
func (d *Dictionaries) with(message framedBatch, at int64) (*Dictionaries, error) {
	id, delta := message.msg.Dictionary()
	ordinal, known := message.schema.Ordinal(id)
	if !known {
		return nil, faultf(ErrCorrupt, "dictionary with id %d, which no column has", id)
	}
	message.dicts = nil // a snapshot that nobody needs is not kept
	if message.schema.Dictionaries[ordinal].Values.Encoded() {
		message.dicts = d
	}
	old := d.version(ordinal)
	next := &version{parts: 1, length: message.msg.Rows()}
	switch {
	case !delta:
		next.lineage = newLineage(message, ordinal, at)
	case old == nil:
		return nil, faultf(ErrCorrupt, "more values for the dictionary with id %d, which there is not yet", id)
	case old.length > math.MaxInt64-next.length:
		return nil, faultf(ErrCorrupt, "dictionary with id %d of more than 2^63 values", id)
	default:
		next.lineage = old.lineage.append(message, at, old.parts)
		next.parts += old.parts
		next.length += old.length
	}
	return d.replace(ordinal, next), nil
}

func (d *Dictionaries) replace(ordinal int, v *version) *Dictionaries {
	next := &Dictionaries{}
	if d != nil {
		next.chunks = slices.Clone(d.chunks)
	}
	for len(next.chunks) <= ordinal/chunkSize {
		next.chunks = append(next.chunks, make([]*version, chunkSize))
	}
	chunk := slices.Clone(next.chunks[ordinal/chunkSize])
	chunk[ordinal%chunkSize] = v
	next.chunks[ordinal/chunkSize] = chunk
	return next
}

// decoded returns the values: at least those of this version, and perhaps the
// ones that later messages added.
func (v *version) decoded(shared *decoding) (*array.Data, error) {
	v.once.Do(func() { v.values, v.err = v.lineage.upTo(v.parts, shared) })
	return v.values, v.err
}
