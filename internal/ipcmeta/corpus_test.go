package ipcmeta

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
)

const corpus = "../../../shared/corpus"

// corpusFiles returns the files of the corpus by name, skipping the test if
// there is no corpus.
func corpusFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
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

// messages cuts a stream into the metadata of its messages, as far as its
// framing makes sense.
func messages(b []byte) (metas [][]byte) {
	for len(b) >= 8 {
		n := binary.LittleEndian.Uint32(b)
		b = b[4:]
		if n == 0xFFFFFFFF {
			n = binary.LittleEndian.Uint32(b)
			b = b[4:]
		}
		if n == 0 || int64(n) > int64(len(b)) {
			return metas
		}
		metas = append(metas, b[:n])
		m, err := ParseMessage(b[:n])
		b = b[n:]
		if err != nil || m.BodyLength > int64(len(b)) {
			return metas
		}
		b = b[m.BodyLength:]
	}
	return metas
}

// footer returns the footer of an IPC file, nil if b is none.
func footer(b []byte) []byte {
	if len(b) < 18 || !bytes.HasPrefix(b, []byte("ARROW1")) || !bytes.HasSuffix(b, []byte("ARROW1")) {
		return nil
	}
	end := len(b) - 10
	n := int(int32(binary.LittleEndian.Uint32(b[end:])))
	if n <= 0 || n > end-8 {
		return nil
	}
	return b[end-n : end]
}

// TestCorpus reads every metadata in the corpus; arrow-go is the oracle for
// the schemas of what it can open.
func TestCorpus(t *testing.T) {
	streams, footers := 0, 0
	for name, b := range corpusFiles(t) {
		if foot := footer(b); foot != nil {
			parsed, err := ParseFooter(foot)
			if err != nil {
				t.Logf("%s: %v", name, err)
				continue
			}
			footers++
			if want := openFile(b); want != nil && (!want.Schema().Equal(parsed.Schema.Arrow) ||
				want.NumRecords() != len(parsed.Batches)) {
				t.Errorf("%s: %v, %d batches", name, parsed.Schema.Arrow, len(parsed.Batches))
			}
			continue
		}
		for i, meta := range messages(b) {
			m, err := ParseMessage(meta)
			if err != nil {
				t.Logf("%s: message %d: %v", name, i, err)
				continue
			}
			if i > 0 || m.Kind != KindSchema {
				continue
			}
			s, err := m.Schema()
			if err != nil {
				t.Logf("%s: %v", name, err)
				continue
			}
			streams++
			want, err := ipc.NewReader(bytes.NewReader(b))
			if err != nil {
				t.Errorf("%s: arrow-go: %v", name, err)
			} else if !want.Schema().Equal(s.Arrow) {
				t.Errorf("%s: %v, want %v", name, s.Arrow, want.Schema())
			}
		}
	}
	t.Logf("%d streams, %d footers", streams, footers)
	if streams < 150 || footers < 80 {
		t.Errorf("only %d streams and %d footers could be read", streams, footers)
	}
}

// openFile is arrow-go's reader, nil where it fails or panics.
func openFile(b []byte) (r *ipc.FileReader) {
	defer func() {
		if recover() != nil {
			r = nil
		}
	}()
	r, err := ipc.NewFileReader(bytes.NewReader(b))
	if err != nil {
		return nil
	}
	return r
}
