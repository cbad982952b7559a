package groupby

import (
	"github.com/apache/arrow-go/v18/arrow"
)

// multiset is the values of one column in every group, each with how many times
// it is there: what holistic aggregates of the column share. It is rows like
// those that a worker keeps (rowStore), a row a value, in two stores:
//
//	short | key, packed | value |           once, and of exact floats a double
//	long  | key, packed | value | count |
//
// A value is in order code, or, if it can have any length, the code that an
// interner gives it. The two zeros of floats are one value. Workers append rows
// from the beginning, and fold equal ones when they are many and repeat
// (multiset_rows.go); Finish deals them out as it does with rows that were kept,
// and folds each bucket's by themselves (multiset_fold.go).
type multiset struct {
	column   int // of the spec
	first    int // the aggregate in whose place its states travel
	readers  []int
	code     orderCode        // code.words is 0: interned
	interner interner         // nil: not interned
	columns  [2][]valueColumn // of the short and the long rows
}

const (
	short = iota
	long
	rowKinds
)

// multisetsOf lists what the holistic aggregates of s share, and by aggregate
// which it reads, -1 for the others.
func multisetsOf(s *states) (sets []*multiset, of []int) {
	byColumn := map[int]int{}
	of = make([]int, len(s.accumulators))
	for a, acc := range s.accumulators {
		of[a] = -1
		if _, ok := acc.(holistic); !ok {
			continue
		}
		column := s.aggregates[a].Arguments[0]
		k, ok := byColumn[column]
		if !ok {
			k = len(sets)
			byColumn[column] = k
			sets = append(sets, newMultiset(column, a, valueType(s.columns[column].Type)))
		}
		of[a] = k
		sets[k].readers = append(sets[k].readers, a)
	}
	return sets, of
}

func newMultiset(column, first int, t arrow.DataType) *multiset {
	// Among doubles integers may come, which are exact here.
	code, err := newOrderCode(t, t.ID() == arrow.FLOAT64)
	if err != nil { // type null, of which there is no value
		code = orderCode{typ: arrow.PrimitiveTypes.Int64, words: 1}
	}
	m := &multiset{column: column, first: first, code: code}
	value := func(words int) valueColumn {
		if words > 1 {
			return valueColumn{lane: laneWords, words: words}
		}
		return valueColumn{lane: laneUints, words: 1}
	}
	m.columns[short] = []valueColumn{value(m.words())}
	if code.exact {
		m.columns[short] = []valueColumn{value(1)}
	}
	m.columns[long] = []valueColumn{value(m.words()), {lane: laneUints, words: 1}}
	return m
}

// nothingAbove is the second word of the code of a double among exact floats.
const nothingAbove = signBit

// isShort tells whether rows are short ones; counts is nil if each is there
// once.
func (m *multiset) isShort(values, counts []uint64) bool {
	for _, n := range counts {
		if n != 1 {
			return false
		}
	}
	if m.code.exact {
		for i := 1; i < len(values); i += 2 {
			if values[i] != nothingAbove {
				return false
			}
		}
	}
	return true
}

// bindMultisets settles what holistic aggregates read.
func (e *Engine) bindMultisets() {
	e.multisets, e.multisetOf = multisetsOf(e.prototype)
	for _, m := range e.multisets {
		if m.interned() {
			m.interner = newInterner(m.code.typ, e.numbers, e.hash, e.arena)
		}
	}
}

// interned reports whether values are written as codes.
func (m *multiset) interned() bool { return m.code.words == 0 }

// words is the size of a value in a row.
func (m *multiset) words() int { return max(1, m.code.words) }

// stateFields are the columns in which a multiset travels from one engine to
// another, a row a value: several rows of one key, one after the other.
func (m *multiset) stateFields() []arrow.Field {
	t := m.code.typ
	if isString(t) {
		t = arrow.BinaryTypes.String
	}
	fields := valueField(t)
	if m.code.exact {
		fields = append(fields, arrow.Field{Name: "above", Type: arrow.PrimitiveTypes.Int64, Nullable: true})
	}
	return append(fields, arrow.Field{Name: "count", Type: arrow.PrimitiveTypes.Int64, Nullable: true})
}

// put writes the code of n values.
func (m *multiset) put(dst []uint64, n int, v *vector) {
	m.code.put(dst, m.code.words, n, v)
	m.oneZero(dst)
}

// oneZero makes -0.0 among values 0.0.
func (m *multiset) oneZero(values []uint64) {
	if !isFloat(m.code.typ) {
		return
	}
	const negativeZero = signBit - 1
	for i := 0; i < len(values); i += m.code.words {
		if values[i] == negativeZero {
			values[i] = signBit
		}
	}
}
