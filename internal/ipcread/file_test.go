package ipcread

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"arrowagg/internal/arrowtest"
	"arrowagg/internal/ipcmeta"
	"arrowagg/internal/tempfile"
)

// scanFile walks a file-format input without its bodies.
func scanFile(b []byte) error {
	in := &input{name: "w1", info: fakeInfo(len(b)), ext: resident(b)}
	return in.scan(testContext, newSpooler(nil), 1<<30)
}

func TestFileFormat(t *testing.T) {
	for name, e := range map[string]arrowtest.Encoding{
		"plain": {File: true}, "lz4": {File: true, Codec: "lz4"},
		"zstd": {File: true, Codec: "zstd"},
	} {
		t.Run(name, func(t *testing.T) {
			b := sample().MustEncode(e)
			path := write(t, "w1.csv", b)
			for _, opt := range []Options{{}, {unmapped: true}} {
				r, err := read([]string{path}, opt)
				wantRows(t, r, err, rowsOf(sample()))
				if got := r.reports[0]; got.Format != "file" || got.Batches != 3 || got.Rows != 5 || got.Streams != 1 {
					t.Errorf("report %+v", got)
				}
			}
			r, err := read([]string{"-"}, Options{Stdin: piped(t, b)})
			wantRows(t, r, err, rowsOf(sample()))
			if got := r.reports[0]; got.Format != "file" || got.Bytes != int64(len(b)) {
				t.Errorf("report from a pipe %+v", got)
			}
		})
	}
}

func TestFileTruncationAtEveryByte(t *testing.T) {
	b := sample().MustEncode(arrowtest.Encoding{File: true})
	for n := 1; n < len(b); n++ {
		err := scanFile(b[:n])
		if !errors.Is(err, ErrTruncated) && !(n < len(fileMagic) && errors.Is(err, ErrForeign)) {
			t.Fatalf("cut at %d of %d: %v", n, len(b), err)
		}
	}
}

func TestFileDamagedAtEveryByteOfItsFooter(t *testing.T) {
	// Whatever a footer says, what it lists is inside the file and listed once.
	b := sample().MustEncode(arrowtest.Encoding{File: true})
	footer := int(binary.LittleEndian.Uint32(b[len(b)-fileTail:]))
	for at := len(b) - fileTail - footer; at < len(b); at++ {
		for _, flip := range []byte{1, 0x80, 0xff} {
			damaged := slices.Clone(b)
			damaged[at] ^= flip
			if err := scanFile(damaged); err != nil && kindOf(err) == err {
				t.Errorf("byte %d: %v is of no kind", at, err)
			}
		}
	}
}

func TestFilesInARow(t *testing.T) {
	// The footer of the last file lists places that are the first file's.
	b := sample().MustEncode(arrowtest.Encoding{File: true})
	err := scanFile(slices.Concat(b, b))
	wantError(t, err, ErrCorrupt)
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(e.HintText(), "one by one") {
		t.Errorf("no hint: %v", err)
	}
	wantError(t, scanFile(append(slices.Clone(b), '\n')), ErrCorrupt)
	wantError(t, scanFile(append(slices.Clone(b), plain(1).MustEncode(arrowtest.Encoding{})...)), ErrCorrupt)
}

func TestFileWithoutBatches(t *testing.T) {
	b := arrowtest.Must("k utf8 | v_sum int64").MustEncode(arrowtest.Encoding{File: true})
	if err := scanFile(b); err != nil {
		t.Error(err)
	}
}

// footerOf finds a file's footer and its blocks.
func footerOf(t *testing.T, b []byte) (at int, footer *ipcmeta.Footer) {
	t.Helper()
	length := int(binary.LittleEndian.Uint32(b[len(b)-fileTail:]))
	at = len(b) - fileTail - length
	footer, err := ipcmeta.ParseFooter(b[at : at+length])
	if err != nil {
		t.Fatal(err)
	}
	return at, footer
}

// setBlock overwrites the footer's entry for one block with another.
func setBlock(t *testing.T, b []byte, from, to ipcmeta.Block) {
	t.Helper()
	at, _ := footerOf(t, b)
	i := strings.Index(string(b[at:]), string(blockBytes(from)))
	if i < 0 {
		t.Fatal("no such block in the footer")
	}
	copy(b[at+i:], blockBytes(to))
}

func blockBytes(b ipcmeta.Block) []byte {
	var e [24]byte
	binary.LittleEndian.PutUint64(e[:], uint64(b.Offset))
	binary.LittleEndian.PutUint32(e[8:], uint32(b.MetaLength))
	binary.LittleEndian.PutUint64(e[16:], uint64(b.BodyLength))
	return e[:]
}

func TestBlocksThatLie(t *testing.T) {
	good := sample().MustEncode(arrowtest.Encoding{File: true})
	at, footer := footerOf(t, good)
	first, second := footer.Batches[0], footer.Batches[1]
	for name, bad := range map[string]ipcmeta.Block{
		"the same message twice": second,
		"in the head":            {Offset: 0, MetaLength: first.MetaLength, BodyLength: first.BodyLength},
		"past the footer":        {Offset: int64(at), MetaLength: 8, BodyLength: 0},
		"body over the footer":   {Offset: first.Offset, MetaLength: first.MetaLength, BodyLength: int64(at)},
		"body past everything":   {Offset: first.Offset, MetaLength: first.MetaLength, BodyLength: 1 << 62},
		"too short for a prefix": {Offset: first.Offset, MetaLength: 4, BodyLength: first.BodyLength},
		"another body length":    {Offset: first.Offset, MetaLength: first.MetaLength, BodyLength: first.BodyLength - 8},
		"metadata cut":           {Offset: first.Offset, MetaLength: first.MetaLength - 8, BodyLength: first.BodyLength},
		"a dictionary":           {Offset: footer.Dictionaries[0].Offset, MetaLength: footer.Dictionaries[0].MetaLength},
	} {
		t.Run(name, func(t *testing.T) {
			b := slices.Clone(good)
			setBlock(t, b, first, bad)
			wantError(t, scanFile(b), ErrCorrupt)
		})
	}
}

// fileOf puts the messages of a stream into an IPC file whose footer lists the
// dictionaries in the order that reorder makes of them. (arrow-go's writer
// knows no deltas in files.)
func fileOf(t *testing.T, s *arrowtest.Stream, stream []byte, reorder func([]ipcmeta.Block)) []byte {
	t.Helper()
	b := append([]byte(fileMagic), 0, 0)
	var dictionaries, batches []ipcmeta.Block
	for _, m := range messages(t, stream) {
		block := ipcmeta.Block{
			Offset: int64(len(b)), MetaLength: int32(m.body - m.from), BodyLength: int64(m.to - m.body),
		}
		b = append(b, stream[m.from:m.to]...)
		msg, err := ipcmeta.ParseMessage(stream[m.metadata:m.body])
		if err != nil {
			t.Fatal(err)
		}
		switch msg.Kind {
		case ipcmeta.KindDictionary:
			dictionaries = append(dictionaries, block)
		case ipcmeta.KindBatch:
			batches = append(batches, block)
		}
	}
	b = append(b, endMarker...)
	reorder(dictionaries)
	footer := newFooter(t, s, dictionaries, batches)
	b = append(b, footer...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(footer)))
	return append(b, fileMagic...)
}

// newFooter is a footer with those blocks. Its schema is that of an empty file
// by arrow-go, which stands whole behind the new table: offsets lead forward
// and are relative.
func newFooter(t *testing.T, s *arrowtest.Stream, dictionaries, batches []ipcmeta.Block) []byte {
	t.Helper()
	empty, err := (&arrowtest.Stream{Fields: s.Fields, Metadata: s.Metadata}).Encode(arrowtest.Encoding{File: true})
	if err != nil {
		t.Fatal(err)
	}
	at, _ := footerOf(t, empty)
	old := empty[at : len(empty)-fileTail]
	le := binary.LittleEndian
	root := int(le.Uint32(old))
	vtable := root - int(int32(le.Uint32(old[root:])))
	field := root + int(le.Uint16(old[vtable+4+2:]))
	schema := field + int(le.Uint32(old[field:]))

	const table = 16
	b := make([]byte, table+20)
	le.PutUint32(b, table)
	copy(b[4:], []byte{12, 0, 20, 0, 4, 0, 8, 0, 12, 0, 16, 0}) // vtable: version, schema, two vectors
	le.PutUint32(b[table:], table-4)
	le.PutUint16(b[table+4:], uint16(ipcmeta.V5))
	for i, blocks := range [][]ipcmeta.Block{dictionaries, batches} {
		for len(b)%8 != 4 {
			b = append(b, 0)
		}
		entry := table + 12 + 4*i
		le.PutUint32(b[entry:], uint32(len(b)-entry))
		b = le.AppendUint32(b, uint32(len(blocks)))
		for _, block := range blocks {
			b = append(b, blockBytes(block)...)
		}
	}
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	le.PutUint32(b[table+8:], uint32(len(b)+schema-(table+8)))
	return append(b, old...)
}

func TestDictionariesInAnyOrder(t *testing.T) {
	s := arrowtest.Must(`
a dictionary<int8, utf8> | b dictionary<int8, utf8> | v int64
x | p | 1
---
y | q | 2
---
z | p | 4
`).GrowingDictionaries()
	stream := s.MustEncode(arrowtest.Encoding{Deltas: true})
	for name, reorder := range map[string]func([]ipcmeta.Block){
		"as written": func([]ipcmeta.Block) {},
		// The deltas of one dictionary stay in their order.
		"the second base last": func(b []ipcmeta.Block) { copy(b[1:], append(slices.Clone(b[2:]), b[1])) },
		"deltas first":         func(b []ipcmeta.Block) { copy(b, append(slices.Clone(b[2:]), b[:2]...)) },
	} {
		t.Run(name, func(t *testing.T) {
			b := fileOf(t, s, stream, reorder)
			r, err := read([]string{write(t, "w1.arrow", b)}, Options{})
			wantRows(t, r, err, rowsOf(s))
		})
	}
}

func TestReplacedDictionaryInAFile(t *testing.T) {
	s := sample()
	stream := s.MustEncode(arrowtest.Encoding{}) // replaces the dictionary with every batch
	b := fileOf(t, s, stream, func([]ipcmeta.Block) {})
	_, err := read([]string{write(t, "w1.arrow", b)}, Options{})
	wantError(t, err, ErrCorrupt)
	if !strings.Contains(err.Error(), "a second dictionary") {
		t.Error(err)
	}
}

func TestFileThatIsSpooled(t *testing.T) {
	b := append([]byte(fileMagic), large(1, 20_000)...)
	dir := t.TempDir()
	sp := newSpooler(tempfile.In(dir))
	sp.room.Store(100 << 10) // less than the input
	kept, err := sp.keep(testContext, newBuffered(b))
	if err != nil {
		t.Fatal(err)
	}
	got, err := kept.bytes(0, kept.size())
	if err != nil || !slices.Equal(got, b) {
		t.Errorf("kept %d bytes of %d: %v", kept.size(), len(b), err)
	}
	if sp.room.Load() != 100<<10 {
		t.Errorf("%d bytes of memory are not given back", 100<<10-sp.room.Load())
	}
	wantEmptyDir(t, dir)
	sp.close()
}

func TestSpoolerSharesItsMemory(t *testing.T) {
	dir := t.TempDir()
	sp := newSpooler(tempfile.In(dir))
	sp.room.Store(256 << 10)
	for range 3 {
		b := make([]byte, 150<<10)
		kept, err := sp.keep(testContext, newBuffered(b))
		if err != nil || kept.size() != int64(len(b)) {
			t.Fatalf("kept %v, %v", kept, err)
		}
	}
	sp.close()
	wantEmptyDir(t, dir)
}

func TestNoTempDir(t *testing.T) {
	sp := newSpooler(tempfile.In(t.TempDir() + "/missing"))
	sp.room.Store(0)
	_, err := sp.keep(testContext, newBuffered([]byte("ARROW1")))
	wantError(t, err, ErrTempDir)
	if e := (&Error{Cause: err}); !e.Limit() {
		t.Error("no room for temporary files is a limit")
	}
}
