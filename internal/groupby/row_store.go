package groupby

import "slices"

// rowStore keeps rows that were not folded, one worker's, in the order in which
// they came: what the worker does once groups are so many that finding a row's
// group costs more than sorting the rows in the end. A block has the packed
// codes and the aggregates' values of a chunk, column by column, so appending
// is copying.
//
//	block   keys     | k0 k1 k2 …   layout.words a row
//	        value 0  | v  v  v …    valueColumn.words a row
//	        value 1  | v  v  v …
//	        validity | bits of the value columns in which some are null
type rowStore struct {
	memory bump
	layout *layout // of the keys that come next; blocks keep theirs
	blocks []rowBlock
	rows   int
}

// rowBlock is a chunk's rows: keys, then values, then validity bits, in words.
type rowBlock struct {
	n      int
	layout *layout
	nulls  uint64 // bit i: value column i has validity bits
	words  []uint64
	chunk  int // of the store's memory in which, or before which, they lie
}

// maxValueColumns is the number of bits in rowBlock.nulls.
const maxValueColumns = 64

// valueColumn is a column whose values travel in rows.
type valueColumn struct {
	column    int  // of the spec; ordinalColumn
	converted bool // which form of the values
	lane      lane
	words     int // a row; 0: only whether there is a value
}

// ordinalColumn stands for the numbers of the rows.
const ordinalColumn = -1

// valueColumns lists what the aggregates read, and for each of them the places
// of its arguments in the list. storable says that all of it can travel in rows.
func valueColumns(s *states) (columns []valueColumn, of [][]int, storable bool) {
	storable = true
	of = make([][]int, len(s.accumulators))
	for a, acc := range s.accumulators {
		for k, takes := range takings(acc) {
			if takes == takesRows {
				continue
			}
			v := valueColumnOf(s, a, k, takes)
			storable = storable && v.lane != laneBytes
			at := slices.Index(columns, v)
			if at < 0 {
				at = len(columns)
				columns = append(columns, v)
			}
			of[a] = append(of[a], at)
		}
	}
	return columns, of, storable && len(columns) <= maxValueColumns
}

// valueColumnOf is what an aggregate reads of one of its arguments.
func valueColumnOf(s *states, aggregate, argument int, takes taking) valueColumn {
	if takes == takesOrdinal {
		return valueColumn{column: ordinalColumn, lane: laneUints, words: 1}
	}
	column := s.aggregates[aggregate].Arguments[argument]
	l, width, _ := laneOf(valueType(s.columns[column].Type))
	if takes == takesValidity {
		l, width = laneMarks, 0
	}
	return valueColumn{column: column, converted: takes == takesConverted, lane: l, words: width}
}

// add appends the rows of a chunk: keys, packed in the layout, and values.
func (r *rowStore) add(keys []uint64, n int, columns []valueColumn, vectors []*vector) {
	b := rowBlock{n: n, layout: r.layout}
	total := len(keys)
	for i, v := range vectors {
		total += n * columns[i].words
		if v.valid != nil || v.lane == laneNone {
			b.nulls |= 1 << i
			total += wordsFor(n)
		}
	}
	b.words = r.memory.words(total)
	b.chunk = r.memory.last()
	at := copy(b.words, keys)
	for i, v := range vectors {
		if v.lane != laneNone {
			v.copyWords(b.words[at:])
		}
		at += n * columns[i].words
	}
	for i, v := range vectors {
		if b.nulls>>i&1 != 0 {
			valid := b.words[at : at+wordsFor(n)]
			clear(valid)
			copy(valid, v.valid)
			at += len(valid)
		}
	}
	r.blocks = append(r.blocks, b)
	r.rows += n
}

func (b *rowBlock) keys() []uint64 { return b.words[:b.n*b.layout.words] }

// eachColumn calls f for every value column: its index, its words, and its
// validity bits if it has some.
func (b *rowBlock) eachColumn(columns []valueColumn, f func(i int, values, valid []uint64)) {
	at := b.n * b.layout.words
	validAt := at
	for i := range columns {
		validAt += b.n * columns[i].words
	}
	for i := range columns {
		var valid []uint64
		if b.nulls>>i&1 != 0 {
			valid = b.words[validAt:][:wordsFor(b.n)]
			validAt += len(valid)
		}
		f(i, b.words[at:][:b.n*columns[i].words], valid)
		at += b.n * columns[i].words
	}
}

// copyWords writes the values as words.
func (v *vector) copyWords(dst []uint64) {
	switch v.lane {
	case laneInts:
		copy(dst, cast[uint64](bytesOf(v.ints)))
	case laneUints:
		copy(dst, v.uints)
	case laneFloats:
		copy(dst, cast[uint64](bytesOf(v.floats)))
	case laneWords:
		copy(dst, v.words)
	}
}

// view makes v the vector of values that copyWords has written.
func (v *vector) view(l lane, width, n int, words []uint64) {
	*v = vector{n: n, lane: l, width: width}
	switch l {
	case laneInts:
		v.ints = cast[int64](bytesOf(words))
	case laneUints:
		v.uints = words
	case laneFloats:
		v.floats = cast[float64](bytesOf(words))
	case laneWords:
		v.words = words
	}
}

// release gives the memory back.
func (r *rowStore) release() {
	r.memory.release()
	r.blocks = nil
}
