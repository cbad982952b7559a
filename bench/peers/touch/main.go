// Command touch is no engine but the floor under all of them: it maps the
// stream, reads one byte of every cache line of the columns in use, on all
// processors, and writes a stream of no rows.
package main

import (
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"arrowagg/bench/internal/job"
	"arrowagg/bench/internal/mapped"
)

func main() {
	job.Main(func() (string, error) { return "floor: touch the columns in use", nil }, run)
}

func run(j job.Job) error {
	r, err := mapped.Open(j.Input)
	if err != nil {
		return err
	}
	var columns []int
	var fields []arrow.Field
	for _, name := range j.Columns() {
		for _, i := range r.Schema().FieldIndices(name) {
			columns = append(columns, i)
			fields = append(fields, r.Schema().Field(i))
		}
	}
	batches := make(chan arrow.RecordBatch, 64)
	var sum atomic.Uint64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			var own uint64
			for b := range batches {
				for _, c := range columns {
					own += touch(b.Column(c).Data())
				}
			}
			sum.Add(own)
		})
	}
	for {
		b, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		b.Retain()
		batches <- b
	}
	close(batches)
	workers.Wait()
	return writeEmpty(j.Output, arrow.NewSchema(fields, nil))
}

func touch(d arrow.ArrayData) uint64 {
	var sum uint64
	for _, b := range d.Buffers() {
		if b == nil {
			continue
		}
		bytes := b.Bytes()
		for i := 0; i < len(bytes); i += 64 {
			sum += uint64(bytes[i])
		}
	}
	return sum
}

func writeEmpty(path string, schema *arrow.Schema) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(ipc.NewWriter(f, ipc.WithSchema(schema)).Close(), f.Close())
}
