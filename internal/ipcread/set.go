package ipcread

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"arrowagg/internal/warning"
)

// Set is the inputs of one run, opened. Open, Produce, Verify and Close are
// called in this order, each once; everything else at any time in between.
type Set struct {
	opt       Options
	keepGoing bool // a bad input ends only itself

	ctx       context.Context // of everything that reads pipes
	cancel    context.CancelFunc
	interrupt *interrupt
	inFlight  *inFlight
	spooler   *spooler
	decoding  *decoding

	inputs   []*input
	stdin    bool // one of them is standard input
	mappings []mapping
	reclaims bool // pages of the mappings are given back as the run goes on
	files    identities
	found    []warning.Warning // of no single input

	started bool           // pipes are read, and closed by their readers
	pipes   sync.WaitGroup // those readers
	fills   sync.WaitGroup // those who read them ahead
	gate    chan struct{}  // closed when out is set
	out     *outlet
	rows    atomic.Int64 // of all frames
}

// Open opens all inputs in the order given ("-" is standard input). Regular
// files are mapped, framed to their end and checked for completeness; for
// pipes the first schema of the first input listed is awaited. What is wrong
// with several inputs is reported together, an errors.Join of *Error.
func Open(ctx context.Context, names []string, opt Options) (*Set, error) {
	return open(ctx, names, opt, false)
}

func open(ctx context.Context, names []string, opt Options, keepGoing bool) (*Set, error) {
	opt = opt.withDefaults()
	s := &Set{
		opt: opt, keepGoing: keepGoing,
		inFlight: newInFlight(opt.InFlight),
		spooler:  newSpooler(opt.TempDir),
		decoding: newDecoding(opt),
		gate:     make(chan struct{}),
	}
	s.decoding.contents = keepGoing // a check looks at all of it
	interrupt, err := newInterrupt()
	if err != nil {
		return nil, err
	}
	s.interrupt = interrupt
	s.ctx, s.cancel = context.WithCancel(ctx)
	context.AfterFunc(s.ctx, interrupt.fire)

	for i, name := range names {
		in, err := s.openInput(i, name)
		s.inputs = append(s.inputs, in)
		if err == nil && in.isPipe() && opt.Repeat > 1 {
			err = errOnce
		}
		if err == nil && in.isPipe() && opt.Takes != nil {
			err = errShared
		}
		if err != nil {
			in.fail(in.err(err))
		}
	}
	s.checkTwice()
	s.reclaims = mapped(s.mappings) >= s.opt.reclaimFrom
	s.scanAll()
	if err := s.stop(); err != nil {
		return nil, s.abandon(err)
	}
	s.startPipes()
	if err := s.awaitFirst(); err != nil {
		return nil, s.abandon(err)
	}
	return s, nil
}

// stop is the reason not to go on, if there is one.
func (s *Set) stop() error {
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	if s.keepGoing {
		return nil
	}
	return s.problems()
}

func (s *Set) abandon(err error) error {
	s.Close()
	return err
}

// problems joins what is wrong with the inputs, in the order of the inputs.
func (s *Set) problems() error {
	var errs []error
	for _, in := range s.inputs {
		errs = append(errs, in.problems()...)
	}
	return errors.Join(crowded(errs)...)
}

// scanAll walks all regular files, a few at a time: cold ones wait for the
// disk, wrapped ones for the processor.
func (s *Set) scanAll() {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, in := range s.inputs {
		if in.info == nil || in.problem() != nil {
			continue
		}
		g.Go(func() error {
			if err := s.guarded(func() error { return in.scan(s.ctx, s.spooler, s.opt.maxBody()) }); err != nil {
				s.failInput(in, err)
			}
			return nil
		})
	}
	g.Wait()
}

// failInput records why an input's walk ended, unless it is that nobody wants
// the rest.
func (s *Set) failInput(in *input, err error) {
	var r *refusal
	switch {
	case s.ctx.Err() != nil:
	case errors.As(err, &r):
		in.refuse(r)
	default:
		in.fail(in.err(err))
		in.checkChanged()
	}
}

// awaitFirst waits until the plan can be bound: the first input listed is what
// binds it, also if it is a pipe. If that is bad, the other pipes are read all
// the same, to say what is wrong with them too.
func (s *Set) awaitFirst() error {
	if len(s.inputs) == 0 || !s.inputs[0].isPipe() {
		return nil
	}
	first := s.inputs[0]
	select {
	case <-first.begun:
		return nil
	case <-first.ended:
	case <-s.ctx.Done():
		return context.Cause(s.ctx)
	}
	if s.keepGoing || len(first.known()) > 0 {
		return nil
	}
	frames := make(chan *Frame)
	go func() {
		for f := range frames {
			f.Release()
		}
	}()
	defer close(frames)
	s.letPipes(&outlet{frames: frames, late: func(*Stream) error { return nil }})
	s.pipes.Wait()
	return s.stop()
}

// letPipes lets what is read from pipes go to where frames are consumed.
func (s *Set) letPipes(to *outlet) {
	s.out = to
	close(s.gate)
}

// Streams returns the streams that a plan can be bound to, in the order of the
// inputs: those of all regular files, and the first one of the first input
// listed. Others come from pipes, and when is chance: Produce tells them.
func (s *Set) Streams() []*Stream {
	var list []*Stream
	for i, in := range s.inputs {
		known := in.known()
		switch {
		case !in.isPipe():
			list = append(list, known...)
		case i == 0 && len(known) > 0:
			list = append(list, known[0])
		}
	}
	return list
}

// isLate says that Streams does not have it.
func (s *Set) isLate(st *Stream) bool {
	in := s.inputs[st.Position]
	return in.isPipe() && (st.Position > 0 || st.Number > 1)
}

// NewDecoder returns a decoder for one goroutine, which calls Rest when it has
// released a frame.
func (s *Set) NewDecoder() *Decoder {
	d := newDecoder(s.decoding)
	d.lease.waits = true
	return d
}

// Fail records that decoding or using a frame failed. The run may go on, to
// find what else is wrong; Verify returns what was recorded. An error that is no
// *Error has to say itself where it happened.
func (s *Set) Fail(f *Frame, err error) {
	in := s.inputs[f.Stream.Position]
	var e *Error
	switch {
	case s.ctx.Err() != nil:
	case errors.As(err, &e):
		in.fail(e)
		in.checkChanged()
	default:
		in.refuse(&refusal{err, f.Offset})
	}
}

// Verify is called when all frames are released: it returns what is wrong with
// the inputs, files that changed while they were read among it.
func (s *Set) Verify() error {
	for _, in := range s.inputs {
		in.checkChanged()
	}
	return s.problems()
}

// Warnings returns what was found so far.
func (s *Set) Warnings() []warning.Warning {
	list := append([]warning.Warning(nil), s.found...)
	for _, in := range s.inputs {
		if !s.takes(in) {
			continue
		}
		in.mu.Lock()
		if in.openEnd {
			list = append(list, warning.Warning{ID: "no-end-marker", Subject: in.name})
		}
		in.mu.Unlock()
	}
	return list
}

// Close gives everything back. No frame may be in use any more. Pipes that are
// still being read are left.
func (s *Set) Close() error {
	s.cancel()
	s.interrupt.fire()
	s.pipes.Wait()
	s.fills.Wait()
	s.interrupt.close()
	for _, in := range s.inputs {
		if in.file != nil {
			in.file.Close()
		}
		if in.pipe != nil && !s.started {
			in.pipe.Close()
		}
	}
	for _, m := range s.mappings {
		m.unmap()
	}
	s.mappings = nil
	s.spooler.close()
	return nil
}
