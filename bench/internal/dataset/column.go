package dataset

import (
	"github.com/apache/arrow-go/v18/arrow"
)

// column is the recipe of one column. Exactly one of the three groups of
// fields below is set.
type column struct {
	name string
	typ  arrow.DataType // of strings: utf8, whatever Spec.Encoding is

	// A key: the row's code, and what the codes stand for. SortBy sorts codes,
	// which is the order of the values.
	code  func(row uint64) int
	codes int
	words *words  // of a string key
	ints  []int64 // of an integer or timestamp key

	// A measured integer or float.
	integer func(row uint64) int64
	float   func(row uint64) float64
}

func stringKey(spec Spec, name string, n int, word func(int) string) column {
	d := newKeyDraw(spec, name, n)
	return column{name: name, typ: arrow.BinaryTypes.String, code: d.at, codes: n, words: newWords(n, word)}
}

func integerKey(spec Spec, name string, typ arrow.DataType, n int, value func(int) int64) column {
	d := newKeyDraw(spec, name, n)
	c := column{name: name, typ: typ, code: d.at, codes: n, ints: make([]int64, n)}
	for i := range c.ints {
		c.ints[i] = value(i)
	}
	return c
}

// integers are uniform from low to high, both included.
func integers(spec Spec, name string, typ arrow.DataType, low, high int) column {
	s := newStream(spec.Seed, name)
	return column{name: name, typ: typ, integer: func(row uint64) int64 {
		return int64(low + below(s.at(row), high-low+1))
	}}
}

func floats(name string, value func(row uint64) float64) column {
	return column{name: name, typ: arrow.PrimitiveTypes.Float64, float: value}
}

// words are the values of a string key, back to back.
type words struct {
	bytes   []byte
	offsets []int32
}

func newWords(n int, word func(int) string) *words {
	w := &words{offsets: make([]int32, 1, n+1)}
	for i := range n {
		w.bytes = append(w.bytes, word(i)...)
		w.offsets = append(w.offsets, int32(len(w.bytes)))
	}
	return w
}

func (w *words) at(code int) []byte { return w.bytes[w.offsets[code]:w.offsets[code+1]] }
