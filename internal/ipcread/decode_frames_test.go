package ipcread

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"arrowagg/internal/ipcmeta"
)

// framed cuts a stream or a file into batches: a framer without armour, for
// tests of what comes after framing.
func framed(b []byte) (batches []framedBatch, err error) {
	if bytes.HasPrefix(b, []byte("ARROW1")) {
		return framedFile(b)
	}
	var schema *ipcmeta.Schema
	var dicts *Dictionaries
	for at := 0; len(b)-at >= 4; {
		start := at
		n := int(binary.LittleEndian.Uint32(b[at:]))
		at += 4
		if n == 0xFFFFFFFF {
			if len(b)-at < 4 {
				return batches, errors.New("cut")
			}
			n = int(binary.LittleEndian.Uint32(b[at:]))
			at += 4
		}
		if n == 0 {
			return batches, nil
		}
		if n > len(b)-at {
			return batches, errors.New("cut")
		}
		m, err := ipcmeta.ParseMessage(b[at : at+n])
		if err != nil {
			return batches, err
		}
		at += n
		if m.BodyLength > int64(len(b)-at) {
			return batches, errors.New("cut")
		}
		body := b[at : at+int(m.BodyLength)]
		at += len(body)
		if m.Kind == ipcmeta.KindSchema {
			if schema != nil {
				return batches, errors.New("a second schema")
			}
			if schema, err = m.Schema(); err != nil {
				return batches, err
			}
			continue
		}
		if schema == nil {
			return batches, errors.New("no schema")
		}
		framed := framedBatch{msg: m, body: body, schema: schema, dicts: dicts}
		switch m.Kind {
		case ipcmeta.KindDictionary:
			if dicts, err = dicts.with(framed, int64(start)); err != nil {
				return batches, err
			}
		case ipcmeta.KindBatch:
			batches = append(batches, framed)
		default:
			return batches, errors.New("a tensor")
		}
	}
	return batches, nil
}

func framedFile(b []byte) (batches []framedBatch, err error) {
	if len(b) < 20 || !bytes.HasSuffix(b, []byte("ARROW1")) {
		return nil, errors.New("cut")
	}
	end := int64(len(b) - 10)
	n := int64(int32(binary.LittleEndian.Uint32(b[end:])))
	if n <= 0 || n > end {
		return nil, errors.New("no footer")
	}
	footer, err := ipcmeta.ParseFooter(b[end-n : end])
	if err != nil {
		return nil, err
	}
	message := func(block ipcmeta.Block, dicts *Dictionaries) (f framedBatch, err error) {
		meta := int64(block.MetaLength)
		if block.Offset > end-meta || block.BodyLength > end-meta-block.Offset || meta < 8 {
			return f, errors.New("block outside")
		}
		prefix := int64(4)
		if binary.LittleEndian.Uint32(b[block.Offset:]) == math.MaxUint32 {
			prefix = 8
		}
		m, err := ipcmeta.ParseMessage(b[block.Offset+prefix : block.Offset+meta])
		body := b[block.Offset+meta:][:block.BodyLength]
		return framedBatch{msg: m, body: body, schema: footer.Schema, dicts: dicts}, err
	}
	var dicts *Dictionaries
	for _, block := range footer.Dictionaries {
		f, err := message(block, nil)
		if err == nil {
			dicts, err = dicts.with(f, block.Offset)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, block := range footer.Batches {
		f, err := message(block, dicts)
		if err != nil {
			return nil, err
		}
		batches = append(batches, f)
	}
	return batches, nil
}

// testDecoding has limits that no honest test input meets.
func testDecoding() *decoding {
	d := newDecoding(Options{MaxBuffer: 1 << 28, Scratch: 1 << 30}.withDefaults())
	d.contents = true
	return d
}

// readable lists the columns that can be asked for, -1 for the others.
func readableColumns(s *ipcmeta.Schema) []int {
	columns := make([]int, len(s.Columns))
	for i := range columns {
		columns[i] = i
		if !Readable(s.Columns[i].Type) {
			columns[i] = -1
		}
	}
	return columns
}

// cells is a column as text, row by row, nulls told from everything else.
func cells(a arrow.Array) []string {
	rows := make([]string, a.Len())
	for i := range rows {
		rows[i] = cell(a, i)
	}
	return rows
}

func cell(a arrow.Array, i int) string {
	switch a := a.(type) {
	case *array.RunEndEncoded:
		return cell(a.Values(), a.GetPhysicalIndex(i))
	case *array.Null:
		return "∅"
	case *array.Dictionary:
		if a.IsNull(i) {
			return "∅"
		}
		return cell(a.Dictionary(), a.GetValueIndex(i))
	case *array.String:
		if a.IsValid(i) {
			return fmt.Sprintf("%q", a.Value(i))
		}
	}
	if a.IsNull(i) {
		return "∅"
	}
	return a.ValueStr(i)
}

func texts(arrays []arrow.ArrayData) (columns [][]string) {
	for _, d := range arrays {
		if d == nil {
			columns = append(columns, nil)
			continue
		}
		a := array.MakeFromData(d)
		columns = append(columns, cells(a))
		a.Release()
	}
	return columns
}

// corpus is a collection of real, made and hostile inputs beside the project.
const corpus = "../../../shared/corpus"

// corpusFiles returns the files of the corpus below a directory, skipping the
// test if there is no corpus.
func corpusFiles(t testing.TB, below string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(filepath.Join(corpus, below), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".gz") || strings.HasSuffix(path, ".tsv") {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(corpus, path)
		files[name] = b
		return err
	})
	if err != nil {
		t.Skipf("no corpus: %v", err)
	}
	return files
}
