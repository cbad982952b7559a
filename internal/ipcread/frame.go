package ipcread

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Frame is one framed, undecoded record batch, or a range of its rows
// (morsel), with an immutable snapshot of its dictionaries.
type Frame struct {
	Stream   *Stream
	Batch    int64 // 1-based within the stream
	Offset   int64 // of its message in the input, after unwrapping
	FirstRow int64 // of the batch within its input's rows
	Row      int64 // first row of the morsel within the batch
	Rows     int64 // of the morsel

	framedBatch // the same for all morsels of a batch
	hold        *hold
}

// Release gives the frame's bytes back. The frame and arrays decoded from it
// must not be used afterwards.
func (f *Frame) Release() {
	h := f.hold
	*f = Frame{}
	spareFrames.Put(f)
	if h != nil {
		h.release()
	}
}

// spareFrames are released frames: of small batches there are some hundred
// thousand a second.
var spareFrames = sync.Pool{New: func() any { return new(Frame) }}

// fail gives an error about the frame, or one of its columns, its place.
func (f *Frame) fail(cause error) *Error {
	e := &Error{
		Input: f.Stream.Input, Stream: f.Stream.Number, Batch: f.Batch,
		Offset: f.Offset, Cause: cause,
	}
	var c *columnError
	if errors.As(cause, &c) {
		e.Column, e.Cause = c.column, c.cause
	}
	return e
}

// hold is the memory behind a batch's morsels, given back with the last.
type hold struct {
	morsels atomic.Int64
	free    func()
}

func (h *hold) release() {
	if h.morsels.Add(-1) == 0 {
		h.free()
	}
}

// morselRows is how many rows one morsel of a large batch has: few enough for
// several threads to share the batch, and a multiple of 64 so that validity
// words are not cut.
const morselRows = 65536

// morsels is how many frames a batch becomes.
func (b *framedBatch) morsels() int64 {
	rows := b.msg.Rows()
	if rows <= morselRows || !b.splittable() {
		return 1
	}
	return (rows + morselRows - 1) / morselRows
}
