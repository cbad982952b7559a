package groupby

import (
	"fmt"
	"math/rand/v2"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// encode builds an array of cells in one of the encodings that a batch may
// bring a column of type t in.
func encode(rng *rand.Rand, t arrow.DataType, cells []any) arrow.Array {
	t = narrower(rng, t, cells)
	switch rng.IntN(6) {
	case 0:
		return sliced(rng, t, cells, func(c []any) arrow.Array { return makeArray(t, c) })
	case 1:
		return sliced(rng, t, cells, func(c []any) arrow.Array { return dictionaryOf(rng, t, c) })
	case 2:
		return sliced(rng, t, cells, func(c []any) arrow.Array { return runEndsOf(t, c) })
	case 3:
		none := len(cells) > 0
		for _, c := range cells {
			none = none && c == nil
		}
		if none {
			return array.NewNull(len(cells))
		}
	}
	return makeArray(t, cells)
}

// narrower picks another type that has all the values.
func narrower(rng *rand.Rand, t arrow.DataType, cells []any) arrow.DataType {
	switch t.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return []arrow.DataType{
			arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString,
			arrow.BinaryTypes.StringView,
		}[rng.IntN(3)]
	case arrow.INT64, arrow.INT32:
		for _, c := range cells {
			if v, ok := c.(int64); ok && v != int64(int8(v)) {
				return t
			}
		}
		return []arrow.DataType{t, arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16}[rng.IntN(3)]
	}
	return t
}

// sliced puts cells between others and cuts them out again.
func sliced(rng *rand.Rand, t arrow.DataType, cells []any, build func([]any) arrow.Array) arrow.Array {
	before, after := rng.IntN(70), rng.IntN(3)
	all := append(append(randomCells(rng, t, before), cells...), randomCells(rng, t, after)...)
	a := build(all)
	defer a.Release()
	return array.NewSlice(a, int64(before), int64(before+len(cells)))
}

// dictionaryOf encodes nulls as null indices and as indices of a null value.
func dictionaryOf(rng *rand.Rand, t arrow.DataType, cells []any) arrow.Array {
	dictionary := append([]any{nil}, randomCells(rng, t, 3)...) // three that may go unused
	seen := map[string]int64{}
	indices := make([]any, len(cells))
	for i, c := range cells {
		if c == nil {
			if rng.IntN(2) == 0 {
				indices[i] = int64(0)
			}
			continue
		}
		id := fmt.Sprint(c)
		if _, ok := seen[id]; !ok {
			seen[id] = int64(len(dictionary))
			dictionary = append(dictionary, c)
		}
		indices[i] = seen[id]
	}
	values := makeArray(t, dictionary)
	defer values.Release()
	index := makeArray(arrow.PrimitiveTypes.Int32, indices)
	defer index.Release()
	dt := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: t}
	return array.NewDictionaryArray(dt, index, values)
}

func runEndsOf(t arrow.DataType, cells []any) arrow.Array {
	var ends, values []any
	for i, c := range cells {
		if i == 0 || fmt.Sprint(c) != fmt.Sprint(cells[i-1]) {
			ends, values = append(ends, int64(i)), append(values, c)
		}
		ends[len(ends)-1] = int64(i + 1)
	}
	e, v := makeArray(arrow.PrimitiveTypes.Int32, ends), makeArray(t, values)
	defer e.Release()
	defer v.Release()
	return array.NewRunEndEncodedArray(e, v, len(cells), 0)
}
