package render

import (
	"fmt"
	"io"
	"runtime"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// batches writes Arrow IPC with arrow-go's writers, which write large buffers
// from where they lie. The batches keep their cuts, except that a batch without
// rows is left out: a result without rows is a schema and an end marker. The
// columns are written in canonical form, so that the bytes are a function of
// the values (for one build: encoders may change between versions).
//
// The end marker is written by Close alone, so a stream that a failed write
// cut short can be told from a whole one.
type batches struct {
	sink
	out ipcWriter
}

// ipcWriter is what arrow-go's stream and file writers share.
type ipcWriter interface {
	Write(arrow.RecordBatch) error
	Close() error
}

func newArrowStream(w io.Writer, schema *arrow.Schema, opt Options) (Writer, error) {
	b := &batches{sink: newSink(w)}
	options, err := ipcOptions(schema, opt)
	if err != nil {
		return nil, err
	}
	b.out = ipc.NewWriter(&b.sink, options...)
	return b, nil
}

func newArrowFile(w io.Writer, schema *arrow.Schema, opt Options) (Writer, error) {
	b := &batches{sink: newSink(w)}
	options, err := ipcOptions(schema, opt)
	if err != nil {
		return nil, err
	}
	if b.out, err = ipc.NewFileWriter(&b.sink, options...); err != nil {
		return nil, err
	}
	return b, nil
}

func ipcOptions(schema *arrow.Schema, opt Options) ([]ipc.Option, error) {
	// Buffers are compressed one by one, so more workers give the same bytes.
	options := []ipc.Option{ipc.WithSchema(schema), ipc.WithCompressConcurrency(runtime.GOMAXPROCS(0))}
	switch opt.Compression {
	case "", "none":
		return options, nil
	case "lz4":
		return append(options, ipc.WithLZ4()), nil
	case "zstd":
		return append(options, ipc.WithZstd()), nil
	}
	return nil, fmt.Errorf("unknown compression %q: none, lz4 or zstd", opt.Compression)
}

func (b *batches) Write(batch arrow.RecordBatch) error {
	if b.err != nil || batch.NumRows() == 0 {
		return b.err
	}
	exact := canonicalBatch(batch)
	defer exact.Release()
	return b.keep(b.out.Write(exact))
}

func (b *batches) Close() error {
	if b.err != nil {
		return b.err
	}
	if err := b.keep(b.out.Close()); err != nil {
		return err
	}
	return b.flush()
}

// keep remembers an error of arrow-go's, the underlying writer's own if it had
// one.
func (b *batches) keep(err error) error {
	if b.err == nil {
		b.err = err
	}
	return b.err
}
