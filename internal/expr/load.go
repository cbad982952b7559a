package expr

import (
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/exact"
)

// loader turns a column of a batch into a vector, whatever encodes it. The
// reader has verified the buffers: lengths, offsets, indices and runs.
type loader struct {
	vector vector

	// scratch for what the batch's memory does not hold as a vector does
	valid, truth bitmap
	words        []uint64
	wide         []exact.Int256
	bytes        [][]byte

	rows    []int32 // of an encoding's values, one per row
	reached bitmap
	inner   *loader
}

// load reads n rows of a; nil is a column that the input lacks. boolean says
// that the column is a bool, which arrow.bool8 stores in an int8. The vector
// is valid until the next load and as long as the batch.
func (l *loader) load(a arrow.ArrayData, n int, boolean bool) (*vector, error) {
	l.vector = vector{typ: arrow.Null, n: n}
	v := &l.vector
	if a == nil {
		return v, nil
	}
	v.typ = storage(a.DataType())
	switch v.typ.ID() {
	case arrow.DICTIONARY, arrow.RUN_END_ENCODED:
		return l.loadEncoded(a, n, boolean)
	}
	var ok bool
	if v.form, ok = formOf(v.typ); !ok {
		return nil, fmt.Errorf("values of type %s cannot be compared", v.typ)
	}
	if v.form == formNone {
		return v, nil
	}
	if nulls := buffer(a, 0); nulls != nil && a.NullN() != 0 {
		l.valid = copyBits(l.valid, nulls, a.Offset(), n)
		v.valid = l.valid
	}
	switch v.form {
	case formTruth:
		l.truth = copyBits(l.truth, buffer(a, 1), a.Offset(), n)
		v.truth = l.truth
	case formWide:
		l.loadWide(a, n)
	case formBytes:
		return v, l.loadBytes(a, n)
	default:
		l.loadWords(a, n)
	}
	if boolean && v.typ.ID() == arrow.INT8 {
		l.toTruth()
	}
	return v, nil
}

func storage(dt arrow.DataType) arrow.DataType {
	for {
		e, ok := dt.(arrow.ExtensionType)
		if !ok {
			return dt
		}
		dt = e.StorageType()
	}
}

// buffer returns a buffer's bytes, nil where the array has none.
func buffer(a arrow.ArrayData, i int) []byte {
	if b := a.Buffers(); i < len(b) && b[i] != nil {
		return b[i].Bytes()
	}
	return nil
}

// fixed is the part of the values' buffer that n rows of size bytes take.
func fixed(a arrow.ArrayData, n, size int) []byte {
	if n == 0 {
		return nil
	}
	return buffer(a, 1)[a.Offset()*size : (a.Offset()+n)*size]
}

// loadWords brings fixed-width values into 64 bits. Those that have 64 bits
// already are not copied.
func (l *loader) loadWords(a arrow.ArrayData, n int) {
	v := &l.vector
	width := v.typ.(arrow.FixedWidthDataType).BitWidth()
	raw := fixed(a, n, width/8)
	if width == 64 {
		v.words = arrow.Uint64Traits.CastFromBytes(raw)
		return
	}
	l.words = sized(l.words, n)
	v.words = l.words
	switch v.typ.ID() {
	case arrow.INT8:
		widen(v.words, arrow.Int8Traits.CastFromBytes(raw))
	case arrow.INT16:
		widen(v.words, arrow.Int16Traits.CastFromBytes(raw))
	case arrow.UINT8:
		widen(v.words, raw)
	case arrow.UINT16:
		widen(v.words, arrow.Uint16Traits.CastFromBytes(raw))
	case arrow.UINT32:
		widen(v.words, arrow.Uint32Traits.CastFromBytes(raw))
	case arrow.FLOAT16:
		for i, x := range arrow.Float16Traits.CastFromBytes(raw) {
			v.words[i] = math.Float64bits(float64(x.Float32()))
		}
	case arrow.FLOAT32:
		for i, x := range arrow.Float32Traits.CastFromBytes(raw) {
			v.words[i] = math.Float64bits(float64(x))
		}
	default: // int32, date32, time32, decimal32
		widen(v.words, arrow.Int32Traits.CastFromBytes(raw))
	}
}

// widen extends integers to 64 bits, signed ones by their sign.
func widen[T int8 | int16 | int32 | uint8 | uint16 | uint32](dst []uint64, src []T) {
	for i, x := range src {
		dst[i] = uint64(int64(x))
	}
}

func (l *loader) loadWide(a arrow.ArrayData, n int) {
	l.wide = sized(l.wide, n)
	l.vector.wide = l.wide
	if l.vector.typ.ID() == arrow.DECIMAL128 {
		raw := fixed(a, n, 16)
		for i := range l.wide {
			l.wide[i] = exact.Int256FromInt128(exact.Int128FromBytes(raw[16*i:]))
		}
		return
	}
	raw := fixed(a, n, 32)
	for i := range l.wide {
		l.wide[i] = exact.Int256FromBytes(raw[32*i:])
	}
}

// toTruth makes truth of numbers: all but zero is true.
func (l *loader) toTruth() {
	v := &l.vector
	l.truth = sized(l.truth, wordsFor(v.n))
	clear(l.truth)
	for i, w := range v.words {
		if w != 0 {
			l.truth[i/64] |= 1 << (i % 64)
		}
	}
	v.typ, v.form, v.truth = arrow.FixedWidthTypes.Boolean, formTruth, l.truth
}

// loadBytes collects where each value lies. Strings that are no UTF-8 are an
// error: what compares with them would depend on who reads them.
func (l *loader) loadBytes(a arrow.ArrayData, n int) error {
	v := &l.vector
	l.bytes = sized(l.bytes, n)
	v.bytes = l.bytes
	switch v.typ.ID() {
	case arrow.STRING, arrow.BINARY:
		locate(v.bytes, arrow.Int32Traits.CastFromBytes(buffer(a, 1)), a.Offset(), buffer(a, 2))
	case arrow.LARGE_STRING, arrow.LARGE_BINARY:
		locate(v.bytes, arrow.Int64Traits.CastFromBytes(buffer(a, 1)), a.Offset(), buffer(a, 2))
	case arrow.STRING_VIEW, arrow.BINARY_VIEW:
		l.locateViews(a, n)
	case arrow.FIXED_SIZE_BINARY:
		size := v.typ.(*arrow.FixedSizeBinaryType).ByteWidth
		raw := fixed(a, n, size)
		for i := range v.bytes {
			v.bytes[i] = raw[i*size : (i+1)*size]
		}
	}
	if !isText(v.typ) {
		return nil
	}
	for i, b := range v.bytes {
		if (v.valid == nil || v.valid.has(i)) && !utf8.Valid(b) {
			return &ValueError{Row: int64(i), Text: fmt.Sprintf("%+q is not valid UTF-8", cut(b))}
		}
	}
	return nil
}

func locate[T int32 | int64](dst [][]byte, offsets []T, from int, values []byte) {
	if len(dst) == 0 {
		return
	}
	offsets = offsets[from : from+len(dst)+1]
	for i := range dst {
		dst[i] = values[offsets[i]:offsets[i+1]]
	}
}

// locateViews follows views. A null's view may hold anything.
func (l *loader) locateViews(a arrow.ArrayData, n int) {
	v := &l.vector
	views := arrow.ViewHeaderTraits.CastFromBytes(fixed(a, n, arrow.ViewHeaderSizeBytes))
	for i := range views {
		switch {
		case v.valid != nil && !v.valid.has(i):
			v.bytes[i] = nil
		case views[i].IsInline():
			v.bytes[i] = views[i].InlineBytes()
		default:
			from := int(views[i].BufferOffset())
			v.bytes[i] = buffer(a, 2+int(views[i].BufferIndex()))[from : from+views[i].Len()]
		}
	}
}

func isText(dt arrow.DataType) bool {
	switch dt.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return true
	}
	return false
}

// cut shortens a value for a message.
func cut(b []byte) []byte {
	const most = 40
	return b[:min(len(b), most)]
}

// ValueError: a value that an expression cannot take. Row counts from 0 within
// the batch; the caller adds input, stream and batch.
type ValueError struct {
	Row  int64
	Text string
}

func (e *ValueError) Error() string { return e.Text }
