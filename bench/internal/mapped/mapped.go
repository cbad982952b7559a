// Package mapped reads an Arrow IPC stream from a memory mapping without
// copying a body: the fairest input for an engine that can take Arrow memory
// as it is.
//
//	mapping ── framing ── ipc.Message (body: a slice of the mapping) ── ipc.Reader
//
// The streams are our own, so a damaged one is an error here, but no more is
// verified than arrow-go does. A mapping lives as long as the process.
package mapped

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/sys/unix"
)

// Open maps the file and returns a reader of its batches. The batches point
// into the mapping, compressed bodies aside; they stay valid.
func Open(path string) (*ipc.Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if stat.Size() == 0 {
		return nil, fmt.Errorf("%s: empty", path)
	}
	bytes, err := unix.Mmap(int(f.Fd()), 0, int(stat.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("%s: map: %w", path, err)
	}
	messages := &messageReader{rest: bytes}
	messages.references.Store(1)
	return ipc.NewReaderFromMessageReader(messages)
}

// messageReader cuts the encapsulated messages off a mapped stream:
//
//	ff ff ff ff | metadata length, int32 | metadata | body
type messageReader struct {
	rest       []byte
	last       *ipc.Message
	references atomic.Int64
}

func (r *messageReader) Message() (*ipc.Message, error) {
	if len(r.rest) == 0 {
		return nil, io.EOF
	}
	if len(r.rest) < 8 || binary.LittleEndian.Uint32(r.rest) != 0xffffffff {
		return nil, fmt.Errorf("no message at %d bytes before the end", len(r.rest))
	}
	metaLength := int64(int32(binary.LittleEndian.Uint32(r.rest[4:])))
	if metaLength == 0 {
		return nil, io.EOF
	}
	if metaLength < 8 || metaLength > int64(len(r.rest)-8) {
		return nil, io.ErrUnexpectedEOF
	}
	meta := r.rest[8 : 8+metaLength]
	length := bodyLength(meta)
	end := 8 + metaLength + length
	if length < 0 || end > int64(len(r.rest)) {
		return nil, io.ErrUnexpectedEOF
	}
	body := r.rest[8+metaLength : end]
	r.rest = r.rest[end:]
	if r.last != nil {
		r.last.Release()
	}
	r.last = ipc.NewMessage(memory.NewBufferBytes(meta), memory.NewBufferBytes(body))
	return r.last, nil
}

func (r *messageReader) Retain() { r.references.Add(1) }

func (r *messageReader) Release() {
	if r.references.Add(-1) == 0 && r.last != nil {
		r.last.Release()
		r.last = nil
	}
}

// bodyLength is the fourth field of the table Message (Message.fbs), whose
// entry in the vtable is at 4 + 2*3.
func bodyLength(meta []byte) int64 {
	t := flatbuffers.Table{Bytes: meta, Pos: flatbuffers.GetUOffsetT(meta)}
	if at := t.Offset(10); at != 0 {
		return t.GetInt64(t.Pos + flatbuffers.UOffsetT(at))
	}
	return 0
}
