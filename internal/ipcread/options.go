package ipcread

import (
	"math"
	"os"

	"arrowagg/internal/tempfile"
)

// Options bound what inputs may cost.
type Options struct {
	Repeat    int      // feed the inputs this often; less than 1 is 1
	MaxBuffer int64    // bytes that one buffer may decompress to; 0 is 1 GiB
	InFlight  int64    // bytes of frames read from pipes that may be unreleased; 0 is 256 MiB
	Scratch   int64    // bytes that decompressed and copied buffers may take in all; 0 is 4 MaxBuffer, at least 64 MiB
	Together  int64    // of Scratch, the part that decoders take side by side; past it one works at a time; 0 is all
	Stdin     *os.File // what "-" reads; nil is os.Stdin

	// TempDir is where a piped file-format input is kept past 64 MiB; nil: where
	// the system has temporary files.
	TempDir *tempfile.Dir

	// Body bounds one message's body where it is read into memory, in bytes; 0:
	// MaxBuffer does.
	Body int64

	// Takes says whether the batches of the input of that position are
	// produced; nil: those of all inputs. The others are opened for their
	// schemas alone, and none may then be a pipe.
	Takes func(position int) bool

	unmapped    bool  // tests: read regular files as where there is no mmap
	leastGap    int64 // tests: unwanted bytes of a body that are left out; 0 is leastGap
	reclaimFrom int64 // tests: bytes of mappings from which on pages are given back
}

// maxBufferHint is the way out of the limits that MaxBuffer sets.
const maxBufferHint = "--max-buffer raises the limit"

// scratchHint is the way out of Scratch.
const scratchHint = "--max-buffer or --memory-limit raises the limit"

// maxMetadata bounds one message's metadata. A batch of a million columns has
// about 50 MB of it; more is no message but text taken for a length.
const maxMetadata = 256 << 20

// bodiesPerBuffer bounds a message's body from a pipe in units of MaxBuffer. A
// mapped file needs no such bound, its size is one.
const bodiesPerBuffer = 4

// leastScratch is room for what is copied though nothing is compressed, like
// buffers that are not aligned or of the other byte order: a small MaxBuffer
// says nothing about it.
const leastScratch = 64 << 20

func (o Options) withDefaults() Options {
	o.Repeat = max(o.Repeat, 1)
	if o.MaxBuffer <= 0 {
		o.MaxBuffer = 1 << 30
	}
	if o.InFlight <= 0 {
		o.InFlight = 256 << 20
	}
	if o.Scratch <= 0 {
		o.Scratch = max(min(o.MaxBuffer, math.MaxInt64/4)*4, leastScratch)
	}
	if o.Together <= 0 {
		o.Together = o.Scratch
	}
	if o.leastGap == 0 {
		o.leastGap = leastGap
	}
	if o.reclaimFrom == 0 {
		o.reclaimFrom = reclaimFrom
		if o.Repeat > 1 {
			o.reclaimFrom = reclaimRepeat
		}
	}
	if o.Stdin == nil {
		o.Stdin = os.Stdin
	}
	return o
}

// maxBody is what one message's body may hold where it is read into memory.
func (o Options) maxBody() int64 {
	const most = 1 << 40
	n := int64(most)
	if o.MaxBuffer <= most/bodiesPerBuffer {
		n = max(o.MaxBuffer*bodiesPerBuffer, o.InFlight)
	}
	if o.Body > 0 {
		n = min(n, o.Body)
	}
	return n
}
