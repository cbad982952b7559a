package arrowtest

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Records builds the stream's record batches. The caller owns them.
func (s *Stream) Records() ([]arrow.RecordBatch, error) {
	schema := s.Schema()
	recs := make([]arrow.RecordBatch, 0, len(s.Batches))
	for i, b := range s.Batches {
		columns := make([]arrow.Array, len(s.Fields))
		for j, f := range s.Fields {
			cells := make([]Cell, len(b.Rows))
			for k, row := range b.Rows {
				cells[k] = row[j]
			}
			column, err := buildColumn(f.Type, cells, b.Dictionaries[j])
			if err != nil {
				return nil, fmt.Errorf("batch %d: field %q: %w", i+1, f.Name, err)
			}
			columns[j] = column
		}
		recs = append(recs, array.NewRecordBatch(schema, columns, int64(len(b.Rows))))
	}
	return recs, nil
}

// Slices is Records with every batch a slice out of the middle of a longer
// one: before rows ahead of it and after rows behind it, all copies of its own.
// Nothing but an Offset in the arrays may be different then.
func (s *Stream) Slices(before, after int) ([]arrow.RecordBatch, error) {
	padded := &Stream{Fields: s.Fields, Metadata: s.Metadata}
	for _, b := range s.Batches {
		rows := make([]Row, 0, before+len(b.Rows)+after)
		for i := range before {
			rows = append(rows, filler(b.Rows, i, s.Fields))
		}
		rows = append(rows, b.Rows...)
		for i := range after {
			rows = append(rows, filler(b.Rows, i, s.Fields))
		}
		padded.Batches = append(padded.Batches, Batch{Rows: rows, Dictionaries: b.Dictionaries})
	}
	recs, err := padded.Records()
	for i, rec := range recs {
		recs[i] = rec.NewSlice(int64(before), int64(before+len(s.Batches[i].Rows)))
	}
	return recs, err
}

func filler(rows []Row, i int, fields []arrow.Field) Row {
	if len(rows) == 0 {
		row := make(Row, len(fields))
		for j := range row {
			row[j] = Null
		}
		return row
	}
	return rows[len(rows)-1-i%len(rows)]
}

// buildColumn builds one array. entries is the dictionary, if it is settled.
func buildColumn(dt arrow.DataType, cells, entries []Cell) (arrow.Array, error) {
	switch dt := dt.(type) {
	case *arrow.DictionaryType:
		if entries == nil {
			entries = distinct(cells)
		}
		return buildDictionary(dt, cells, entries)
	case *arrow.RunEndEncodedType:
		return buildRuns(dt, cells)
	}
	b := array.NewBuilder(memory.DefaultAllocator, dt)
	defer b.Release()
	b.Reserve(len(cells))
	for i, c := range cells {
		if err := appendCell(b, c); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return b.NewArray(), nil
}

func buildDictionary(dt *arrow.DictionaryType, cells, entries []Cell) (arrow.Array, error) {
	at := map[Cell]int{}
	for i, e := range entries {
		if _, ok := at[e]; !ok {
			at[e] = i
		}
	}
	indices := make([]Cell, len(cells))
	for i, c := range cells {
		entry, ok := at[c]
		if !ok && !c.Null {
			return nil, fmt.Errorf("row %d: %q is not in the dictionary", i+1, c.Text)
		}
		if indices[i] = Null; ok {
			indices[i] = Cell{Text: strconv.Itoa(entry)}
		}
	}
	values, err := buildColumn(dt.ValueType, entries, nil)
	if err != nil {
		return nil, fmt.Errorf("dictionary: %w", err)
	}
	defer values.Release()
	index, err := buildColumn(dt.IndexType, indices, nil)
	if err != nil {
		return nil, fmt.Errorf("dictionary index: %w", err)
	}
	defer index.Release()
	return array.NewDictionaryArray(dt, index, values), nil
}

func buildRuns(dt *arrow.RunEndEncodedType, cells []Cell) (arrow.Array, error) {
	var ends, values []Cell
	for i, c := range cells {
		if i+1 == len(cells) || cells[i+1] != c {
			ends = append(ends, Cell{Text: strconv.Itoa(i + 1)})
			values = append(values, c)
		}
	}
	endArray, err := buildColumn(dt.RunEnds(), ends, nil)
	if err != nil {
		return nil, fmt.Errorf("run ends: %w", err)
	}
	defer endArray.Release()
	valueArray, err := buildColumn(dt.Encoded(), values, nil)
	if err != nil {
		return nil, err
	}
	defer valueArray.Release()
	return array.NewRunEndEncodedArrayWithType(dt, endArray, valueArray, len(cells), 0), nil
}

// distinct returns the values among the cells in order of appearance.
func distinct(cells []Cell) []Cell {
	seen := map[Cell]bool{}
	entries := []Cell{}
	for _, c := range cells {
		if !c.Null && !seen[c] {
			seen[c] = true
			entries = append(entries, c)
		}
	}
	return entries
}
