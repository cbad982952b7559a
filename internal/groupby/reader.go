package groupby

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

// encoding says how rows lead to values.
type encoding uint8

const (
	plain      encoding = iota
	dictionary          // an index a row
	runEnds             // a run of rows a value
)

// reader reads rows of one array in the lane of its value type: from the
// array's own memory where the layout is the lane's, else through scratch
// memory. Dictionaries and run-end encodings read their values through an
// inner reader, by the list of the positions wanted; so they nest.
type reader struct {
	encoding   encoding
	id         arrow.Type // of the values, or of a dictionary's indices
	lane       lane
	width      int // words a value in laneWords, bytes in fixed-size binary
	offset     int
	length     int
	validity   []byte // nil: no nulls
	values     []byte // the values, their offsets or views, dictionary indices
	bytes      []byte // what the offsets point into
	views      [][]byte
	inner      *reader         // values of a dictionary or a run-end encoding
	ends       *reader         // run ends
	dictionary arrow.ArrayData // what inner is bound to: the identity of a dictionary

	positions []int32
	valid     []uint64
	scratch   vector
}

// bind takes an array, or none. It keeps no reference past the next bind.
func (r *reader) bind(a arrow.ArrayData) error {
	r.offset, r.length, r.validity, r.values, r.bytes = 0, 0, nil, nil, nil
	r.encoding, r.lane, r.id = plain, laneNone, arrow.NULL
	if a == nil {
		return nil
	}
	t := a.DataType()
	for t.ID() == arrow.EXTENSION {
		t = t.(arrow.ExtensionType).StorageType()
	}
	r.id, r.offset, r.length = t.ID(), a.Offset(), a.Len()
	buffers := a.Buffers()
	if a.NullN() != 0 && len(buffers) > 0 && buffers[0] != nil && buffers[0].Len() > 0 {
		r.validity = buffers[0].Bytes()
	}
	buffer := func(i int) []byte {
		if i < len(buffers) && buffers[i] != nil {
			return buffers[i].Bytes()
		}
		return nil
	}
	switch r.id {
	case arrow.DICTIONARY:
		r.encoding, r.id = dictionary, t.(*arrow.DictionaryType).IndexType.ID()
		r.values = buffer(1)
		return r.bindInner(a.Dictionary())
	case arrow.RUN_END_ENCODED:
		children := a.Children()
		if r.ends == nil {
			r.ends = &reader{}
		}
		if err := r.ends.bind(children[0]); err != nil {
			return err
		}
		r.encoding = runEnds
		return r.bindInner(children[1])
	}
	var ok bool
	if r.lane, r.width, ok = laneOf(t); !ok {
		return fmt.Errorf("values of type %s cannot be read", t)
	}
	if r.lane == laneNone {
		return nil
	}
	r.values = buffer(1)
	switch r.id {
	case arrow.STRING, arrow.BINARY, arrow.LARGE_STRING, arrow.LARGE_BINARY:
		r.bytes = buffer(2)
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		r.views = r.views[:0]
		for i := 2; i < len(buffers); i++ {
			r.views = append(r.views, buffer(i))
		}
	case arrow.FIXED_SIZE_BINARY:
		r.width = t.(arrow.FixedWidthDataType).BitWidth() / 8
	}
	return nil
}

// bindInner binds the values that rows lead to.
func (r *reader) bindInner(values arrow.ArrayData) error {
	if r.inner == nil {
		r.inner = &reader{}
	}
	if err := r.inner.bind(values); err != nil {
		return err
	}
	r.dictionary = values
	r.lane, r.width = r.inner.lane, r.inner.width
	if r.inner.length == 0 {
		r.lane = laneNone // no values: every row is null
	}
	return nil
}

// read makes out a view of n rows: those from row lo on, or, if rows is not
// nil, the rows it lists. It returns how many it took: less than n where the
// values' bytes would pass maxChunkBytes, 0 if the first value alone passes
// what an offset can address.
func (r *reader) read(out *vector, lo, n int, rows []int32) int {
	*out = vector{n: n, lane: r.lane, width: r.width}
	if r.lane == laneNone {
		return n
	}
	if r.encoding != plain {
		return r.readInner(out, lo, n, rows)
	}
	out.valid = r.readValidity(lo, n, rows)
	switch r.lane {
	case laneInts:
		out.ints = r.readInts(lo, n, rows)
	case laneUints:
		out.uints = r.readUints(lo, n, rows)
	case laneFloats:
		out.floats = r.readFloats(lo, n, rows)
	case laneWords:
		out.words = r.readWords(lo, n, rows)
	case laneBytes:
		return r.readBytes(out, lo, n, rows)
	}
	return n
}
