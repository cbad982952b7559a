package ipcmeta

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// Column is one field of the schema as a record batch lays it out: a
// depth-first walk over columns and their children meets the field nodes and
// the buffers of a batch in order.
type Column struct {
	Name       string
	Type       arrow.DataType // an extension type as its storage
	Children   []Column       // of a dictionary-encoded column: none, they are its values'
	Dictionary int            // ordinal of the dictionary, -1 if it has none
	First      Span           // what comes before it in a batch; of top-level columns
	Span       Span           // what it takes up, children included
}

// Span counts the parts of a record batch.
type Span struct {
	Nodes     int
	Buffers   int // but for the character buffers of views, of which a batch says how many there are
	Variadics int // view columns
	Unions    int // each has one more buffer, a validity bitmap, in version 4
}

// Plus adds the counts of two spans.
func (s Span) Plus(t Span) Span {
	return Span{s.Nodes + t.Nodes, s.Buffers + t.Buffers, s.Variadics + t.Variadics, s.Unions + t.Unions}
}

// Below is where the first child is of a column that is at that place.
func (c *Column) Below(at Span) Span { return at.Plus(ownSpan(c.Type)) }

// Encoded tells whether there is a dictionary in c or below it.
func (c *Column) Encoded() bool {
	return c.Dictionary >= 0 || slices.ContainsFunc(c.Children, func(child Column) bool { return child.Encoded() })
}

// ownSpan is the layout of one field without its children: the table "Buffer
// Listing for Each Layout" of the Arrow columnar format.
func ownSpan(t arrow.DataType) Span {
	switch t.ID() {
	case arrow.NULL, arrow.RUN_END_ENCODED:
		return Span{Nodes: 1}
	case arrow.STRUCT, arrow.FIXED_SIZE_LIST:
		return Span{Nodes: 1, Buffers: 1}
	case arrow.SPARSE_UNION:
		return Span{Nodes: 1, Buffers: 1, Unions: 1}
	case arrow.DENSE_UNION:
		return Span{Nodes: 1, Buffers: 2, Unions: 1}
	case arrow.BINARY, arrow.STRING, arrow.LARGE_BINARY, arrow.LARGE_STRING,
		arrow.LIST_VIEW, arrow.LARGE_LIST_VIEW:
		return Span{Nodes: 1, Buffers: 3}
	case arrow.BINARY_VIEW, arrow.STRING_VIEW:
		return Span{Nodes: 1, Buffers: 2, Variadics: 1}
	default: // validity and values, or validity and the offsets of a list or map
		return Span{Nodes: 1, Buffers: 2}
	}
}
