package ipcmeta

import (
	"errors"
	"fmt"
)

// Kind is what a message carries.
type Kind uint8

const (
	KindOther      Kind = iota // a tensor: legal, and no rows in it
	KindSchema                 // begins a stream
	KindDictionary             // the values of a dictionary, or more of them
	KindBatch                  // rows
)

func (k Kind) String() string {
	return [...]string{"tensor", "schema", "dictionary batch", "record batch"}[k]
}

// MetadataVersion of the format, as Schema.fbs counts: V1 is 0. Version 4 came
// with Arrow 0.8, version 5 with 1.0; what came before had another layout.
const (
	V4 int16 = 3
	V5 int16 = 4
)

// Message is the parsed metadata of one message. It refers to the bytes given
// to ParseMessage and is cheap to copy.
type Message struct {
	Kind       Kind
	Version    int16 // V4 or V5
	BodyLength int64 // bytes, ≥ 0

	batch      // of a KindBatch or KindDictionary
	dictionary int64
	delta      bool

	bytes  []byte // the whole metadata
	schema int    // position of the schema table in it
}

// headers of Message.fbs's union MessageHeader.
const (
	headerSchema       = 1
	headerDictionary   = 2
	headerBatch        = 3
	headerTensor       = 4
	headerSparseTensor = 5
)

// ParseMessage verifies the metadata of one message and locates what is in
// it. The tree of a schema is only verified by Schema. It allocates nothing
// unless it fails.
func ParseMessage(meta []byte) (Message, error) {
	f := newFlatbuffer(meta)
	root := f.root(messageShape)
	m := Message{
		Version:    f.int16Field(root, 0, 0),
		BodyLength: f.int64Field(root, 3, 0),
		bytes:      meta,
	}
	headerType := f.byteField(root, 1, 0)
	header, present := f.tableField(root, 2, headerShape(headerType))
	if f.err != nil {
		return Message{}, f.err
	}
	if err := checkVersion(m.Version); err != nil {
		return Message{}, err
	}
	if m.BodyLength < 0 {
		return Message{}, fmt.Errorf("body length %d is negative", m.BodyLength)
	}
	if !present {
		return Message{}, errors.New("message without a header")
	}
	switch headerType {
	case headerSchema:
		m.Kind, m.schema = KindSchema, header.pos
	case headerBatch:
		m.Kind, m.batch = KindBatch, f.batch(header)
	case headerDictionary:
		m.Kind = KindDictionary
		m.dictionary = f.int64Field(header, 0, 0)
		m.delta = f.byteField(header, 2, 0) != 0
		values, present := f.tableField(header, 1, batchShape)
		if !present {
			f.fail("dictionary batch without values")
		}
		m.batch = f.batch(values)
	case headerTensor, headerSparseTensor:
		m.Kind = KindOther
	default:
		f.fail("message header of unknown type %d", headerType)
	}
	if f.err != nil {
		return Message{}, f.err
	}
	return m, nil
}

func checkVersion(v int16) error {
	switch {
	case v == V4 || v == V5:
		return nil
	case v >= 0 && v < V4:
		return fmt.Errorf("metadata version V%d (Arrow before 0.8) cannot be read", v+1)
	default:
		return fmt.Errorf("metadata version %d is unknown", v)
	}
}

// Dictionary returns the id that a dictionary batch is for, and whether its
// values follow those already there or replace them.
func (m *Message) Dictionary() (id int64, delta bool) { return m.dictionary, m.delta }

// Bytes returns the metadata that the message refers to.
func (m *Message) Bytes() []byte { return m.bytes }
