package ipcread

import (
	"io"

	"arrowagg/internal/ipcmeta"
)

// Framing is that of the Arrow columnar format, "IPC streaming format": a
// message is a prefix (a continuation word and the metadata's length, or before
// version 0.15 the length alone), the metadata, and the body whose length the
// metadata tells. A length of zero is the end marker.
const (
	continuation = 0xffffffff
	wordSize     = 4
)

// framer is the walk over the stream format: one or more streams in a row.
//
//	start ─schema─► open ─end marker─► closed ─schema─► open …
//	                  └─────schema (no end marker)──────┘
//
// What it promises: every length was checked against its limit and, where the
// input's size is known, against what is left, before memory is taken for it;
// every byte of the input is accounted for as message, end marker or padding,
// or is an error.
type framer struct {
	src   source
	input string // for errors
	walkOptions

	state   framerState
	old     bool // the message read last came without a continuation word
	legacy  bool // so did the stream's schema
	stream  int  // number of the stream begun last
	batch   int64
	pending *step // a schema message that ended the stream before it
	last    step  // the message read last
}

type framerState int

const (
	atStart  framerState = iota
	inStream             // after a schema
	closed               // after an end marker
	openEnd              // a stream without end marker was ended by what follows
	atEnd
)

func (f *framer) next() (step, error) {
	if p := f.pending; p != nil {
		f.pending = nil
		f.begin(p)
		return *p, nil
	}
	if f.state == atEnd {
		return step{}, io.EOF
	}
	offset, length, found, err := f.prefix()
	if err != nil {
		return step{}, err
	}
	switch found {
	case foundEnd:
		f.state = closed
		return step{kind: stepEnd, offset: offset}, nil
	case foundEOF:
		open := f.state == inStream
		f.state = atEnd
		if open {
			return step{kind: stepOpen, offset: offset}, nil
		}
		return step{}, io.EOF
	}
	return f.message(offset, length)
}

// message reads the message whose prefix said that its metadata is that long.
func (f *framer) message(offset, length int64) (step, error) {
	meta, err := f.src.take(length, nil, nil)
	if err != nil {
		return step{}, f.short(offset, "metadata", length, int64(len(meta)), err)
	}
	msg, err := ipcmeta.ParseMessage(meta)
	if err != nil {
		return step{}, f.corrupt(offset, err)
	}
	f.last = step{offset: offset, msg: msg}
	p := &f.last
	switch msg.Kind {
	case ipcmeta.KindSchema:
		whole := msg // for the function alone
		p.kind, p.raw, p.schema = stepSchema, meta, whole.Schema
	case ipcmeta.KindDictionary:
		p.kind = stepDictionary
	case ipcmeta.KindBatch:
		p.kind = stepBatch
		f.batch++
	default:
		return step{}, f.fail(offset, faultf(ErrCorrupt, "a %s message, which has no place among record batches", msg.Kind))
	}
	if p.kind != stepSchema && f.state != inStream {
		f.batch = 0
		return step{}, f.fail(offset, faultf(ErrCorrupt, "a %s where a schema must stand", msg.Kind))
	}
	if err := f.body(p); err != nil {
		return step{}, err
	}
	if p.kind != stepSchema {
		return *p, nil
	}
	if f.state == inStream {
		f.state, f.pending = openEnd, p
		return step{kind: stepOpen, offset: offset}, nil
	}
	f.begin(p)
	return *p, nil
}

// begin enters the stream whose schema p is.
func (f *framer) begin(p *step) {
	f.state = inStream
	f.legacy = f.old
	f.stream++
	f.batch = 0
}

// body reads or leaves out the body of p.
func (f *framer) body(p *step) error {
	length := p.msg.BodyLength
	left := f.src.left()
	switch {
	case length < 0:
		return f.fail(p.offset, faultf(ErrCorrupt, "a body of %d bytes", length))
	case left >= 0 && length > left:
		return f.short(p.offset, "body", length, left, io.ErrUnexpectedEOF)
	case !f.src.inPlace() && length > f.maxBody:
		return f.fail(p.offset, overMaxBody(length, f.maxBody))
	case f.noBodies || p.kind == stepSchema:
		before := f.src.offset()
		if err := f.src.skip(length); err != nil {
			return f.short(p.offset, "body", length, f.src.offset()-before, err)
		}
		return nil
	}
	room, err := f.room(p)
	if err != nil {
		return err
	}
	body, err := f.src.take(length, room, p.wanted)
	if err != nil {
		return f.short(p.offset, "body", length, int64(len(body)), err)
	}
	p.body = body
	return nil
}

// short is the error of an input that ended, or failed, inside a message.
func (f *framer) short(offset int64, what string, need, have int64, err error) error {
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return f.fail(offset, err)
	}
	return f.fail(offset, faultf(ErrTruncated, "truncated: the message's %s has %d of %d bytes", what, have, need))
}

func (f *framer) corrupt(offset int64, err error) error {
	return f.fail(offset, faultf(ErrCorrupt, "%v", err))
}

// fail ends the walk with an error at offset.
func (f *framer) fail(offset int64, cause error) *Error {
	f.state = atEnd
	return &Error{Input: f.input, Stream: f.stream, Batch: f.batch, Offset: offset, Cause: cause}
}

// overMaxBody is the error of a body that would have to be read into memory.
func overMaxBody(length, most int64) error {
	return faultf(ErrLimit, "a body of %d bytes, more than %d", length, most).
		withHint("raise --max-buffer or --memory-limit, or save the input to a file")
}
