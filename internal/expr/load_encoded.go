package expr

import (
	"errors"
	"slices"
	"sort"

	"github.com/apache/arrow-go/v18/arrow"
)

// loadEntries reads the values of a dictionary or of runs, each once, and
// which of them every row has, if any.
func (l *loader) loadEntries(a arrow.ArrayData, n int, boolean bool) (values *vector, valid bitmap, err error) {
	entries, valid := l.locateRows(a, n)
	if l.inner == nil {
		l.inner = &loader{}
	}
	values, err = l.inner.load(entries, entries.Len(), boolean)
	if err != nil {
		return nil, nil, l.atRow(err)
	}
	if values.n == 0 {
		values.typ, values.form = arrow.Null, formNone // every row is null
	}
	return values, valid, nil
}

// loadEncoded spreads the values of a dictionary or of runs over the rows.
func (l *loader) loadEncoded(a arrow.ArrayData, n int, boolean bool) (*vector, error) {
	from, valid, err := l.loadEntries(a, n, boolean)
	if err != nil {
		return nil, err
	}
	v := &l.vector
	v.typ, v.form, v.valid = from.typ, from.form, valid
	switch v.form {
	case formNone:
	case formWide:
		l.wide = spread(l.wide, from.wide, l.rows)
		v.wide = l.wide
	case formBytes:
		l.bytes = spread(l.bytes, from.bytes, l.rows)
		v.bytes = l.bytes
	case formTruth:
		l.truth = l.spreadBits(l.truth, from.truth)
		v.truth = l.truth
	default:
		l.words = spread(l.words, from.words, l.rows)
		v.words = l.words
	}
	if from.valid != nil && v.form != formNone {
		v.valid = l.spreadValid(from.valid, valid)
	}
	return v, nil
}

// atRow makes an error about a value one about the first row that has it.
func (l *loader) atRow(err error) error {
	var value *ValueError
	if errors.As(err, &value) {
		value.Row = int64(max(0, slices.Index(l.rows, int32(value.Row))))
	}
	return err
}

// locateRows finds for every row its value's number. Rows that are null have
// any number that exists, and are missing in valid.
func (l *loader) locateRows(a arrow.ArrayData, n int) (values arrow.ArrayData, valid bitmap) {
	l.rows = sized(l.rows, n)
	t, ok := l.vector.typ.(*arrow.DictionaryType)
	if !ok {
		l.locateRuns(a, n)
		return a.Children()[1], nil
	}
	if nulls := buffer(a, 0); nulls != nil && a.NullN() != 0 {
		l.valid = copyBits(l.valid, nulls, a.Offset(), n)
		valid = l.valid
	}
	raw := fixed(a, n, t.IndexType.(arrow.FixedWidthDataType).BitWidth()/8)
	switch t.IndexType.ID() {
	case arrow.INT8:
		indices(l.rows, arrow.Int8Traits.CastFromBytes(raw), valid)
	case arrow.UINT8:
		indices(l.rows, raw, valid)
	case arrow.INT16:
		indices(l.rows, arrow.Int16Traits.CastFromBytes(raw), valid)
	case arrow.UINT16:
		indices(l.rows, arrow.Uint16Traits.CastFromBytes(raw), valid)
	case arrow.INT32:
		indices(l.rows, arrow.Int32Traits.CastFromBytes(raw), valid)
	case arrow.UINT32:
		indices(l.rows, arrow.Uint32Traits.CastFromBytes(raw), valid)
	case arrow.INT64:
		indices(l.rows, arrow.Int64Traits.CastFromBytes(raw), valid)
	case arrow.UINT64:
		indices(l.rows, arrow.Uint64Traits.CastFromBytes(raw), valid)
	}
	return a.Dictionary(), valid
}

// indices copies indices; under a null there may stand anything.
func indices[T int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64](dst []int32, src []T, valid bitmap) {
	for i, x := range src {
		dst[i] = int32(x)
	}
	if valid == nil {
		return
	}
	for i := range dst {
		if !valid.has(i) {
			dst[i] = 0
		}
	}
}

// locateRuns lets every row point at its run.
func (l *loader) locateRuns(a arrow.ArrayData, n int) {
	ends := loader{vector: vector{typ: a.Children()[0].DataType(), n: a.Children()[0].Len()}}
	ends.loadWords(a.Children()[0], a.Children()[0].Len())
	if n == 0 {
		return
	}
	run := sort.Search(ends.vector.n, func(k int) bool { return ends.vector.words[k] > uint64(a.Offset()) })
	for i := range n {
		for ends.vector.words[run] <= uint64(a.Offset()+i) {
			run++
		}
		l.rows[i] = int32(run)
	}
}

func spread[T any](dst, values []T, rows []int32) []T {
	dst = sized(dst, len(rows))
	for i, row := range rows {
		dst[i] = values[row]
	}
	return dst
}

func (l *loader) spreadBits(dst, values bitmap) bitmap {
	dst = sized(dst, wordsFor(len(l.rows)))
	clear(dst)
	for i, row := range l.rows {
		dst[i/64] |= values[row/64] >> (row % 64) & 1 << (i % 64)
	}
	return dst
}

// spreadValid joins the nulls among the values with those among the rows.
func (l *loader) spreadValid(values, rows bitmap) bitmap {
	l.reached = l.spreadBits(l.reached, values)
	if rows == nil {
		return l.reached
	}
	for i := range rows {
		rows[i] &= l.reached[i]
	}
	return rows
}
