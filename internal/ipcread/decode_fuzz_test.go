package ipcread

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
)

// FuzzDecode: whatever the bytes are, decoding ends, in an error or in arrays
// whose every value can be read, in memory proportional to the input.
func FuzzDecode(f *testing.F) {
	for _, pattern := range []string{
		"../../testdata/*/*.arrows", corpus + "/hostile/*", corpus + "/made/*", corpus + "/fuzzfound/*",
	} {
		paths, _ := filepath.Glob(pattern)
		for _, path := range paths {
			if b, err := os.ReadFile(path); err == nil && len(b) < 64<<10 {
				f.Add(b)
			}
		}
	}
	g := gen{rand.New(rand.NewPCG(9, 10))}
	for _, options := range codecs {
		for range 5 {
			b, _ := g.stream(options...)
			f.Add(b)
		}
	}
	for _, value := range flatTypes {
		f.Add(dictionaryStream(value, g.dictionaries(value)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		batches, _ := framed(b)
		shared := newDecoding(Options{MaxBuffer: 1 << 20, Scratch: 8 << 20}.withDefaults())
		shared.contents = true
		d := newDecoder(shared)
		for i := range batches {
			f := &batches[i]
			rows := f.msg.Rows()
			for j, column := range everyColumn(f.schema) {
				first := rows / 3
				for _, r := range [][2]int64{{0, rows}, {first, rows - first}} {
					columns := []int{column}
					arrays, err := d.decode(f, r[0], r[1], columns)
					if err != nil || arrays[0] == nil || r[1] > 1e5 {
						continue
					}
					a := array.MakeFromData(arrays[0])
					if int64(a.Len()) != r[1] {
						t.Fatalf("column %d: %d rows, want %d", j, a.Len(), r[1])
					}
					cells(a)
					if err := promised(a); err != nil {
						t.Fatal(err)
					}
					a.Release()
				}
			}
		}
	})
}
