package groupby

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
)

// loader reads one input column chunk by chunk, in the type that the batch
// brings it and converted to the type that all inputs agreed on. Sums take the
// first (every value exactly, whatever type it comes in), keys and extremes the
// second. Where the two types share a lane and a meaning, both are one vector.
type loader struct {
	column  Column
	lane    lane // of column.Type
	width   int
	checked bool // strings: every value is checked for valid UTF-8
	keyOnly bool // no aggregate reads the column: of a dictionary, positions will do

	reader  reader
	source  arrow.DataType // value type of the batch's column
	convert conversion     // nil: nothing to do

	natural   vector
	converted vector
	scratch   vector
}

// conversion fills out's lane with the values of in and returns the first row
// whose value does not fit, or -1. Rows without a value are ignored.
type conversion func(in, out *vector) (bad int)

func newLoader(c Column) (*loader, error) {
	c.Type = valueType(c.Type)
	l := &loader{column: c}
	var ok bool
	if l.lane, l.width, ok = laneOf(c.Type); !ok {
		return nil, fmt.Errorf("column %q: type %s can be neither grouped nor aggregated", c.Name, c.Type)
	}
	return l, nil
}

// bind takes a batch's column; nil is a column that the input lacks.
func (l *loader) bind(a arrow.ArrayData) error {
	if err := l.reader.bind(a); err != nil {
		return fmt.Errorf("column %q: %w", l.column.Name, err)
	}
	if a == nil {
		l.source, l.convert = arrow.Null, nil
		return nil
	}
	if t := valueType(a.DataType()); l.source == nil || !sameType(t, l.source) {
		convert, err := conversionFor(t, l.column.Type)
		if err != nil {
			return fmt.Errorf("column %q: %w", l.column.Name, err)
		}
		l.source, l.convert = t, convert
	}
	return nil
}

// none reports whether the bound column has no value at all, whatever the row.
func (l *loader) none() bool { return l.reader.lane == laneNone }

// alike reports whether all rows of the bound column are the same to the
// groups: they have no value, or one run is the key of them all.
func (l *loader) alike() bool {
	return l.none() || l.keyOnly && l.reader.encoding == runEnds && l.reader.ends.length == 1
}

// load reads a chunk; see reader.read.
func (l *loader) load(lo, n int, rows []int32) (taken int) {
	if l.byPosition() {
		l.natural = vector{n: n, valid: l.reader.readPositions(lo, n, rows)}
		return n
	}
	return l.reader.read(&l.natural, lo, n, rows)
}

// apply converts the chunk that load read. It returns the first row whose
// value does not fit, or -1.
func (l *loader) apply() (bad int) {
	if l.byPosition() {
		return -1
	}
	return l.convertNatural()
}

// byPosition reports whether the bound column's rows are known by their
// positions in a dictionary alone.
func (l *loader) byPosition() bool {
	return l.keyOnly && l.reader.encoding == dictionary && l.reader.lane != laneNone
}

func (l *loader) convertNatural() (bad int) {
	if l.convert == nil || l.natural.lane == laneNone {
		l.converted = l.natural
		if l.checked && l.natural.lane == laneBytes {
			return invalidUTF8(&l.natural)
		}
		return -1
	}
	l.converted = vector{n: l.natural.n, lane: l.lane, width: l.width, valid: l.natural.valid}
	s := &l.scratch
	switch l.lane {
	case laneInts:
		s.ints = sized(s.ints, l.natural.n)
		l.converted.ints = s.ints
	case laneUints:
		s.uints = sized(s.uints, l.natural.n)
		l.converted.uints = s.uints
	case laneFloats:
		s.floats = sized(s.floats, l.natural.n)
		l.converted.floats = s.floats
	case laneWords:
		s.words = sized(s.words, l.natural.n*l.width)
		l.converted.words = s.words
	}
	return l.convert(&l.natural, &l.converted)
}

// invalidUTF8 returns the first row whose value is no UTF-8, or -1.
func invalidUTF8(v *vector) int {
	for i := range v.n {
		if v.has(i) && !utf8.Valid(v.at(i)) {
			return i
		}
	}
	return -1
}

// valueError describes the value of row i of the chunk.
func (l *loader) valueError(i int, row int64) *ValueError {
	v, text := &l.natural, ""
	if l.byPosition() {
		if l.reader.inner.read(v, 0, 1, l.reader.positions[i:i+1]) == 0 {
			return l.tooLong(row)
		}
		i = 0
	}
	switch v.lane {
	case laneInts:
		text = strconv.FormatInt(v.ints[i], 10)
	case laneUints:
		text = strconv.FormatUint(v.uints[i], 10)
	case laneFloats:
		text = strconv.FormatFloat(v.floats[i], 'g', -1, 64)
	case laneWords:
		text = wideInt(v.words[i*v.width : (i+1)*v.width]).String()
	case laneBytes:
		text = shortQuote(v.at(i))
	}
	if !sameType(l.source, l.column.Type) {
		text = l.source.String() + " " + text
	}
	return &ValueError{Column: l.column.Name, Row: row, Value: text, Type: l.typeText()}
}

func (l *loader) typeText() string {
	if isString(l.column.Type) {
		return "valid UTF-8"
	}
	if isTimeOfDay(l.column.Type) {
		return "time of a day in " + l.column.Type.String()
	}
	return l.column.Type.String()
}

// tooLong is the error for a value that 32-bit offsets cannot address.
func (l *loader) tooLong(row int64) *ValueError {
	return &ValueError{
		Column: l.column.Name, Row: row,
		Value: fmt.Sprintf("a value of more than %d bytes", math.MaxInt32), Type: "value that utf8 can hold",
	}
}

// shortQuote quotes the beginning of a value.
func shortQuote(b []byte) string {
	const most = 40
	if len(b) > most {
		return fmt.Sprintf("%+q… (%d bytes)", b[:most], len(b))
	}
	return fmt.Sprintf("%+q", b)
}
