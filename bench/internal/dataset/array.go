package dataset

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// maker makes one column's arrays. It is safe for concurrent use.
type maker struct {
	column
	encoding string
	typ      arrow.DataType // in the file
	dict     arrow.Array    // of a dictionary column
	nulls    float64
	null     stream
}

func newMaker(spec Spec, c column) *maker {
	m := &maker{column: c, encoding: spec.Encoding, typ: c.typ, nulls: spec.Nulls}
	m.null = newStream(spec.Seed, c.name+" null")
	if c.words == nil {
		return m
	}
	switch spec.Encoding {
	case "large_utf8":
		m.typ = arrow.BinaryTypes.LargeString
	case "view":
		m.typ = arrow.BinaryTypes.StringView
	case "dictionary":
		m.typ = &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}
		m.dict = array.MakeFromData(array.NewData(arrow.BinaryTypes.String, c.codes, []*memory.Buffer{
			nil,
			memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(c.words.offsets)),
			memory.NewBufferBytes(c.words.bytes),
		}, nil, 0, 0))
	}
	return m
}

func (m *maker) field() arrow.Field {
	return arrow.Field{Name: m.name, Type: m.typ, Nullable: true}
}

// array makes the column of one batch: the rows with these numbers.
func (m *maker) array(rows []uint64) arrow.Array {
	validity, nulls := m.validity(rows)
	// A null's slot holds the value that the row would have had: a reader that
	// forgets the bitmap gives a wrong answer and not a lucky one.
	var d *array.Data
	plain := func(values []byte) {
		d = array.NewData(m.typ, len(rows), []*memory.Buffer{validity, memory.NewBufferBytes(values)}, nil, nulls, 0)
	}
	switch {
	case m.words != nil:
		d = m.strings(rows, validity, nulls)
	case m.float != nil:
		values := make([]float64, len(rows))
		for i, row := range rows {
			values[i] = m.float(row)
		}
		plain(arrow.Float64Traits.CastToBytes(values))
	case m.typ.ID() == arrow.INT32:
		plain(arrow.Int32Traits.CastToBytes(fillIntegers[int32](&m.column, rows)))
	default:
		plain(arrow.Int64Traits.CastToBytes(fillIntegers[int64](&m.column, rows)))
	}
	return array.MakeFromData(d)
}

func fillIntegers[T int32 | int64](c *column, rows []uint64) []T {
	values := make([]T, len(rows))
	for i, row := range rows {
		if c.code != nil {
			values[i] = T(c.ints[c.code(row)])
		} else {
			values[i] = T(c.integer(row))
		}
	}
	return values
}

func (m *maker) strings(rows []uint64, validity *memory.Buffer, nulls int) *array.Data {
	switch m.encoding {
	case "dictionary":
		codes := make([]int32, len(rows))
		for i, row := range rows {
			codes[i] = int32(m.code(row))
		}
		return array.NewDataWithDictionary(m.typ, len(rows), []*memory.Buffer{validity,
			memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(codes))}, nulls, 0, m.dict.Data().(*array.Data))
	case "view":
		b := array.NewStringViewBuilder(memory.DefaultAllocator)
		b.Reserve(len(rows))
		for i, row := range rows {
			if validity != nil && !bitutil.BitIsSet(validity.Bytes(), i) {
				b.AppendNull()
				continue
			}
			b.BinaryViewBuilder.Append(m.words.at(m.code(row)))
		}
		return b.NewArray().Data().(*array.Data)
	case "large_utf8":
		return variable[int64](m, rows, arrow.Int64Traits.CastToBytes, validity, nulls)
	}
	return variable[int32](m, rows, arrow.Int32Traits.CastToBytes, validity, nulls)
}

func variable[T int32 | int64](
	m *maker, rows []uint64, bytes func([]T) []byte, validity *memory.Buffer, nulls int,
) *array.Data {
	offsets := make([]T, 1, len(rows)+1)
	text := make([]byte, 0, len(rows)*16)
	for _, row := range rows {
		text = append(text, m.words.at(m.code(row))...)
		offsets = append(offsets, T(len(text)))
	}
	return array.NewData(m.typ, len(rows), []*memory.Buffer{validity,
		memory.NewBufferBytes(bytes(offsets)), memory.NewBufferBytes(text)}, nil, nulls, 0)
}

// validity draws which rows are null; nil if none is.
func (m *maker) validity(rows []uint64) (*memory.Buffer, int) {
	if m.nulls == 0 {
		return nil, 0
	}
	bits := make([]byte, bitutil.BytesForBits(int64(len(rows))))
	nulls := 0
	for i, row := range rows {
		if unit(m.null.at(row)) < m.nulls {
			nulls++
		} else {
			bitutil.SetBit(bits, i)
		}
	}
	return memory.NewBufferBytes(bits), nulls
}
