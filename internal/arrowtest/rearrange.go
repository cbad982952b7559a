package arrowtest

import (
	"maps"
	"math/rand/v2"

	"github.com/apache/arrow-go/v18/arrow"
)

// Recut cuts the rows into batches of those sizes, the last size again and
// again until the rows are out. A size of zero makes a batch without rows.
func (s *Stream) Recut(sizes ...int) *Stream {
	rows := s.Rows()
	var batches [][]Row
	for i := 0; len(rows) > 0 || i < len(sizes); i++ {
		size := min(sizes[min(i, len(sizes)-1)], len(rows))
		if size == 0 && i >= len(sizes) {
			size = len(rows)
		}
		batches = append(batches, rows[:size])
		rows = rows[size:]
	}
	return s.withRows(batches)
}

// RecutAt cuts the rows at random places, into batches without rows too.
func (s *Stream) RecutAt(rng *rand.Rand) *Stream {
	rows := s.Rows()
	var batches [][]Row
	for len(rows) > 0 {
		size := rng.IntN(len(rows) + 1)
		batches = append(batches, rows[:size])
		rows = rows[size:]
	}
	return s.withRows(batches)
}

// Permute shuffles the rows over all batches; the batches keep their sizes.
func (s *Stream) Permute(rng *rand.Rand) *Stream {
	rows := append([]Row(nil), s.Rows()...)
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	var batches [][]Row
	for _, b := range s.Batches {
		batches = append(batches, rows[:len(b.Rows)])
		rows = rows[len(b.Rows):]
	}
	return s.withRows(batches)
}

// Parts deals the rows out to n streams at random.
func (s *Stream) Parts(rng *rand.Rand, n int) []*Stream {
	dealt := make([][]Row, n)
	for _, row := range s.Rows() {
		i := rng.IntN(n)
		dealt[i] = append(dealt[i], row)
	}
	parts := make([]*Stream, n)
	for i, rows := range dealt {
		parts[i] = s.withRows([][]Row{rows})
	}
	return parts
}

// Retype gives every field the type that f returns for it; the cells are read
// again under it.
func (s *Stream) Retype(f func(arrow.Field) arrow.DataType) *Stream {
	var rows [][]Row
	for _, b := range s.Batches {
		rows = append(rows, b.Rows)
	}
	t := s.withRows(rows)
	t.Fields = append([]arrow.Field(nil), s.Fields...)
	for i, field := range t.Fields {
		t.Fields[i].Type = f(field)
	}
	return t
}

// Select keeps the columns of those names, in that order. It panics on a name
// that the stream lacks.
func (s *Stream) Select(names ...string) *Stream {
	t := &Stream{Metadata: s.Metadata}
	for _, name := range names {
		t.Fields = append(t.Fields, s.Fields[s.Field(name)])
	}
	for _, b := range s.Batches {
		rows := make([]Row, len(b.Rows))
		for i, row := range b.Rows {
			for _, name := range names {
				rows[i] = append(rows[i], row[s.Field(name)])
			}
		}
		t.Batches = append(t.Batches, Batch{Rows: rows})
	}
	return t
}

// isString: a plain string column in any layout.
func isString(dt arrow.DataType) bool {
	switch dt.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return true
	}
	return false
}

// ToView makes every string column a utf8_view.
func ToView(f arrow.Field) arrow.DataType { return stringsAs(f.Type, arrow.BinaryTypes.StringView) }

// ToLarge makes every string column a large_utf8.
func ToLarge(f arrow.Field) arrow.DataType { return stringsAs(f.Type, arrow.BinaryTypes.LargeString) }

// ToRuns run-end-encodes every string column.
func ToRuns(f arrow.Field) arrow.DataType {
	return stringsAs(f.Type, arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String))
}

// ToDictionary dictionary-encodes every string column, with indices of that type.
func ToDictionary(index arrow.DataType) func(arrow.Field) arrow.DataType {
	return func(f arrow.Field) arrow.DataType {
		return stringsAs(f.Type, &arrow.DictionaryType{IndexType: index, ValueType: arrow.BinaryTypes.String})
	}
}

func stringsAs(dt, other arrow.DataType) arrow.DataType {
	if isString(dt) {
		return other
	}
	return dt
}

// SharedDictionaries gives all batches one dictionary a column, of all the
// values that the stream has.
func (s *Stream) SharedDictionaries() *Stream {
	return s.withDictionaries(func(int) int { return len(s.Batches) })
}

// GrowingDictionaries gives each batch the dictionary of all the values up to
// and with it, which a writer can send as deltas.
func (s *Stream) GrowingDictionaries() *Stream {
	return s.withDictionaries(func(batch int) int { return batch + 1 })
}

// withDictionaries settles every dictionary that is not, from the values of
// as many batches as upTo says.
func (s *Stream) withDictionaries(upTo func(batch int) int) *Stream {
	t := &Stream{Fields: s.Fields, Metadata: s.Metadata}
	for i, b := range s.Batches {
		dictionaries := maps.Clone(b.Dictionaries)
		for j, f := range s.Fields {
			if f.Type.ID() != arrow.DICTIONARY || dictionaries[j] != nil {
				continue
			}
			var cells []Cell
			for _, earlier := range s.Batches[:upTo(i)] {
				for _, row := range earlier.Rows {
					cells = append(cells, row[j])
				}
			}
			if dictionaries == nil {
				dictionaries = map[int][]Cell{}
			}
			dictionaries[j] = distinct(cells)
		}
		t.Batches = append(t.Batches, Batch{Rows: b.Rows, Dictionaries: dictionaries})
	}
	return t
}
