package ipcread

import (
	"context"
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
	freed chan struct{} // closed at the next release
}

func newInFlight(limit int64) *inFlight {
	return &inFlight{limit: limit, freed: make(chan struct{})}
}

// share is one input's part of it.
type share struct {
	of  *inFlight
	out int64 // bytes of this input's unreleased frames; guarded by of.mu
}

// admit waits until the next body may be read.
func (s *share) admit(ctx context.Context) error {
	b := s.of
	for {
		b.mu.Lock()
		if s.out == 0 || b.used < b.limit {
			b.mu.Unlock()
			return nil
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
	s.of.mu.Unlock()
}

func (s *share) give(n int64) {
	b := s.of
	b.mu.Lock()
	b.used -= n
	s.out -= n
	close(b.freed)
	b.freed = make(chan struct{})
	b.mu.Unlock()
}
