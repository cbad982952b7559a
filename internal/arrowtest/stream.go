package arrowtest

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// Cell is one value as text, without the quotes it was written in.
type Cell struct {
	Text string
	Null bool
}

// Null is the null cell.
var Null = Cell{Null: true}

// Row has one cell for every field.
type Row []Cell

// Batch is the rows of one record batch.
type Batch struct {
	Rows []Row
	// Dictionaries holds the entries of dictionary columns that are settled, by
	// field index; the others are made of the batch's own values.
	Dictionaries map[int][]Cell
}

// Stream is a schema and its batches, values as text. The functions that
// rearrange a stream return a new one and share its rows, which nobody changes.
type Stream struct {
	Fields   []arrow.Field
	Metadata arrow.Metadata
	Batches  []Batch
}

// Schema is the stream's Arrow schema.
func (s *Stream) Schema() *arrow.Schema {
	return arrow.NewSchema(s.Fields, &s.Metadata)
}

// Rows returns all rows in order.
func (s *Stream) Rows() []Row {
	var rows []Row
	for _, b := range s.Batches {
		rows = append(rows, b.Rows...)
	}
	return rows
}

// Field is the index of the field of that name, -1 if there is none.
func (s *Stream) Field(name string) int {
	return slices.IndexFunc(s.Fields, func(f arrow.Field) bool { return f.Name == name })
}

// withRows is the stream with those batches, its dictionaries the batches' own.
func (s *Stream) withRows(batches [][]Row) *Stream {
	t := &Stream{Fields: s.Fields, Metadata: s.Metadata}
	for _, rows := range batches {
		t.Batches = append(t.Batches, Batch{Rows: rows})
	}
	return t
}
