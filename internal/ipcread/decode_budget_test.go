package ipcread

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/arrowtest"
)

// rowsLike is a stream of n rows, in batches of size.
func rowsLike(n, size int) *arrowtest.Stream {
	var text strings.Builder
	text.WriteString("k utf8 | v_sum int64\n")
	for i := range n {
		fmt.Fprintf(&text, "key %d | %d\n", i, i)
	}
	return arrowtest.Must(text.String()).Recut(size)
}

// Decoders that together would take too much take turns, however many there
// are, and all rows come through.
func TestDecodersTakeTurns(t *testing.T) {
	path := write(t, "w1", rowsLike(4000, 100).MustEncode(arrowtest.Encoding{Codec: "zstd"}))
	s, err := Open(testContext, []string{path}, Options{Together: 1000, Scratch: 8000})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	frames := make(chan *Frame)
	go func() {
		defer close(frames)
		if err := s.Produce(testContext, frames, nil); err != nil {
			t.Error(err)
		}
	}()
	var decoders sync.WaitGroup
	var rows, most atomic.Int64
	for range 16 {
		decoders.Go(func() {
			d := s.NewDecoder()
			for f := range frames {
				if _, err := d.Decode(f, []int{0, 1}); err != nil {
					s.Fail(f, err)
				}
				for taken := d.lease.budget.taken.Load(); taken > most.Load(); {
					most.Store(taken)
				}
				rows.Add(f.Rows)
				f.Release()
				runtime.Gosched()
				d.Rest()
			}
		})
	}
	decoders.Wait()
	if err := s.Verify(); err != nil {
		t.Error(err)
	}
	if rows.Load() != 4000 || most.Load() <= 1000 {
		t.Errorf("%d rows, at most %d bytes: the decoders never took turns", rows.Load(), most.Load())
	}
}

// One batch that is too large by itself is refused; the decoder's turn ends.
func TestTooLargeABatchIsRefused(t *testing.T) {
	path := write(t, "w1", rowsLike(400, 400).MustEncode(arrowtest.Encoding{Codec: "lz4"}))
	for range 3 {
		_, err := read([]string{path}, Options{Together: 100, Scratch: 4000})
		var f *fault
		if !errors.Is(err, ErrLimit) || !errors.As(err, &f) || !strings.Contains(f.hint, "--memory-limit") {
			t.Errorf("error %v", err)
		}
	}
}

// Dictionaries that others have replaced are no reason to refuse one.
func TestReplacedDictionariesMakeRoom(t *testing.T) {
	s := rowsLike(3000, 100).Retype(arrowtest.ToDictionary(arrow.PrimitiveTypes.Int32))
	path := write(t, "w1", s.MustEncode(arrowtest.Encoding{Codec: "lz4"}))
	r, err := read([]string{path}, Options{Scratch: 40_000})
	if err != nil || len(r.rows) != 3000 {
		t.Errorf("%d rows, %v", len(r.rows), err)
	}
}
