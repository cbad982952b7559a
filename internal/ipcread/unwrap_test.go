package ipcread

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"arrowagg/internal/arrowtest"
)

// wrappers compress a whole input.
var wrappers = map[string]func(b []byte) []byte{
	"gzip": func(b []byte) []byte {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		w.Write(b)
		w.Close()
		return out.Bytes()
	},
	"zstd": func(b []byte) []byte {
		w, err := zstd.NewWriter(nil)
		if err != nil {
			panic(err)
		}
		return w.EncodeAll(b, nil)
	},
	"lz4": func(b []byte) []byte { return lz4Frames4(b, lz4.ChecksumOption(true)) },
}

func lz4Frames4(b []byte, options ...lz4.Option) []byte {
	var out bytes.Buffer
	w := lz4.NewWriter(&out)
	if err := w.Apply(append(options, lz4.BlockSizeOption(lz4.Block64Kb))...); err != nil {
		panic(err)
	}
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func TestWrapped(t *testing.T) {
	a, b := sample(), plain(7)
	stream := a.MustEncode(arrowtest.Encoding{})
	second := b.MustEncode(arrowtest.Encoding{})
	file := b.MustEncode(arrowtest.Encoding{File: true})
	half := len(stream) / 2
	for name, wrap := range wrappers {
		for _, c := range []struct {
			name   string
			bytes  []byte
			format string
			rows   []string
		}{
			{"stream", wrap(stream), name + " stream", rowsOf(a)},
			{"two streams", wrap(slices.Concat(stream, second)), name + " stream", rowsOf(a, b)},
			{"two members", slices.Concat(wrap(stream[:half]), wrap(stream[half:])), name + " stream", rowsOf(a)},
			{"a member each", slices.Concat(wrap(stream), wrap(second)), name + " stream", rowsOf(a, b)},
			{"an empty member", slices.Concat(wrap(nil), wrap(stream), wrap(nil)), name + " stream", rowsOf(a)},
			{"file", wrap(file), name + " file", rowsOf(b)},
			{"old framing", wrap(oldFraming(t, stream)), name + " stream", rowsOf(a)},
			{"twice", wrap(wrap(stream)), name + " " + name + " stream", rowsOf(a)},
			{"in gzip", wrappers["gzip"](wrap(file)), "gzip " + name + " file", rowsOf(b)},
		} {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				path := write(t, "w1.arrows.gz", c.bytes)
				for _, opt := range []Options{{}, {unmapped: true}} {
					r, err := read([]string{path}, opt)
					wantRows(t, r, err, c.rows)
					if r.reports[0].Format != c.format {
						t.Errorf("format %q, want %q", r.reports[0].Format, c.format)
					}
				}
				r, err := read([]string{"-"}, Options{Stdin: piped(t, c.bytes)})
				wantRows(t, r, err, c.rows)
				r, err = read([]string{path}, Options{Repeat: 2})
				if err != nil || len(r.rows) != 2*len(c.rows) {
					t.Errorf("twice: %d rows, %v", len(r.rows), err)
				}
			})
		}
	}
}

func TestWrappedTruncationAtEveryByte(t *testing.T) {
	sequential(t)
	stream := sample().MustEncode(arrowtest.Encoding{})
	variants := map[string][]byte{
		"lz4 without checksums": lz4Frames4(stream, lz4.ChecksumOption(false)),
		"lz4 with everything": lz4Frames4(stream, lz4.ChecksumOption(true), lz4.BlockChecksumOption(true),
			lz4.SizeOption(uint64(len(stream)))),
	}
	for name, wrap := range wrappers {
		variants[name] = wrap(stream)
	}
	for name, b := range variants {
		t.Run(name, func(t *testing.T) {
			for n := wordSize; n < len(b); n++ {
				found := frameWrapped(b[:n])
				if !errors.Is(found, ErrTruncated) && !errors.Is(found, ErrEmpty) {
					t.Fatalf("cut at %d of %d: %v", n, len(b), found)
				}
			}
			if err := frameWrapped(b); err != nil {
				t.Fatalf("whole: %v", err)
			}
			if err := frameWrapped(append(slices.Clone(b), "garbage"...)); !errors.Is(err, ErrCorrupt) {
				t.Errorf("with garbage behind: %v", err)
			}
		})
	}
}

// frameWrapped scans an input of those bytes.
func frameWrapped(b []byte) error {
	in := &input{name: "w1", info: fakeInfo(len(b)), ext: resident(b)}
	return in.scan(testContext, newSpooler(nil), 1<<30)
}

func TestLZ4FrameCutBetweenBlocks(t *testing.T) {
	// The library takes the end of its input between two blocks for the end of
	// the frame.
	stream := large(1, 30_000)
	b := lz4Frames4(stream, lz4.ChecksumOption(false))
	f := &lz4Frame{src: newBuffered(b)}
	var starts []int
	for read := 0; ; {
		if f.left == 0 {
			starts = append(starts, read)
			if f.at == pastEnd {
				break
			}
			if err := f.piece(); err != nil {
				t.Fatal(err)
			}
		}
		n, err := f.Read(make([]byte, f.left))
		if err != nil {
			t.Fatal(err)
		}
		read += n
	}
	if len(starts) < 4 {
		t.Fatalf("only %d pieces", len(starts))
	}
	for _, n := range starts[1 : len(starts)-1] {
		if err := frameWrapped(b[:n]); !errors.Is(err, ErrTruncated) {
			t.Errorf("cut at %d: %v", n, err)
		}
	}
}

func TestDamagedWrappers(t *testing.T) {
	sequential(t)
	stream := sample().MustEncode(arrowtest.Encoding{})
	for name, wrap := range wrappers {
		kind := sniff(wrap(nil))
		b := wrap(stream)
		for at := range b {
			damaged := slices.Clone(b)
			damaged[at] ^= 0x55
			err := frameWrapped(damaged)
			if err != nil && kindOf(err) == err {
				t.Errorf("%s: byte %d changed: %v is of no kind", name, at, err)
			}
			if err != nil {
				continue
			}
			// Some bytes mean nothing (a time in gzip's header, an lz4 offset
			// inside a run of zeros): then the content is what it was.
			u, err := unwrap(kind, newBuffered(damaged))
			if err != nil {
				t.Fatal(err)
			}
			if content, err := io.ReadAll(u); err != nil || !slices.Equal(content, stream) {
				t.Errorf("%s: byte %d changed, and nobody noticed", name, at)
			}
			u.close()
		}
	}
}

func TestWrappedEmptyAndDeep(t *testing.T) {
	for name, wrap := range wrappers {
		if err := frameWrapped(wrap(nil)); !errors.Is(err, ErrEmpty) {
			t.Errorf("nothing in %s: %v", name, err)
		}
		if err := frameWrapped(wrap(wrap(wrap(endMarker)))); !errors.Is(err, ErrForeign) {
			t.Errorf("%s three times: %v", name, err)
		}
		if err := frameWrapped(wrap([]byte("host,minute\n"))); !errors.Is(err, ErrForeign) {
			t.Errorf("CSV in %s: %v", name, err)
		}
	}
}

func TestSkippableFrames(t *testing.T) {
	skip := []byte{0x53, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 'h', 'e', 'l', 'l', 'o'}
	stream := sample().MustEncode(arrowtest.Encoding{})
	for _, name := range []string{"zstd", "lz4"} {
		b := slices.Concat(skip, skip, wrappers[name](stream), skip)
		if err := frameWrapped(b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for n := wordSize; n < 2*len(skip); n++ {
			err := frameWrapped(b[:n])
			if !errors.Is(err, ErrTruncated) && !errors.Is(err, ErrEmpty) && !errors.Is(err, ErrForeign) {
				t.Errorf("%s cut at %d: %v", name, n, err)
			}
		}
	}
}

func TestWrapperBombIsBounded(t *testing.T) {
	sequential(t)
	// A gigabyte of zeros after an end marker is padding: read, never kept.
	b := wrappers["zstd"](append(plain(1).MustEncode(arrowtest.Encoding{}), make([]byte, 64<<20)...))
	allocated := allocatedBy(func() {
		if err := frameWrapped(b); err != nil {
			t.Error(err)
		}
	})
	if allocated > 32<<20 {
		t.Errorf("%d bytes allocated for %d", allocated, len(b))
	}
}
