package ipcread

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/warning"
)

// Options bound what inputs may cost.
type Options struct {
	Repeat      int    // feed the inputs this often, ≥ 1
	MaxBuffer   int64  // decompressed bytes of one buffer
	InFlight    int64  // bytes of frames from pipes that may wait in the channel
	TempDir     string // where a piped file-format input is spooled past 64 MiB
	StdinIsHere bool
}

// Set is the inputs of one run, opened.
type Set struct{}

// Open opens all inputs in the order given ("-" is standard input). Regular
// files are mapped, framed to their end and checked for completeness; for
// pipes the first schema of the first input listed is awaited. What is wrong
// with several inputs is reported together, an errors.Join of *Error.
func Open(ctx context.Context, names []string, opt Options) (*Set, error) { panic("contract") }

// Streams returns the streams known so far, in the order of the inputs: all
// of the regular files', and the first ones of pipes that have begun.
func (s *Set) Streams() []*Stream { panic("contract") }

// Produce sends every frame of every input, Repeat times, and returns when all
// is sent or ctx is done. It does not close the channel. late is called before the
// first frame of a stream that Streams did not have.
func (s *Set) Produce(ctx context.Context, frames chan<- *Frame, late func(*Stream) error) error {
	panic("contract")
}

// Verify is called when all frames are consumed: files that changed while
// they were read are errors.
func (s *Set) Verify() error { panic("contract") }

// Warnings returns what was found so far.
func (s *Set) Warnings() []warning.Warning { panic("contract") }

// Reports returns one row per input: what --check and --stats show.
func (s *Set) Reports() []Report { panic("contract") }

func (s *Set) Close() error { panic("contract") }

// Report is what is known of one input.
type Report struct {
	Input   string // as errors call it
	Format  string // "stream", "file", "gzip stream", "unknown"
	Streams int
	Batches int64
	Rows    int64
	Bytes   int64 // read, before unwrapping
	Status  string
	Problem string
}

// Stream is one stream of an input: a schema and the batches after it. Its
// address is its identity.
type Stream struct {
	Input  string // as errors call it
	Number int    // 1-based within the input
	Schema *arrow.Schema
}

// Name is "w1.arrows", or "w1.arrows: stream 2" for later streams.
func (s *Stream) Name() string { panic("contract") }

// Frame is one framed, undecoded record batch, or a range of its rows
// (morsel), with an immutable snapshot of its dictionaries.
type Frame struct {
	Stream   *Stream
	Batch    int64 // 1-based within the stream
	Offset   int64 // of its message in the input, after unwrapping
	FirstRow int64 // of the batch within its input's rows
	Row      int64 // first row of the morsel within the batch
	Rows     int64 // of the morsel
}

// Release gives the frame's bytes back.
func (f *Frame) Release() { panic("contract") }

// Decoder decodes frames for one goroutine and owns the scratch memory.
type Decoder struct{}

func (s *Set) NewDecoder() *Decoder { panic("contract") }

// Decode verifies and builds the columns at those indices of the stream's
// schema (-1 gives nil). The arrays are valid until the next Decode or the
// frame's Release. Two batches of one dictionary snapshot have the same
// Dictionary() value.
func (d *Decoder) Decode(f *Frame, columns []int) ([]arrow.ArrayData, error) { panic("contract") }
