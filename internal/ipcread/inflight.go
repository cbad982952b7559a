package ipcread

import (
	"context"
	"slices"
	"sync"
)

// inFlight bounds the bytes of frames that were read into memory and are not
// released.
//
// Each input that reads into memory has a share of it. An input may read its
// next body while the bound is not reached, or while it has nothing out itself.
// So every input always gets on with one batch, and a writer who fills one FIFO
// to the end before it opens the next is not waited for in vain; the price is
// that up to the bound and one batch for every such input are really held.
type inFlight struct {
	limit int64

	mu    sync.Mutex
	used  int64
	freed chan struct{} // closed at the next release; nil: nobody waits for it

	spare  [][]byte // memory of released bodies, to be used again
	spared int64    // bytes of it
}

func newInFlight(limit int64) *inFlight {
	return &inFlight{limit: limit}
}

// share is one input's part of it.
type share struct {
	of *inFlight

	// of this input's unreleased frames, guarded by of.mu
	out     int64 // bytes
	batches int
}

// readAhead is how many bytes of one input are read ahead of those who work on
// them, and one batch is whatever its size. More would not keep them any busier,
// but take memory that the system has to clear, and leave the caches.
const readAhead = 16 << 20

// admit waits until the next body may be read.
func (s *share) admit(ctx context.Context) error {
	b := s.of
	for {
		b.mu.Lock()
		if s.out == 0 || b.used < b.limit && (s.out < readAhead || s.batches < 2) {
			b.mu.Unlock()
			return nil
		}
		if b.freed == nil {
			b.freed = make(chan struct{})
		}
		freed := b.freed
		b.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// take counts n bytes that were read; give gives them back.
func (s *share) take(n int64) {
	s.of.mu.Lock()
	s.of.used += n
	s.out += n
	s.batches++
	s.of.mu.Unlock()
}

func (s *share) give(n int64) {
	b := s.of
	b.mu.Lock()
	b.used -= n
	s.out -= n
	s.batches--
	if b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
	b.mu.Unlock()
}

// spares is how many released bodies are kept, of readAhead bytes in all, or one
// for each of two batches under way: without them the system hands out and
// clears pages for every byte that comes through a pipe.
const spares = 128

// recycle keeps the memory of a body that nobody refers to any more, if there
// is room for it beside what is used.
func (f *inFlight) recycle(body []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spare = append(f.spare, body[:0])
	f.spared += int64(cap(body))
	for len(f.spare) > 0 && (len(f.spare) > spares || len(f.spare) > 2 && f.spared > readAhead ||
		f.used+f.spared > f.limit) {
		f.unspare(0)
	}
}

// reuse returns memory for n bytes, or nil: none that is much too large, which
// would keep it from where it is needed.
func (f *inFlight) reuse(n int64) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := len(f.spare) - 1; i >= 0; i-- {
		if have := int64(cap(f.spare[i])); have >= n && have <= 2*n {
			return f.unspare(i)
		}
	}
	return nil
}

func (f *inFlight) unspare(i int) []byte {
	b := f.spare[i]
	f.spare = slices.Delete(f.spare, i, i+1)
	f.spared -= int64(cap(b))
	return b
}
