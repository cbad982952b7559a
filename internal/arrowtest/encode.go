package arrowtest

import (
	"bytes"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// Encoding says how a stream becomes bytes. The zero value is an uncompressed
// IPC stream with an end marker, a changed dictionary sent anew.
type Encoding struct {
	Codec string // "", "none", "lz4" or "zstd"
	File  bool   // the IPC file format
	// NoEndMarker leaves out the end-of-stream marker, as a writer does that
	// dies between two batches. Not with File.
	NoEndMarker bool
	// Deltas sends what a dictionary has grown by, where it has only grown.
	// Not with File: the format has them, but arrow-go does not write them.
	Deltas bool
}

// endMarker is the stream format's end-of-stream marker: a continuation and a
// metadata length of zero.
var endMarker = []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}

// Encode writes the stream. The file format takes one dictionary a field, so
// the batches share theirs there.
func (s *Stream) Encode(e Encoding) ([]byte, error) {
	if e.File {
		s = s.SharedDictionaries()
	}
	recs, err := s.Records()
	if err != nil {
		return nil, err
	}
	return Encode(s.Schema(), recs, e)
}

// MustEncode is Encode for streams that stand in a test's source.
func (s *Stream) MustEncode(e Encoding) []byte {
	b, err := s.Encode(e)
	if err != nil {
		panic(err)
	}
	return b
}

// batchWriter is what arrow-go's stream and file writers have in common.
type batchWriter interface {
	Write(arrow.RecordBatch) error
	Close() error
}

// Encode writes record batches with arrow-go's IPC writer.
func Encode(schema *arrow.Schema, recs []arrow.RecordBatch, e Encoding) ([]byte, error) {
	if e.File && (e.NoEndMarker || e.Deltas) {
		return nil, fmt.Errorf("the file format can neither lack its end nor have deltas here")
	}
	options := []ipc.Option{ipc.WithSchema(schema), ipc.WithDictionaryDeltas(e.Deltas)}
	switch e.Codec {
	case "", "none":
	case "lz4":
		options = append(options, ipc.WithLZ4())
	case "zstd":
		options = append(options, ipc.WithZstd())
	default:
		return nil, fmt.Errorf("unknown codec %q", e.Codec)
	}
	var out bytes.Buffer
	var w batchWriter = ipc.NewWriter(&out, options...)
	if e.File {
		file, err := ipc.NewFileWriter(&out, options...)
		if err != nil {
			return nil, err
		}
		w = file
	}
	for _, rec := range recs {
		if err := w.Write(rec); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if e.NoEndMarker {
		cut, ok := bytes.CutSuffix(out.Bytes(), endMarker)
		if !ok {
			return nil, fmt.Errorf("the writer wrote no end marker")
		}
		return cut, nil
	}
	return out.Bytes(), nil
}

// Read reads an IPC stream or file with arrow-go's readers. What follows the
// first stream's end marker is returned as rest.
func Read(b []byte) (s *Stream, rest []byte, err error) {
	if bytes.HasPrefix(b, []byte("ARROW1")) {
		s, err = readFile(b)
		return s, nil, err
	}
	in := bytes.NewReader(b)
	r, err := ipc.NewReader(in)
	if err != nil {
		return nil, nil, err
	}
	defer r.Release()
	var recs []arrow.RecordBatch
	for r.Next() {
		rec := r.RecordBatch()
		rec.Retain()
		recs = append(recs, rec)
	}
	rest, _ = io.ReadAll(in)
	return FromRecords(r.Schema(), recs), rest, r.Err()
}

func readFile(b []byte) (*Stream, error) {
	r, err := ipc.NewFileReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var recs []arrow.RecordBatch
	for i := range r.NumRecords() {
		rec, err := r.RecordBatchAt(i)
		if err != nil {
			return nil, err
		}
		recs = append(recs, rec)
	}
	return FromRecords(r.Schema(), recs), nil
}
