package ipcread

import (
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// decoding is what all decoders of a run share.
type decoding struct {
	maxBuffer int64
	contents  bool // strings and times of day are checked, not left to whoever uses them
	scratch   *budget
	zstd      func() (*zstd.Decoder, error) // made when first needed
}

func newDecoding(maxBuffer, maxScratch int64) *decoding {
	return &decoding{maxBuffer: maxBuffer, scratch: &budget{limit: maxScratch}, zstd: sharedZSTD()}
}

// budget bounds the memory for decompressed, rewritten and copied buffers.
type budget struct {
	limit int64
	taken atomic.Int64
}

// lease is one owner's part of a budget.
type lease struct {
	budget *budget
	taken  int64
}

func (l *lease) take(n int64) error {
	if l.budget.taken.Add(n) > l.budget.limit {
		l.budget.taken.Add(-n)
		return faultf(ErrLimit, "buffers of more than %d bytes in all would be in memory at once", l.budget.limit).
			withHint(maxBufferHint)
	}
	l.taken += n
	return nil
}

func (l *lease) end() {
	l.budget.taken.Add(-l.taken)
	l.taken = 0
}
