package ipcread

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"arrowagg/internal/arrowtest"
)

// fuzzInput is the largest input a fuzz target looks at.
const fuzzInput = 1 << 20

func addSeeds(f *testing.F) {
	stream := sample().MustEncode(arrowtest.Encoding{})
	f.Add(stream)
	f.Add(oldFraming(f, stream))
	f.Add(sample().MustEncode(arrowtest.Encoding{File: true}))
	f.Add(append(plain(1).MustEncode(arrowtest.Encoding{NoEndMarker: true}), stream...))
	for _, wrap := range wrappers {
		f.Add(wrap(plain(2).MustEncode(arrowtest.Encoding{})))
	}
	f.Add([]byte("host,minute\n"))
	f.Add(endMarker)
	paths, _ := filepath.Glob("../../testdata/workers/*")
	for _, path := range paths {
		if b, err := os.ReadFile(path); err == nil && len(b) < 64<<10 {
			f.Add(b)
		}
	}
}

// FuzzFraming holds the ways in which bytes can come against each other: in
// memory and read, with bodies and without. They must find the same batches or
// the same kind of error, and never panic, hang or take memory for a claim.
func FuzzFraming(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > fuzzInput || len(b) == 0 {
			return
		}
		var first framing
		allocated := allocatedBy(func() { first = frameContent(resident(b)) })
		// Wrapped content can be larger than its wrapper; what is kept of it is
		// bounded all the same.
		if allocated > 512<<20 {
			t.Errorf("%d bytes allocated for %d", allocated, len(b))
		}
		file, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.Write(b); err != nil {
			t.Fatal(err)
		}
		second := frameContent(&readAt{file: file, len: int64(len(b))})
		if kindOf(first.err) != kindOf(second.err) {
			t.Errorf("in memory %v, read %v", first.err, second.err)
		}
		first.err, second.err = nil, nil
		if first != second {
			t.Errorf("in memory %+v, read %+v", first, second)
		}
	})
}

// frameContent recognises and walks bytes as a regular file's.
func frameContent(ext extent) framing {
	sp := newSpooler(nil)
	defer sp.close()
	c, err := fromExtent(testContext, ext, sp)
	if err != nil {
		return framing{err: err}
	}
	defer c.close()
	in := &input{name: "fuzz"}
	w, err := in.walk(c, walkOptions{maxBody: 1 << 24})
	if err != nil {
		return framing{err: err}
	}
	found := framing{}
	for {
		p, err := w.next()
		if err == io.EOF {
			return found
		}
		if err == nil && p.kind == stepSchema {
			if _, schemaErr := p.schema(); schemaErr != nil {
				err = faultf(ErrCorrupt, "%v", schemaErr)
			}
		}
		if err != nil {
			found.err = err
			return found
		}
		switch p.kind {
		case stepSchema:
			found.schemas++
		case stepBatch:
			found.batches++
		case stepOpen:
			found.open++
		}
	}
}
