package ipcmeta

import (
	"fmt"
	"unicode/utf8"
)

// MaxDepth bounds how deep fields may nest, a top-level field being at 1.
const MaxDepth = 64

// MaxFields bounds how many fields a schema has, children included. A million
// of them take a few hundred megabytes once parsed.
const MaxFields = 1 << 20

// found is what the walk over a schema table learns and arrow-go hides.
type found struct {
	bigEndian bool
	fields    int
	ids       []int64 // of dictionaries, in the order of the walk
}

// schema verifies a schema table and everything it refers to.
func (f *flatbuffer) schema(t table) found {
	var s found
	switch endianness := f.int16Field(t, 0, 0); endianness {
	case 0, 1:
		s.bigEndian = endianness == 1
	default:
		f.fail("endianness %d", endianness)
	}
	f.fields(t, 1, 1, &s)
	f.keyValues(t, 2)
	f.structs(t, 3, 8) // features
	return s
}

func (f *flatbuffer) fields(t table, i, depth int, s *found) (n int) {
	at, n := f.vectorField(t, i, 4)
	if n > 0 && depth > MaxDepth {
		f.fail("fields nested deeper than %d", MaxDepth)
	}
	if s.fields += n; s.fields > MaxFields {
		f.fail("more than %d fields", MaxFields)
	}
	for j := 0; j < n && f.err == nil; j++ {
		f.oneField(f.tableAt(f.target(at+4*j), fieldShape), depth, s)
	}
	return n
}

// oneField verifies a field, its dictionary encoding, type and children.
func (f *flatbuffer) oneField(t table, depth int, s *found) {
	name := f.text(t, 0)
	if !utf8.Valid(name) {
		f.fail("field name %q is not UTF-8", name)
		return
	}
	f.fieldParts(t, depth, s)
	if f.err != nil && depth == 1 && len(name) > 0 {
		f.err = fmt.Errorf("column %q: %w", name, f.err)
	}
}

func (f *flatbuffer) fieldParts(t table, depth int, s *found) {
	f.keyValues(t, 6)
	if encoding, present := f.tableField(t, 4, encodingShape); present {
		s.ids = append(s.ids, f.int64Field(encoding, 0, 0))
		f.dictionaryEncoding(encoding)
	}
	children := f.fields(t, 5, depth+1, s)
	tag := f.byteField(t, 2, 0)
	parameters, present := f.tableField(t, 3, typeShapes[tag])
	if f.err != nil {
		return
	}
	if !present {
		f.fail("field without a type")
		return
	}
	f.fieldType(tag, parameters, children)
}

func (f *flatbuffer) dictionaryEncoding(t table) {
	index, present := f.tableField(t, 1, intShape)
	if !present {
		// int32 by the format, but no writer leaves it out and arrow-go needs it.
		f.fail("dictionary encoding without an index type")
	}
	f.intType(index)
	if kind := f.int16Field(t, 3, 0); kind != 0 {
		f.fail("dictionary of unknown kind %d", kind)
	}
}

func (f *flatbuffer) keyValues(t table, i int) {
	at, n := f.vectorField(t, i, 4)
	for j := 0; j < n && f.err == nil; j++ {
		kv := f.tableAt(f.target(at+4*j), keyValueShape)
		f.text(kv, 0)
		f.text(kv, 1)
	}
}
