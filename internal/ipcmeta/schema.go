package ipcmeta

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// Schema is a verified schema.
type Schema struct {
	Arrow        *arrow.Schema // native endianness, whatever the stream's is
	BigEndian    bool          // of the bodies that follow
	Columns      []Column      // top level, in order
	Dictionaries []Dictionary  // in order of their first field
	Total        Span          // of one record batch

	ordinals map[int64]int
	topNodes []int32 // field nodes of the columns, apart from them for speed
}

// Dictionary is one id and what its values are.
type Dictionary struct {
	ID     int64
	Values *Column
}

// Ordinal returns the index into Dictionaries of the dictionary with that id.
func (s *Schema) Ordinal(id int64) (int, bool) {
	i, ok := s.ordinals[id]
	return i, ok
}

// Schema verifies and reads the schema that m carries.
func (m *Message) Schema() (*Schema, error) {
	if m.Kind != KindSchema {
		return nil, fmt.Errorf("a %v message carries no schema", m.Kind)
	}
	return parseSchema(m.bytes, m.schema, m.Version)
}

// parseSchema reads the schema table at pos of the flatbuffer b. It works on
// a copy: verification is worthless if the bytes change before arrow-go reads
// them again.
func parseSchema(b []byte, pos int, version int16) (*Schema, error) {
	stream := wrapSchema(b, pos, version)
	f := newFlatbuffer(stream.wrapped(len(b)))
	found := f.schema(f.tableAt(pos, schemaShape))
	if f.err != nil {
		return nil, f.err
	}
	parsed, err := stream.parse()
	if err != nil {
		return nil, err
	}
	s := &Schema{Arrow: parsed, BigEndian: found.bigEndian, ordinals: map[int64]int{}}
	if err := s.build(found.ids); err != nil {
		return nil, err
	}
	return s, nil
}

// A schemaStream is an IPC stream of a single schema message. Offsets inside
// a flatbuffer are relative, so a schema table anywhere in a flatbuffer (a
// footer, say) becomes the header of a message if a message table is put in
// front of the whole:
//
//	prefix | root offset | vtable | message table ── header ──► … schema table …
//	8        4             10+2     12 (+4)                     the bytes of b
type schemaStream []byte

const (
	prefixSize = 8
	wrapSize   = 32
)

func wrapSchema(b []byte, pos int, version int16) schemaStream {
	s := make(schemaStream, 0, prefixSize+wrapSize+len(b)+8)
	padded := (len(b) + 7) &^ 7
	le := binary.LittleEndian
	s = le.AppendUint32(s, 0xFFFFFFFF) // continuation
	s = le.AppendUint32(s, uint32(wrapSize+padded))
	s = le.AppendUint32(s, 16) // root offset: the table at 16
	for _, entry := range []uint16{10, 12, 8, 10, 4} {
		s = le.AppendUint16(s, entry) // vtable: its size, the table's, version, header type, header
	}
	s = le.AppendUint16(s, 0)
	s = le.AppendUint32(s, 16-4)                    // table: back to the vtable
	s = le.AppendUint32(s, uint32(wrapSize-20+pos)) // header, from 20
	s = le.AppendUint16(s, uint16(version))
	s = append(s, headerSchema, 0)
	s = append(s, make([]byte, 4)...)
	s = append(s, b...)
	return append(s, make([]byte, padded-len(b))...)
}

// wrapped is the flatbuffer of so many bytes that was wrapped, where it is now.
func (s schemaStream) wrapped(size int) []byte { return s[prefixSize+wrapSize:][:size] }

// errSenseless stands for a panic of arrow-go's parser, whose text tells nobody
// anything. Verification is to leave none; should there be one, it is no reason
// to crash.
var errSenseless = errors.New("schema: its types make no sense together")

// parse hands the stream to arrow-go.
func (s schemaStream) parse() (schema *arrow.Schema, err error) {
	defer func() {
		var fault runtime.Error
		if recover() != nil || errors.As(err, &fault) {
			schema, err = nil, errSenseless
		}
	}()
	reader, err := ipc.NewReader(bytes.NewReader(s))
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	defer reader.Release()
	if schema = reader.Schema(); schema == nil {
		return nil, errors.Join(errors.New("schema: unreadable"), reader.Err())
	}
	return schema, nil
}

// build makes the columns out of arrow-go's types and the dictionary ids, one
// for each dictionary-encoded field in the order of the schema's walk.
func (s *Schema) build(ids []int64) error {
	b := builder{schema: s, ids: ids}
	s.Columns = make([]Column, s.Arrow.NumFields())
	for i, field := range s.Arrow.Fields() {
		c, err := b.column(field)
		if err != nil {
			return err
		}
		s.Columns[i] = c
		s.Columns[i].First = s.Total
		s.topNodes = append(s.topNodes, int32(s.Total.Nodes))
		s.Total = s.Total.Plus(c.Span)
	}
	if len(b.ids) != 0 {
		return errors.New("schema: more dictionaries than columns that use them")
	}
	return nil
}

type builder struct {
	schema *Schema
	ids    []int64 // not yet given to a field
}

func (b *builder) column(field arrow.Field) (Column, error) {
	c := Column{Name: field.Name, Type: storage(field.Type), Dictionary: -1}
	if dict, ok := c.Type.(*arrow.DictionaryType); ok {
		c.Span = Span{Nodes: 1, Buffers: 2}
		var err error
		c.Dictionary, err = b.dictionary(field.Name, dict)
		return c, err
	}
	c.Span = ownSpan(c.Type)
	nested, ok := c.Type.(arrow.NestedType)
	if !ok {
		return c, nil
	}
	for _, field := range nested.Fields() {
		child, err := b.column(field)
		if err != nil {
			return c, err
		}
		c.Children = append(c.Children, child)
		c.Span = c.Span.Plus(child.Span)
	}
	return c, nil
}

// dictionary takes the next id and returns the ordinal of its dictionary.
// Fields may share one; that its values are of one type then, arrow-go has seen
// to.
func (b *builder) dictionary(name string, t *arrow.DictionaryType) (int, error) {
	if len(b.ids) == 0 {
		return 0, fmt.Errorf("schema: column %q has no dictionary id", name)
	}
	id := b.ids[0]
	b.ids = b.ids[1:]
	values, err := b.column(arrow.Field{Name: name, Type: t.ValueType, Nullable: true})
	if err != nil {
		return 0, err
	}
	ordinal, known := b.schema.ordinals[id]
	if !known {
		ordinal = len(b.schema.Dictionaries)
		b.schema.ordinals[id] = ordinal
		b.schema.Dictionaries = append(b.schema.Dictionaries, Dictionary{ID: id, Values: &values})
	}
	return ordinal, nil
}

func storage(t arrow.DataType) arrow.DataType {
	for {
		ext, ok := t.(arrow.ExtensionType)
		if !ok {
			return t
		}
		t = ext.StorageType()
	}
}
