package spill

import (
	"bufio"
	"errors"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"arrowagg/internal/tempfile"
)

// file is batches of one schema in a temporary file, in the IPC file format,
// whose footer says where each batch is. Batches are read where they lie in the
// mapped file.
type file struct {
	temp   *tempfile.File
	reader *ipc.FileReader
	rows   int64
}

// writer writes a file.
type writer struct {
	store *Store
	temp  *tempfile.File
	out   *ipc.FileWriter
	buf   *bufio.Writer
	rows  int64
	err   error // the system's own, before arrow-go's words
}

// writeBuffer gathers the many small parts of a batch.
const writeBuffer = 256 << 10

func (s *Store) create(schema *arrow.Schema) (*writer, error) {
	temp, err := s.dir.Create()
	if err != nil {
		return nil, err
	}
	w := &writer{store: s, temp: temp}
	w.buf = bufio.NewWriterSize(w, writeBuffer)
	w.out, err = ipc.NewFileWriter(w.buf, ipc.WithSchema(schema))
	if err != nil {
		temp.Close()
		return nil, err
	}
	s.files.Add(1)
	return w, nil
}

// Write takes what the buffer gives.
func (w *writer) Write(p []byte) (int, error) {
	n, err := w.temp.Write(p)
	w.store.bytes.Add(int64(n))
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}

func (w *writer) write(batch arrow.RecordBatch) error {
	w.rows += batch.NumRows()
	return w.cause(w.out.Write(batch))
}

// flush puts all that was written into the file, and returns how long it is.
func (w *writer) flush() (int64, error) {
	err := w.cause(w.buf.Flush())
	return w.temp.Size(), err
}

func (w *writer) cause(err error) error {
	if err != nil && w.err != nil {
		return w.err
	}
	return err
}

// finish makes the file readable; abandon drops it.
func (w *writer) finish() (*file, error) {
	if err := errors.Join(w.cause(w.out.Close()), w.cause(w.buf.Flush())); err != nil {
		w.abandon()
		return nil, w.cause(err)
	}
	b, err := w.temp.Map()
	if err != nil {
		w.abandon()
		return nil, err
	}
	reader, err := ipc.NewMappedFileReader(b)
	if err != nil {
		w.abandon()
		return nil, err
	}
	return &file{temp: w.temp, reader: reader, rows: w.rows}, nil
}

func (w *writer) abandon() { w.temp.Close() }

func (f *file) batches() int { return f.reader.NumRecords() }

// batch reads batch i. Its memory is the file's.
func (f *file) batch(i int) (arrow.RecordBatch, error) { return f.reader.RecordBatchAt(i) }

func (f *file) close() error { return f.temp.Close() }
