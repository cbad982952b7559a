package ipcmeta

import (
	"bytes"
	"strings"
	"testing"
	"time"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// metaBuilder writes metadata that no honest writer would.
type metaBuilder struct{ *flatbuffers.Builder }

func newMetaBuilder() metaBuilder { return metaBuilder{flatbuffers.NewBuilder(1024)} }

func (b metaBuilder) vector(entries ...flatbuffers.UOffsetT) flatbuffers.UOffsetT {
	b.StartVector(4, len(entries), 4)
	for i := len(entries) - 1; i >= 0; i-- {
		b.PrependUOffsetT(entries[i])
	}
	return b.EndVector(len(entries))
}

// field is a struct of children, or an int64 if there are none.
func (b metaBuilder) field(
	name, keyValues flatbuffers.UOffsetT, children ...flatbuffers.UOffsetT,
) flatbuffers.UOffsetT {
	tag := byte(tagStruct)
	b.StartObject(2)
	if len(children) == 0 {
		tag = tagInt
		b.PrependInt32Slot(0, 64, 0)
		b.PrependBoolSlot(1, true, false)
	}
	typ := b.EndObject()
	vector := b.vector(children...)
	b.StartObject(7)
	b.PrependUOffsetTSlot(0, name, 0)
	b.PrependByteSlot(2, tag, 0)
	b.PrependUOffsetTSlot(3, typ, 0)
	b.PrependUOffsetTSlot(5, vector, 0)
	b.PrependUOffsetTSlot(6, keyValues, 0)
	return b.EndObject()
}

func (b metaBuilder) message(fields ...flatbuffers.UOffsetT) []byte {
	vector := b.vector(fields...)
	b.StartObject(4)
	b.PrependUOffsetTSlot(1, vector, 0)
	schema := b.EndObject()
	b.StartObject(5)
	b.PrependInt16Slot(0, V5, 0)
	b.PrependByteSlot(1, headerSchema, 0)
	b.PrependUOffsetTSlot(2, schema, 0)
	b.Finish(b.EndObject())
	return b.FinishedBytes()
}

func schemaOf(meta []byte) (*Schema, error) {
	m, err := ParseMessage(meta)
	if err != nil {
		return nil, err
	}
	return m.Schema()
}

func TestBuiltSchema(t *testing.T) {
	b := newMetaBuilder()
	name := b.CreateString("x")
	s, err := schemaOf(b.message(b.field(name, 0), b.field(name, 0, b.field(name, 0), b.field(name, 0))))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Arrow.String(); !strings.Contains(got, "struct<x: int64, x: int64>") {
		t.Error(got)
	}
	if s.Columns[1].First != (Span{Nodes: 1, Buffers: 2}) || s.Total != (Span{Nodes: 4, Buffers: 7}) {
		t.Errorf("%+v", s)
	}
}

// TestUnfolding: a few kilobytes that share their parts stand for a tree of
// 2^60 fields, or for gigabytes of metadata. They are refused at once.
func TestUnfolding(t *testing.T) {
	for what, meta := range map[string]func(b metaBuilder) []byte{
		"fields": func(b metaBuilder) []byte {
			name := b.CreateString("x")
			f := b.field(name, 0)
			for range MaxDepth - 4 {
				f = b.field(name, 0, f, f)
			}
			return b.message(f)
		},
		"strings": func(b metaBuilder) []byte {
			long := b.CreateString(strings.Repeat("x", 1<<20))
			b.StartObject(2)
			b.PrependUOffsetTSlot(0, long, 0)
			b.PrependUOffsetTSlot(1, long, 0)
			kv := b.EndObject()
			kvs := make([]flatbuffers.UOffsetT, 1<<16)
			for i := range kvs {
				kvs[i] = kv
			}
			return b.message(b.field(long, b.vector(kvs...)))
		},
		"names": func(b metaBuilder) []byte {
			long := b.CreateString(strings.Repeat("x", 1<<16))
			fields := make([]flatbuffers.UOffsetT, 1<<10)
			for i := range fields {
				fields[i] = b.field(long, 0)
			}
			return b.message(fields...)
		},
	} {
		start := time.Now()
		_, err := schemaOf(meta(newMetaBuilder()))
		if err == nil || !strings.Contains(err.Error(), "unfold") {
			t.Errorf("%s: %v", what, err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: took %v", what, took)
		}
	}
}

func TestDepth(t *testing.T) {
	for depth, good := range map[int]bool{MaxDepth: true, MaxDepth + 1: false} {
		b := newMetaBuilder()
		name := b.CreateString("x")
		f := b.field(name, 0)
		for range depth - 1 {
			f = b.field(name, 0, f)
		}
		if _, err := schemaOf(b.message(f)); (err == nil) != good {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
}

func TestTooManyFields(t *testing.T) {
	b := newMetaBuilder()
	f := b.field(0, 0)
	fields := make([]flatbuffers.UOffsetT, MaxFields+1)
	for i := range fields {
		fields[i] = f
	}
	if _, err := schemaOf(b.message(fields...)); err == nil || !strings.Contains(err.Error(), "fields") {
		t.Error(err)
	}
}

// streamOf is a stream of one batch with a dictionary and a view column.
func streamOf(t testing.TB) []byte {
	dict := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "d", Type: dict, Nullable: true},
		{Name: "v", Type: arrow.BinaryTypes.StringView},
		{Name: "n", Type: arrow.PrimitiveTypes.Int64},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	if err := b.Field(0).(*array.BinaryDictionaryBuilder).AppendString("a"); err != nil {
		t.Fatal(err)
	}
	b.Field(1).(*array.StringViewBuilder).Append("a value of more than twelve bytes")
	b.Field(2).(*array.Int64Builder).Append(7)
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema), ipc.WithLZ4())
	if err := w.Write(b.NewRecordBatch()); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestMessages(t *testing.T) {
	metas := messages(streamOf(t))
	if len(metas) != 3 {
		t.Fatalf("%d messages", len(metas))
	}
	schema, err := schemaOf(metas[0])
	if err != nil {
		t.Fatal(err)
	}
	if want := (Span{Nodes: 3, Buffers: 6, Variadics: 1}); schema.Total != want {
		t.Errorf("%+v, want %+v", schema.Total, want)
	}
	dictionary, err := ParseMessage(metas[1])
	if id, delta := dictionary.Dictionary(); err != nil || dictionary.Kind != KindDictionary || delta {
		t.Errorf("%v, %v, %v", dictionary.Kind, delta, err)
	} else if i, known := schema.Ordinal(id); !known || schema.Dictionaries[i].Values.Type.ID() != arrow.STRING {
		t.Errorf("dictionary %d", id)
	}
	batch, err := ParseMessage(metas[2])
	if err != nil || batch.Kind != KindBatch || batch.Rows() != 1 || batch.Codec() != LZ4Frame ||
		batch.Nodes() != 3 || batch.Buffers() != 7 || batch.Variadics() != 1 || batch.Variadic(0) != 1 {
		t.Errorf("%+v, %v", batch, err)
	}
	if _, err := batch.Schema(); err == nil {
		t.Error("a record batch with a schema")
	}
}

// TestCutMessages: metadata cut anywhere is an error or means the same.
func TestCutMessages(t *testing.T) {
	for i, meta := range messages(streamOf(t)) {
		whole, err := ParseMessage(meta)
		if err != nil {
			t.Fatal(err)
		}
		for n := range meta {
			m, err := ParseMessage(bytes.Clone(meta[:n]))
			if err == nil && (m.Kind != whole.Kind || m.Rows() != whole.Rows() || m.BodyLength != whole.BodyLength) {
				t.Errorf("message %d cut to %d of %d bytes: %+v", i, n, len(meta), m)
			}
			if err == nil && m.Kind == KindSchema {
				m.Schema()
			}
		}
	}
}

func TestParseMessageAllocatesNothing(t *testing.T) {
	for i, meta := range messages(streamOf(t)) {
		if n := testing.AllocsPerRun(100, func() { ParseMessage(meta) }); n != 0 {
			t.Errorf("message %d: %v allocations", i, n)
		}
	}
}

func BenchmarkParseMessage(b *testing.B) {
	metas := messages(streamOf(b))
	for b.Loop() {
		if _, err := ParseMessage(metas[2]); err != nil {
			b.Fatal(err)
		}
	}
}
