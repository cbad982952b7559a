package ipcread

import (
	"os"
	"testing"
)

// Framing must cost next to nothing beside decoding: batches=many measures the
// cost of a batch, batches=large that of bytes that come through a pipe.

func BenchmarkProduce(b *testing.B) {
	for _, c := range []struct {
		name          string
		batches, rows int
	}{
		{"batches=many", 10_000, 100},
		{"batches=large", 100, 50_000},
	} {
		stream := large(c.batches, c.rows)
		path := write(b, "w1", stream)
		b.Run(c.name+"/from=file", func(b *testing.B) {
			b.SetBytes(int64(len(stream)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := countRows([]string{path}, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/from=pipe", func(b *testing.B) {
			b.SetBytes(int64(len(stream)))
			b.ReportAllocs()
			for b.Loop() {
				r, w, err := os.Pipe()
				if err != nil {
					b.Fatal(err)
				}
				go func() {
					w.Write(stream)
					w.Close()
				}()
				if _, err := countRows([]string{"-"}, Options{Stdin: r}); err != nil {
					b.Fatal(err)
				}
				r.Close()
			}
		})
	}
}
