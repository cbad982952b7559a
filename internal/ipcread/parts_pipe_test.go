//go:build unix

package ipcread

import (
	"os"
	"slices"
	"testing"

	"arrowagg/internal/arrowtest"
)

func TestOfPipesOnlyUsedColumnsAreRead(t *testing.T) {
	for what, e := range map[string]arrowtest.Encoding{"plain": {}, "zstd": {Codec: "zstd"}, "file": {File: true}} {
		b := wide(t, e)
		path := write(t, "w1", b)
		for _, columns := range [][]int{{}, {0}, {4, 1}, {3}, {5}, {0, 1, 3, 4, 5}} {
			want, _ := readColumns(t, path, columns, Options{}, false)
			ways := map[string]func() ([]string, Report){
				"pipe": func() ([]string, Report) {
					r, w, err := os.Pipe()
					if err != nil {
						t.Fatal(err)
					}
					defer r.Close()
					go func() { w.Write(b); w.Close() }()
					return readColumns(t, "-", columns, Options{Stdin: r}, true)
				},
				"FIFO": func() ([]string, Report) {
					name := fifo(t, "a")
					go pour(name, b)
					return readColumns(t, name, columns, Options{leastGap: 1}, true)
				},
				"gzip": func() ([]string, Report) {
					return readColumns(t, write(t, "w1.gz", wrappers["gzip"](b)), columns, Options{}, true)
				},
				"unmapped": func() ([]string, Report) { return readColumns(t, path, columns, Options{unmapped: true}, true) },
			}
			for way, of := range ways {
				got, report := of()
				if !slices.Equal(got, want) {
					t.Errorf("%s, %s, columns %v: other values", what, way, columns)
				}
				if way != "gzip" && report.Bytes != int64(len(b)) {
					t.Errorf("%s, %s, columns %v: %d bytes of %d", what, way, columns, report.Bytes, len(b))
				}
			}
		}
	}
}
