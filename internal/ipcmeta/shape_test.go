package ipcmeta

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// strayFlag is a schema of an int64 and a string whose integer keeps its sign
// 4359 bytes behind the table: a field that only arrow-go reads.
var strayFlag = []byte("\x10\x00\x00\x00\x00\x00\x0a\x00\x0c\x00\x0a\x00\x09\x00\x04\x00\x0a\x00\x00\x00" +
	"\x10\x00\x00\x00\x00\x01\x04\x00\x08\x00\x08\x00\x00\x00\x04\x00\x08\x00\x00\x00" +
	"\x04\x00\x00\x00\x02\x00\x00\x00\x44\x00\x00\x00\x04\x00\x00\x00\xd4\xff\xff\xff" +
	"\x10\x00\x00\x00\x14\x00\x00\x00\x00\x00\x05\x01\x10\x00\x00\x00\x00\x00\x00\x00" +
	"\x04\x00\x04\x00\x04\x00\x00\x00\x04\x00\x00\x00host\x00\x00\x00\x00" +
	"\x10\x00\x14\x00\x10\x00\x0f\x00\x0e\x00\x08\x00\x00\x00\x04\x00\x10\x00\x00\x00" +
	"\x10\x00\x00\x00\x18\x00\x00\x00\x00\x00\x02\x01\x1c\x00\x00\x00\x00\x00\x00\x00" +
	"\x08\x00\x0c\x00\x08\x00\x07\x11\x08\x00\x00\x00\x00\x00\x00\x01\x40\x00\x00\x00" +
	"\x09\x00\x00\x00bytes_sum\x00\x00\x00")

func TestStrayFlag(t *testing.T) {
	_, err := schemaOf(strayFlag)
	const want = `column "bytes_sum": metadata: field 1 of the table at 148 lies outside the metadata`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// everyType is a schema message that has a table of every kind in it.
func everyType(t *testing.T) []byte {
	var fields []arrow.Field
	int8s := arrow.PrimitiveTypes.Int8
	item := arrow.Field{Name: "i", Type: int8s}
	meta := arrow.NewMetadata([]string{"k"}, []string{"v"})
	for _, dt := range []arrow.DataType{
		int8s, arrow.PrimitiveTypes.Uint64, arrow.PrimitiveTypes.Float32,
		&arrow.Decimal128Type{Precision: 20, Scale: 3}, arrow.FixedWidthTypes.Date64, arrow.FixedWidthTypes.Time64us,
		arrow.FixedWidthTypes.Timestamp_ms, arrow.FixedWidthTypes.DayTimeInterval, arrow.FixedWidthTypes.Duration_ms,
		&arrow.FixedSizeBinaryType{ByteWidth: 3}, arrow.FixedSizeListOf(2, int8s), arrow.MapOf(arrow.BinaryTypes.String, int8s),
		arrow.DenseUnionOf([]arrow.Field{item}, []arrow.UnionTypeCode{5}), arrow.StructOf(item), arrow.ListOf(int8s),
		arrow.RunEndEncodedOf(arrow.PrimitiveTypes.Int16, arrow.BinaryTypes.String), arrow.BinaryTypes.StringView,
		&arrow.DictionaryType{IndexType: int8s, ValueType: arrow.BinaryTypes.String, Ordered: true},
	} {
		fields = append(fields, arrow.Field{Name: dt.Name(), Type: dt, Nullable: true, Metadata: meta})
	}
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(arrow.NewSchema(fields, &meta)))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return messages(out.Bytes())[0]
}

// TestEveryNumber puts numbers that lead astray wherever 16 or 32 bits stand in
// a schema message, so in all entries of vtables, offsets and lengths.
func TestEveryNumber(t *testing.T) {
	whole := everyType(t)
	if _, err := schemaOf(whole); err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	refused := 0
	try := func(meta []byte) {
		s, err := schemaOf(meta)
		if err == nil {
			walk(t, s)
			return
		}
		refused++
		mustBeOurs(t, err)
	}
	for pos := 0; pos+4 <= len(whole); pos += 2 {
		n := len(whole) - pos
		for _, number := range []int{1, 2, 3, 5, n - 4, n - 2, n - 1, n, n + 1, 0x1107, 0x7FFF, 0xFFFF} {
			meta := bytes.Clone(whole)
			le.PutUint16(meta[pos:], uint16(number))
			try(meta)
		}
		for _, number := range []int{n - 4, n - 1, n, 1 << 30, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1<<32 - pos} {
			meta := bytes.Clone(whole)
			le.PutUint32(meta[pos:], uint32(number))
			try(meta)
		}
	}
	if refused < len(whole) {
		t.Errorf("only %d schemas are refused", refused)
	}
}

// An empty fixed_size_list is legal, and arrow-go panics at the sight of it.
func TestEmptyFixedSizeList(t *testing.T) {
	b := newMetaBuilder()
	name := b.CreateString("x")
	children := b.vector(b.field(name, 0))
	b.StartObject(1)
	list := b.EndObject()
	b.StartObject(7)
	b.PrependUOffsetTSlot(0, name, 0)
	b.PrependByteSlot(2, tagFixedSizeList, 0)
	b.PrependUOffsetTSlot(3, list, 0)
	b.PrependUOffsetTSlot(5, flatbuffers.UOffsetT(children), 0)
	_, err := schemaOf(b.message(b.EndObject()))
	if err == nil || !strings.Contains(err.Error(), "fixed_size_list of size 0 cannot be read") {
		t.Error(err)
	}
}

func TestDecimalsOutOfBounds(t *testing.T) {
	for want, c := range map[string][3]int32{
		"": {8, 9, 32},
		"decimal32(8, 10) cannot be read: its scale is beyond the 9 digits of the type":    {8, 10, 32},
		"decimal64(18, -19) cannot be read: its scale is beyond the 18 digits of the type": {18, -19, 64},
		"decimal128(39, 0): a precision beyond 1 to 38 digits":                             {39, 0, 128},
		"decimal256(0, 0): a precision beyond 1 to 76 digits":                              {0, 0, 256},
		"decimal of 48 bits": {8, 0, 48},
	} {
		b := newMetaBuilder()
		name := b.CreateString("x")
		b.StartObject(3)
		for i, v := range c {
			b.PrependInt32Slot(i, v, -1)
		}
		typ := b.EndObject()
		b.StartObject(7)
		b.PrependUOffsetTSlot(0, name, 0)
		b.PrependByteSlot(2, tagDecimal, 0)
		b.PrependUOffsetTSlot(3, typ, 0)
		_, err := schemaOf(b.message(b.EndObject()))
		if (err == nil) != (want == "") || err != nil && err.Error() != `column "x": metadata: `+want {
			t.Errorf("%v: %v, want %s", c, err, want)
		}
	}
}
