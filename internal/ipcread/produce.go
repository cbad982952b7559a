package ipcread

import (
	"context"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// Produce sends every frame of every input, Repeat times, and returns when all
// is sent or ctx is done. It does not close the channel. late is called before the
// first frame of a stream that Streams did not have; it is not called by two
// goroutines at once, but while frames of other streams are under way.
//
// An input that turns out to be bad, or whose stream late refuses, ends by
// itself: the others are read on. What is wrong with all of them Produce returns
// together, as far as it is known then; Verify, after the last frame, knows all.
func (s *Set) Produce(ctx context.Context, frames chan<- *Frame, late func(*Stream) error) error {
	defer context.AfterFunc(ctx, s.cancel)()
	s.letPipes(&outlet{frames: frames, late: late})
	var wg sync.WaitGroup
	wg.Go(s.feedMapped)
	s.feedRead(&wg)
	wg.Wait()
	s.pipes.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return s.stop()
}

// feedMapped sends the frames of inputs in memory, one input after the other:
// framing is so cheap that workers are never kept waiting by it.
func (s *Set) feedMapped() {
	for range s.opt.Repeat {
		for _, in := range s.inputs {
			if s.takes(in) && !in.isPipe() && in.direct && in.problem() == nil && s.ctx.Err() == nil {
				s.feedRegular(in)
			}
		}
	}
}

// feedRead sends the frames of regular files that have to be read or unwrapped,
// some of them at once.
func (s *Set) feedRead(wg *sync.WaitGroup) {
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	wg.Go(func() {
		for _, in := range s.inputs {
			if !s.takes(in) || in.isPipe() || in.direct || in.problem() != nil {
				continue
			}
			room <- struct{}{}
			wg.Go(func() {
				defer func() { <-room }()
				for range s.opt.Repeat {
					if in.problem() == nil && s.ctx.Err() == nil {
						s.feedRegular(in)
					}
				}
			})
		}
	})
}

func (s *Set) feedRegular(in *input) {
	if err := s.guarded(func() error { return s.feed(s.ctx, in) }); err != nil {
		s.failInput(in, err)
	}
}

// startPipes begins to read all pipes. Each reads ahead no further than to its
// first batch until Produce is called.
func (s *Set) startPipes() {
	s.started = true
	for i, in := range s.inputs {
		if !in.isPipe() {
			continue
		}
		if in.problem() != nil {
			in.pipe.Close()
			close(in.ended)
			continue
		}
		if i > 0 && s.inputs[0].isPipe() {
			a := newAhead(in.pipe, s.spooler, s.gate)
			in.pipe = a
			s.fills.Go(a.fill)
		}
		s.pipes.Go(func() {
			defer close(in.ended)
			defer in.pipe.Close()
			if err := s.feed(s.ctx, in); err != nil {
				s.failInput(in, err)
			}
		})
	}
}

// countedPipe counts what is read of a pipe, or skipped.
func countedPipe(in *input) io.Reader { return &counted{r: in.pipe, n: &in.read} }

type counted struct {
	r io.Reader
	n *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

func (c *counted) skip(n int64) (int64, error) {
	n, err := skipIn(c.r, n)
	c.n.Add(n)
	return n, err
}
