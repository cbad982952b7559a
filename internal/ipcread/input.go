package ipcread

import (
	"context"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// input is one name of the command line, opened.
//
// A regular file is mapped (ext), or opened anew for each walk where it cannot
// be. Everything else is a pipe: read once, by a goroutine of its own.
type input struct {
	position int
	path     string      // what to open; "" for a descriptor
	name     string      // as errors call it, UTF-8; see nameOf
	info     os.FileInfo // of a regular file when it was opened, else nil
	file     *os.File    // a descriptor that cannot be opened by name
	first    int64       // where in the file a descriptor stands
	ext      extent      // in memory, else nil
	spooled  *content    // what was kept of a wrapped file-format input
	direct   bool        // its frames lie in memory that costs nothing
	pipe     io.ReadCloser
	read     atomic.Int64 // bytes of a pipe

	share share // of the bytes in flight

	begun chan struct{} // a pipe's first stream is known
	ended chan struct{} // a pipe will give no more

	mu      sync.Mutex
	format  string
	streams []*Stream
	scanned bool // streams has all there are
	tally   tally
	openEnd bool // a stream had no end marker
	failed  *Error
	refused *refusal
}

// tally is what one walk over an input found.
type tally struct {
	batches int64
	rows    int64
}

func (in *input) isPipe() bool { return in.pipe != nil }

// size is how long a regular file's content is.
func (in *input) size() int64 { return in.info.Size() - in.first }

// open begins a walk over the input.
func (in *input) open(ctx context.Context, sp *spooler) (content, error) {
	if in.spooled != nil {
		return *in.spooled, nil
	}
	c, err := in.recognise(ctx, sp)
	in.mu.Lock()
	in.format = c.format
	in.mu.Unlock()
	if err != nil {
		return c, in.err(err)
	}
	if c.file != nil && c.format != "file" {
		in.spooled = &c // unwrapped once is enough
	}
	return c, nil
}

func (in *input) recognise(ctx context.Context, sp *spooler) (content, error) {
	switch {
	case in.isPipe():
		return fromReader(ctx, newLookahead(countedPipe(in)), sp)
	case in.size() <= 0:
		return content{format: "unknown"}, emptyFault(nil)
	case in.ext != nil:
		return fromExtent(ctx, in.ext, sp)
	}
	f := in.file
	if f == nil {
		opened, err := os.Open(in.path)
		if err != nil {
			return content{format: "unknown"}, err
		}
		f = opened
	}
	c, err := fromExtent(ctx, &readAt{file: f, first: in.first, len: in.size()}, sp)
	if in.file == nil {
		inner := c.close
		c.close = func() { inner(); f.Close() }
		if err != nil {
			f.Close()
		}
	}
	return c, err
}

// err gives an error that has no position its input.
func (in *input) err(cause error) *Error {
	if e, ok := cause.(*Error); ok {
		return e
	}
	return &Error{Input: in.name, Offset: noOffset, Cause: systemCause(cause)}
}

// fail records that the input is bad. Of several errors the one that stands
// first in the input is kept, so that it does not depend on who was faster.
func (in *input) fail(e *Error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.failed == nil || before(e, in.failed) {
		in.failed = e
	}
}

func before(a, b *Error) bool {
	if a.Offset != b.Offset {
		return a.Offset < b.Offset
	}
	return a.Column < b.Column
}

func (in *input) problem() *Error {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.failed
}

// refusal is an error of those who use the input, of late or of a worker: it
// is no fault of the input's bytes and says itself where it happened.
type refusal struct {
	error
	offset int64
}

// refuse records a refusal, the one that stands first in the input.
func (in *input) refuse(r *refusal) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.refused == nil || r.offset < in.refused.offset {
		in.refused = r
	}
}

func (in *input) problems() []error {
	in.mu.Lock()
	defer in.mu.Unlock()
	var errs []error
	if in.failed != nil {
		errs = append(errs, in.failed)
	}
	if in.refused != nil {
		errs = append(errs, in.refused.error)
	}
	return errs
}

// errOnce: the command line asks for more than one reading.
var errOnce = faultf(ErrUsage, "--repeat needs inputs that can be read twice, and this is not a file").
	withHint("save it to a file first")

// known returns the streams found so far.
func (in *input) known() []*Stream {
	in.mu.Lock()
	defer in.mu.Unlock()
	return append([]*Stream(nil), in.streams...)
}

// stream is the input's stream of that number, which p begins: the one that an
// earlier walk found, or a new one.
func (in *input) stream(number int, p step) (st *Stream, isNew bool, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if number <= len(in.streams) {
		st = in.streams[number-1]
		if string(st.raw) != string(p.raw) {
			return nil, false, in.at(number, p, faultf(ErrChanged, "the schema changed while the input was read"))
		}
		return st, false, nil
	}
	if in.scanned {
		return nil, false, in.at(number, p, faultf(ErrChanged, "a stream appeared while the input was read"))
	}
	parsed, err := p.schema()
	if err != nil {
		return nil, false, in.at(number, p, faultf(ErrCorrupt, "%v", err))
	}
	st = &Stream{
		Input: in.name, Position: in.position, Number: number, Schema: parsed.Arrow,
		parsed: parsed, raw: append([]byte(nil), p.raw...),
	}
	in.streams = append(in.streams, st)
	return st, true, nil
}

func (in *input) at(number int, p step, cause error) *Error {
	return &Error{Input: in.name, Stream: number, Offset: p.offset, Cause: cause}
}
