package scan

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// constant makes columns that have one text in every row: as a dictionary of
// that text, which the engine looks up once for all batches of an input; as one
// run where there are more rows than memory should be held for.
type constant struct {
	text  string
	value arrow.ArrayData // a utf8 array of the text alone; nil at first
}

var (
	dictionaryType = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	runType        = arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int64, arrow.BinaryTypes.String)

	// zeros are indices of a piece's rows into a dictionary of one entry.
	zeros = memory.NewBufferBytes(make([]byte, pieceRows))
)

func (c *constant) set(text string) {
	if c.value != nil && c.text == text {
		return
	}
	c.text = text
	offsets := arrow.Int32Traits.CastToBytes([]int32{0, int32(len(text))})
	c.value = array.NewData(arrow.BinaryTypes.String, 1,
		[]*memory.Buffer{nil, memory.NewBufferBytes(offsets), memory.NewBufferBytes([]byte(text))}, nil, 0, 0)
}

func (c *constant) column(rows int64) arrow.ArrayData {
	if rows <= pieceRows {
		return array.NewDataWithDictionary(dictionaryType, int(rows), []*memory.Buffer{nil, zeros}, 0, 0, c.value.(*array.Data))
	}
	ends := array.NewData(arrow.PrimitiveTypes.Int64, 1,
		[]*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int64Traits.CastToBytes([]int64{rows}))}, nil, 0, 0)
	return array.NewData(runType, int(rows), []*memory.Buffer{nil}, []arrow.ArrayData{ends, c.value}, 0, 0)
}
