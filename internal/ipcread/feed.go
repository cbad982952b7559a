package ipcread

import (
	"context"
	"errors"
	"io"
	"math"
	"sync"
)

// outlet is where frames go, and who wants to hear of streams that were not
// known before.
type outlet struct {
	frames chan<- *Frame
	mu     sync.Mutex // late is called once at a time
	late   func(*Stream) error
}

// feeder walks over one input once and sends its frames.
type feeder struct {
	set *Set
	in  *input
	ctx context.Context

	number int // of the stream
	stream *Stream
	dicts  *Dictionaries
	rows   int64 // of the input so far
	batch  int64
	reads  bool // bodies are read into memory
	layout layout
	parts  parts // memory for those of a body
	once   bool  // a dictionary is defined once and then only grows

	kept  int64           // bytes of the stream's dictionary messages in memory
	keeps map[int64]int64 // those of each id

	reclaim *reclaimer // nil: pages are kept
}

// feed sends the input's frames in order.
func (s *Set) feed(ctx context.Context, in *input) error {
	c, err := in.open(ctx, s.spooler)
	if err != nil {
		return err
	}
	defer c.close()
	f := &feeder{set: s, in: in, ctx: ctx, reads: !c.inPlace(), once: c.file != nil}
	if s.reclaims && in.ext != nil && in.direct {
		f.reclaim = &reclaimer{ext: in.ext.(resident)}
		defer f.reclaim.leave()
	}
	o := walkOptions{maxBody: s.opt.maxBody()}
	if f.reads {
		o.reserve = f.reserve
	}
	w, err := in.walk(c, o)
	if err != nil {
		return err
	}
	for {
		p, err := w.next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = f.step(p)
		}
		if err != nil {
			return err
		}
	}
}

// reserve waits until the body of p may be read, and says what of it is wanted.
func (f *feeder) reserve(p *step) ([]byte, error) {
	if err := f.in.share.admit(f.ctx); err != nil {
		return nil, err
	}
	p.wanted = f.wanted(p)
	return f.set.inFlight.reuse(p.msg.BodyLength), nil
}

// wanted are the parts of a body that its stream's used columns lie in: all of
// it as long as nobody can have said which those are, and where the message is
// not what its schema says, which is for the decoder to tell.
func (f *feeder) wanted(p *step) parts {
	select {
	case <-f.set.gate:
	default:
		return nil
	}
	if f.stream.used == nil {
		return nil
	}
	b := f.framed(*p)
	if f.layout.lay(&b, f.stream.parsed.Total) != nil {
		return nil
	}
	f.parts = f.layout.partsOf(&b, f.stream.used, f.parts, f.set.opt.leastGap)
	return f.parts
}

// step does what a step asks for.
func (f *feeder) step(p step) error {
	if f.in.isPipe() {
		if err := f.in.count(p); err != nil {
			return err
		}
	}
	switch p.kind {
	case stepSchema:
		return f.begin(p)
	case stepDictionary:
		return f.define(p)
	case stepBatch:
		return f.send(p)
	}
	return nil
}

// define takes a dictionary message. Its bytes stay with those who use it.
func (f *feeder) define(p step) error {
	id, delta := p.msg.Dictionary()
	if f.once && !delta && f.dicts.has(f.stream.parsed, id) {
		return f.fail(p, faultf(ErrCorrupt, "a second dictionary with id %d, which the file format does not allow", id))
	}
	if err := f.keep(id, delta, int64(len(p.body))); err != nil {
		return f.fail(p, err)
	}
	b := f.framed(p)
	b.dicts = nil
	dicts, err := f.dicts.with(b, p.offset)
	if err != nil {
		return f.fail(p, err)
	}
	f.dicts = dicts
	return nil
}

// keep bounds what dictionaries that came through a pipe take: their messages
// stay in memory until others replace them.
func (f *feeder) keep(id int64, delta bool, n int64) error {
	if !f.reads {
		return nil
	}
	if !delta {
		f.kept -= f.keeps[id]
		f.keeps[id] = 0
	}
	f.kept += n
	f.keeps[id] += n
	if limit := f.set.opt.Scratch; f.kept > limit {
		return faultf(ErrLimit, "dictionaries of more than %d bytes", limit).
			withHint("raise --max-buffer, or save the input to a file")
	}
	return nil
}

// begin enters a stream.
func (f *feeder) begin(p step) error {
	f.number++
	f.batch = 0
	f.kept, f.keeps = 0, map[int64]int64{}
	st, isNew, err := f.in.stream(f.number, p)
	if err != nil {
		return err
	}
	f.stream = st
	f.dicts = nil
	if !isNew {
		return nil
	}
	if f.number == 1 {
		close(f.in.begun)
	}
	if !f.set.isLate(st) {
		return nil
	}
	out, err := f.outlet()
	if err != nil {
		return err
	}
	out.mu.Lock()
	defer out.mu.Unlock()
	if err := out.late(st); err != nil {
		return &refusal{err, p.offset}
	}
	return nil
}

// outlet waits until there is one.
func (f *feeder) outlet() (*outlet, error) {
	select {
	case <-f.set.gate:
		return f.set.out, nil
	case <-f.ctx.Done():
		return nil, f.ctx.Err()
	}
}

// framed is the step with what its decoder needs.
func (f *feeder) framed(p step) framedBatch {
	return framedBatch{msg: p.msg, body: p.body, schema: f.stream.parsed, dicts: f.dicts}
}

// send cuts a batch into morsels and sends them.
func (f *feeder) send(p step) error {
	f.batch++
	b := f.framed(p)
	total := p.msg.Rows()
	first := f.rows
	f.rows += total
	if f.set.rows.Add(total) < 0 {
		return f.fail(p, faultf(ErrLimit, "more than %d rows in all inputs together", math.MaxInt64))
	}
	out, err := f.outlet()
	if err != nil {
		return err
	}
	n := b.morsels()
	h := f.hold(n, p)
	for i := range n {
		frame := spareFrames.Get().(*Frame)
		*frame = Frame{
			Stream: f.stream, Batch: f.batch, Offset: p.offset, FirstRow: first,
			Row: i * morselRows, Rows: total, framedBatch: b, hold: h,
		}
		if n > 1 {
			frame.Rows = min(morselRows, total-frame.Row)
		}
		select {
		case out.frames <- frame:
		case <-f.ctx.Done():
			for ; h != nil && i < n; i++ {
				h.release()
			}
			return f.ctx.Err()
		}
	}
	return nil
}

// hold is what the batch's morsels hold together: memory that is counted as in
// flight, or the pages of a large mapping.
func (f *feeder) hold(morsels int64, p step) *hold {
	switch {
	case f.reads:
		body, bytes := p.body, int64(len(p.body))
		f.in.share.take(bytes)
		h := &hold{free: func() {
			f.in.share.give(bytes)
			f.set.inFlight.recycle(body)
		}}
		h.morsels.Store(morsels)
		return h
	case f.reclaim != nil:
		return f.reclaim.hold(morsels, p.offset)
	}
	return nil
}

func (f *feeder) fail(p step, cause error) error {
	e := &Error{
		Input: f.in.name, Stream: f.number, Offset: p.offset, Cause: cause,
	}
	var c *columnError
	if errors.As(cause, &c) {
		e.Column, e.Cause = c.column, c.cause
	}
	return e
}
