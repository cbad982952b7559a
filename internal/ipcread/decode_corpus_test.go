package ipcread

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// decodeAll decodes all readable columns of all batches as text.
func decodeAll(b []byte) (batches [][][]string, err error) {
	framed, err := framed(b)
	d := newDecoder(testDecoding())
	for i := range framed {
		f := &framed[i]
		if f.msg.Rows() > 1e6 {
			return batches, fmt.Errorf("%d rows", f.msg.Rows())
		}
		arrays, err := d.decode(f, 0, f.msg.Rows(), readableColumns(f.schema))
		if err != nil {
			return batches, err
		}
		batches = append(batches, texts(arrays))
	}
	return batches, err
}

// oracle is what arrow-go makes of it.
func oracle(b []byte) (batches [][][]string, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	add := func(r arrow.RecordBatch) {
		var columns [][]string
		for _, c := range r.Columns() {
			if Readable(c.DataType()) {
				columns = append(columns, cells(c))
			} else {
				columns = append(columns, nil)
			}
		}
		batches = append(batches, columns)
	}
	if bytes.HasPrefix(b, []byte("ARROW1")) {
		r, err := ipc.NewFileReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		for i := range r.NumRecords() {
			batch, err := r.RecordBatchAt(i)
			if err != nil {
				return batches, err
			}
			add(batch)
		}
		return batches, nil
	}
	r, err := ipc.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	for r.Next() {
		add(r.RecordBatch())
	}
	return batches, r.Err()
}

// notRead are the real files of the corpus that are rightly refused.
var notRead = map[string]string{
	"loaders.gl/arrow/struct.arrow":               "metadata version V3",
	"nanoarrow/examples/cmake-ipc/invalid.arrows": "cut",
}

// damaged tells the files that were made or found to be wrong in some way.
func damaged(name string) bool {
	for _, part := range []string{"hostile/", "fuzzfound/", "made/", "clusterfuzz-", "crash-"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// TestCorpusAgainstOracle: every real file is read, and whatever is read is
// what arrow-go reads, if it reads it.
func TestCorpusAgainstOracle(t *testing.T) {
	if testing.Short() {
		t.Skip("reads every file twice")
	}
	agreed := 0
	for name, b := range corpusFiles(t, "") {
		got, err := decodeAll(b)
		if err != nil {
			why, refused := notRead[name]
			if !damaged(name) && !(refused && strings.Contains(err.Error(), why)) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		want, err := oracle(b)
		if err != nil {
			continue // the golden files know better
		}
		if !slices.EqualFunc(got, want, func(a, b [][]string) bool {
			return slices.EqualFunc(a, b, slices.Equal[[]string])
		}) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		agreed++
	}
	if agreed < 230 {
		t.Errorf("only %d files agree", agreed)
	}
}
