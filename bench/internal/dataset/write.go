package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// Ensure makes the files of the spec in dir unless they are there, and returns
// their paths. A file is there whole or not at all.
func Ensure(spec Spec, dir string) ([]string, error) {
	spec, err := spec.WithDefaults()
	if err != nil {
		return nil, err
	}
	paths := spec.Paths(dir)
	missing := false
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			missing = true
		}
	}
	if !missing {
		return paths, nil
	}
	return paths, Write(spec, paths)
}

// Write writes the table to the paths, len(paths) being Spec.Files: the rows
// in order, cut evenly.
func Write(spec Spec, paths []string) error {
	spec, err := spec.WithDefaults()
	if err != nil {
		return err
	}
	if len(paths) != spec.Files {
		return fmt.Errorf("%d paths for %d files", len(paths), spec.Files)
	}
	t := newTable(spec)
	for i, path := range paths {
		from := spec.Rows * int64(i) / int64(len(paths))
		to := spec.Rows * int64(i+1) / int64(len(paths))
		if err := t.writeFile(path, from, to); err != nil {
			return err
		}
	}
	return nil
}

// table is a spec with everything that is made once: words, order, schema.
type table struct {
	spec   Spec
	order  []uint32 // nil: by number
	makers []*maker
	schema *arrow.Schema
}

func newTable(spec Spec) *table {
	columns := Sets[spec.Set](spec)
	t := &table{spec: spec, order: order(spec, columns)}
	for i := range spec.Pad {
		s := newStream(spec.Seed, fmt.Sprintf("pad %d", i))
		columns = append(columns, floats(fmt.Sprintf("p%03d", i), func(row uint64) float64 { return unit(s.at(row)) }))
	}
	var fields []arrow.Field
	for _, c := range columns {
		m := newMaker(spec, c)
		t.makers = append(t.makers, m)
		fields = append(fields, m.field())
	}
	t.schema = arrow.NewSchema(fields, nil)
	return t
}

// batch makes the rows at positions from to to, not included.
func (t *table) batch(from, to int64) arrow.RecordBatch {
	rows := make([]uint64, to-from)
	for i := range rows {
		rows[i] = uint64(from) + uint64(i)
		if t.order != nil {
			rows[i] = uint64(t.order[from+int64(i)])
		}
	}
	arrays := make([]arrow.Array, len(t.makers))
	for i, m := range t.makers {
		arrays[i] = m.array(rows)
	}
	return array.NewRecordBatch(t.schema, arrays, int64(len(rows)))
}

// writeFile makes batches on all processors, a few ahead of the one that is
// being written.
func (t *table) writeFile(path string, from, to int64) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".making-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	buffered := bufio.NewWriterSize(f, 1<<20)
	options := []ipc.Option{ipc.WithSchema(t.schema), ipc.WithCompressConcurrency(runtime.NumCPU())}
	switch t.spec.Codec {
	case "lz4":
		options = append(options, ipc.WithLZ4())
	case "zstd":
		options = append(options, ipc.WithZstd())
	}
	w := ipc.NewWriter(buffered, options...)
	if err := t.writeBatches(w, from, to); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func (t *table) writeBatches(w *ipc.Writer, from, to int64) error {
	size := int64(t.spec.Batch)
	ahead := make(chan chan arrow.RecordBatch, runtime.NumCPU()+1)
	stop := make(chan struct{})
	var makers sync.WaitGroup
	makers.Go(func() {
		defer close(ahead)
		for at := from; at < to; at += size {
			one := make(chan arrow.RecordBatch, 1)
			select {
			case ahead <- one:
			case <-stop:
				return
			}
			makers.Go(func() { one <- t.batch(at, min(at+size, to)) })
		}
	})
	defer makers.Wait()
	defer close(stop)
	for one := range ahead {
		b := <-one
		err := w.Write(b)
		b.Release()
		if err != nil {
			return err
		}
	}
	return nil
}
