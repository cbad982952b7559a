package ipcread

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"arrowagg/internal/arrowtest"
)

func TestReadSchema(t *testing.T) {
	s := arrowtest.Must("k utf8 | \"day 1\" dictionary<int8, utf8> | v_sum int64\na | x | 1\n")
	encode := func(e arrowtest.Encoding) []byte {
		t.Helper()
		b, err := s.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	zipped := func(b []byte) []byte {
		var buf bytes.Buffer
		w := gzip.NewWriter(&buf)
		w.Write(b)
		w.Close()
		return buf.Bytes()
	}
	stream, file := encode(arrowtest.Encoding{}), encode(arrowtest.Encoding{File: true})
	name := filepath.Join(t.TempDir(), "input")
	for what, c := range map[string]struct {
		content []byte
		known   bool
	}{
		"stream":       {stream, true},
		"file":         {file, true},
		"gzip stream":  {zipped(stream), true},
		"gzip file":    {zipped(file), true},
		"its rows cut": {stream[:len(stream)-40], true},
		"schema cut":   {stream[:100], false},
		"footer cut":   {file[:len(file)-40], false},
		"text":         {[]byte("k,v_sum\na,1\n"), false},
		"nothing":      {nil, false},
	} {
		if err := os.WriteFile(name, c.content, 0o666); err != nil {
			t.Fatal(err)
		}
		schema, err := ReadSchema(t.Context(), name)
		switch {
		case c.known && (err != nil || !schema.Equal(s.Schema())):
			t.Errorf("%s: %v, %v", what, schema, err)
		case !c.known && err == nil:
			t.Errorf("%s: has a schema: %v", what, schema)
		}
	}
	for _, name := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing"), os.DevNull, "-"} {
		if _, err := ReadSchema(t.Context(), name); err == nil {
			t.Errorf("%s has a schema", name)
		}
	}
}

// TestReadSchemaCorpus: a key press in a directory of damaged files ends in a
// schema or an error.
func TestReadSchemaCorpus(t *testing.T) {
	const corpus = "../../../shared/corpus"
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no corpus")
	}
	known := 0
	filepath.WalkDir(corpus, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if schema, err := ReadSchema(t.Context(), name); err == nil && schema.NumFields() >= 0 {
			known++
		}
		return nil
	})
	if known == 0 {
		t.Error("no file has a schema")
	}
}
