package ipcread

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"
)

// decoding is what all decoders of a run share.
type decoding struct {
	maxBuffer int64
	contents  bool // strings and times of day are checked, not left to whoever uses them
	scratch   *budget
	zstd      func() (*zstd.Decoder, error) // made when first needed
}

func newDecoding(opt Options) *decoding {
	return &decoding{maxBuffer: opt.MaxBuffer, scratch: newBudget(opt.Together, opt.Scratch), zstd: sharedZSTD()}
}

// budget bounds the memory for decompressed, rewritten and copied buffers. So
// much is taken together by decoders that work side by side; what passes that
// is had by one of them, while the others wait, up to the limit.
//
//	0 ───────── together ─────────── limit
//	 any number          one, for a     an error
//	 of decoders         frame
type budget struct {
	together, limit int64
	taken           atomic.Int64
	alone           sync.Mutex // held by the one past together
}

func newBudget(together, limit int64) *budget {
	return &budget{together: min(together, limit), limit: limit}
}

// lease is one owner's part of a budget.
type lease struct {
	budget *budget
	taken  int64
	waits  bool // for others, where a dictionary, which they may be waiting for, does not
	alone  bool
}

func (l *lease) take(n int64) error {
	b := l.budget
	taken := b.taken.Add(n)
	if taken > b.together && l.waits && !l.alone {
		b.taken.Add(-n) // is not had while waiting for it
		b.alone.Lock()
		l.alone = true
		taken = b.taken.Add(n)
	}
	if taken > b.limit && !b.collect() {
		b.taken.Add(-n)
		return faultf(ErrLimit, "buffers of more than %d bytes in all would be in memory at once", b.limit).
			withHint(scratchHint)
	}
	l.taken += n
	return nil
}

// collect tells whether less than the limit is taken when what nobody refers to
// any more is collected: dictionaries end their leases then.
func (b *budget) collect() bool {
	runtime.GC()
	for range 20 {
		if b.taken.Load() <= b.limit {
			return true
		}
		time.Sleep(time.Millisecond) // cleanups run in their own time
	}
	return false
}

// end gives everything back.
func (l *lease) end() {
	l.budget.taken.Add(-l.taken)
	l.taken = 0
	if l.alone {
		l.alone = false
		l.budget.alone.Unlock()
	}
}
