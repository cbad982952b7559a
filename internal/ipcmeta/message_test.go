package ipcmeta

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
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

// encoded is a dictionary-encoded integer of so many bits.
func (b metaBuilder) encoded(name flatbuffers.UOffsetT, id int64, bits int32) flatbuffers.UOffsetT {
	b.StartObject(2)
	b.PrependInt32Slot(0, bits, 0)
	typ := b.EndObject()
	b.StartObject(2)
	b.PrependInt32Slot(0, 8, 0)
	index := b.EndObject()
	b.StartObject(4)
	b.PrependInt64Slot(0, id, 0)
	b.PrependUOffsetTSlot(1, index, 0)
	encoding := b.EndObject()
	b.StartObject(7)
	b.PrependUOffsetTSlot(0, name, 0)
	b.PrependByteSlot(2, tagInt, 0)
	b.PrependUOffsetTSlot(3, typ, 0)
	b.PrependUOffsetTSlot(4, encoding, 0)
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

// TestDamagedLengthOfAName: a name that became shorter or longer is no other
// name.
func TestDamagedLengthOfAName(t *testing.T) {
	b := newMetaBuilder()
	meta := b.message(b.encoded(b.CreateString("lat_max"), 0, 32))
	at := bytes.Index(meta, []byte("\x07\x00\x00\x00lat_max"))
	if _, err := schemaOf(meta); err != nil || at < 0 {
		t.Fatal(err, at)
	}
	for _, length := range []byte{0, 3, 6, 8} {
		damaged := slices.Clone(meta)
		damaged[at] = length
		if _, err := schemaOf(damaged); err == nil || !strings.Contains(err.Error(), "no zero at its end") {
			t.Errorf("%d bytes: %v", length, err)
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

// TestSharedDictionary: fields may share one whose values are of one type.
func TestSharedDictionary(t *testing.T) {
	for want, bits := range map[string][2]int32{
		"":                                      {64, 64},
		"conflicting dictionary types for id 7": {64, 8},
		"integer of 7 bits":                     {7, 64},
	} {
		b := newMetaBuilder()
		name := b.CreateString("x")
		s, err := schemaOf(b.message(b.encoded(name, 7, bits[0]), b.encoded(name, 7, bits[1])))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", bits, err, want)
		}
		if err == nil && (len(s.Dictionaries) != 1 || s.Dictionaries[0].ID != 7 || s.Columns[1].Dictionary != 0) {
			t.Errorf("%+v", s)
		}
	}
}

// TestOutside: where buffers and rows do not fit a body and a schema.
func TestOutside(t *testing.T) {
	const most, least = math.MaxInt64, math.MinInt64
	for _, c := range []struct {
		offset, length int64
		in             bool
	}{
		{0, 0, true},
		{0, 100, true},
		{99, 1, true},
		{100, 0, true},
		{most, 0, true},
		{0, 101, false},
		{1, 100, false},
		{100, 1, false},
		{-1, 2, false},
		{2, -1, false},
		{most, most, false},
		{most, 1, false},
		{1, most, false},
		{least, least, false},
		{least, 1, false},
	} {
		le := binary.LittleEndian
		entry := le.AppendUint64(le.AppendUint64(nil, uint64(c.offset)), uint64(c.length))
		b := batch{buffers: append(make([]byte, bufferSize), entry...)}
		if got := b.Outside(100); (got == -1) != c.in || !c.in && got != 1 {
			t.Errorf("%d, %d: %d", c.offset, c.length, got)
		}
	}
	metas := messages(streamOf(t))
	schema, err := schemaOf(metas[0])
	if err != nil {
		t.Fatal(err)
	}
	m, err := ParseMessage(metas[2])
	if err != nil || m.Uneven(schema) != -1 {
		t.Errorf("%d, %v", m.Uneven(schema), err)
	}
	m.nodes[2*nodeSize]++
	if got := m.Uneven(schema); got != 2 {
		t.Errorf("%d, want 2", got)
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
