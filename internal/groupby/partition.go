package groupby

import (
	"context"
	"math/bits"
	"sync"
	"sync/atomic"

	"arrowagg/internal/arena"
)

// partition is the first half of Finish: what the workers left, groups and
// unfolded rows, is brought into one key layout, in which packed ranks compare
// as keys do, and dealt out into buckets by ranges of the first key word. Then
// buckets can be sorted and folded one by one, by anybody, and their results
// stand in order.
//
//	segments │ keys: codes ─► ranks │ count by range │ deal out │ buckets
//
// A row in a bucket has the key, then the values (and one word of validity bits
// where a segment has nulls). A group in a bucket has the key and where its
// state lies.
type partition struct {
	engine   *Engine
	arena    *arena.Arena
	segments []segment
	rankings []ranking // none: keys stay codes, in whose order the buckets are then
	last     []int     // by key column: the greatest rank or code
	layout   *layout
	shift    int // of the first key word: its uppermost bits are the bucket
	buckets  int

	columns  []valueColumn
	at       []int // offset of a value column in a row, in words
	rowWords int
	masked   bool // the last word of a row says which values are there

	multisets [][rowKinds]*partition // of their rows
	interned  []ranking              // their values of any length, where they are exported
	like      *partition             // whose buckets these are; nil: it has its own

	rows       []uint64 // rowWords each
	rowStart   []int    // by bucket, in rows
	groups     []uint64 // layout.words + 1 each
	groupStart []int
}

// unit is work for one pass: a block of rows, or some groups of a segment.
type unit struct {
	segment int
	block   *rowBlock // nil: groups lo to hi
	lo, hi  int
	keys    []uint64 // in the common layout, once they are made
}

func (u *unit) n() int {
	if u.block != nil {
		return u.block.n
	}
	return u.hi - u.lo
}

// parallel runs f(0) … f(n-1), each on a goroutine of its own.
func parallel(n int, f func(int)) {
	var wg sync.WaitGroup
	for t := range n {
		wg.Go(func() { f(t) })
	}
	wg.Wait()
}

// each calls f for the numbers below n, on several goroutines, until ctx ends.
func each(ctx context.Context, threads, n int, f func(thread, i int)) {
	var next atomic.Int64
	parallel(min(threads, n), func(t int) {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			f(t, i)
		}
	})
}

// newPartition deals all segments of the engine out by ranks.
func newPartition(ctx context.Context, e *Engine) (*partition, error) {
	p := &partition{engine: e, arena: e.arena, columns: e.valueColumns, segments: e.segments}
	if err := p.rankKeys(ctx); err != nil {
		return nil, err
	}
	if err := p.run(ctx, e.threads); err != nil {
		return nil, err
	}
	return p, p.dealMultisets(ctx, e.threads)
}

// newCodePartition deals segments out by codes, while codes are still added.
func newCodePartition(e *Engine, segments []segment) *partition {
	p := &partition{engine: e, arena: e.arena, columns: e.valueColumns, segments: segments}
	for _, in := range e.interners {
		p.last = append(p.last, in.count())
	}
	if err := p.run(context.Background(), 1); err != nil {
		panic(err) // the context does not end
	}
	return p
}

func (p *partition) run(ctx context.Context, threads int) error {
	widths := make([]int, len(p.last))
	for c, n := range p.last {
		widths[c] = widthFor(n)
	}
	p.layout = newLayout(widths)
	units, rows, groups := p.units()
	p.rowLayout(units)
	if p.like != nil {
		p.shift, p.buckets = p.like.shift, p.like.buckets
	} else {
		p.bucketsFor(rows + groups + p.multisetRows())
	}

	counts := make([]bucketCounts, threads)
	parallel(threads, func(t int) {
		counts[t] = bucketCounts{rows: make([]int, p.buckets), groups: make([]int, p.buckets)}
		var scratch []uint64
		mine := share(units, t, threads)
		for i := range mine {
			scratch = p.rankUnit(&mine[i], scratch)
			p.count(&mine[i], &counts[t])
		}
	})
	p.rowStart = starts(counts, p.buckets, func(c *bucketCounts) []int { return c.rows })
	p.groupStart = starts(counts, p.buckets, func(c *bucketCounts) []int { return c.groups })
	if err := ctx.Err(); err != nil {
		return err
	}
	p.rows = p.words(rows * p.rowWords)
	p.groups = p.words(groups * (p.layout.words + 1))
	parallel(threads, func(t int) {
		var to []int
		mine := share(units, t, threads)
		for i := range mine {
			to = p.deal(&mine[i], &counts[t], to)
		}
	})
	return ctx.Err()
}

// words takes memory from the arena.
func (p *partition) words(n int) []uint64 {
	if n == 0 {
		return nil
	}
	return cast[uint64](p.arena.Get(8 * n))
}

// share is thread t's part of the units.
func share(units []unit, t, threads int) []unit {
	return units[len(units)*t/threads : len(units)*(t+1)/threads]
}

// rankKeys ranks every key column, several at a time.
func (p *partition) rankKeys(ctx context.Context) error {
	e := p.engine
	p.rankings = make([]ranking, len(e.interners))
	each(ctx, e.threads, len(e.interners), func(_, c int) {
		p.rankings[c] = e.interners[c].rank(e.spec.Keys[c].Type)
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, r := range p.rankings {
		p.last = append(p.last, r.values.len()) // null's rank
	}
	return nil
}

// units cuts the segments into work of about equal size.
func (p *partition) units() (units []unit, rows, groups int) {
	for k := range p.segments {
		s := &p.segments[k]
		for lo := 0; lo < len(s.ids); lo += chunkRows {
			units = append(units, unit{segment: k, lo: lo, hi: min(lo+chunkRows, len(s.ids))})
		}
		groups += len(s.ids)
		if s.rows == nil {
			continue
		}
		for b := range s.rows.blocks {
			units = append(units, unit{segment: k, block: &s.rows.blocks[b]})
		}
		rows += s.rows.rows
	}
	return units, rows, groups
}

// rowLayout settles what a row in a bucket looks like.
func (p *partition) rowLayout(units []unit) {
	p.rowWords = p.layout.words
	for _, c := range p.columns {
		p.at = append(p.at, p.rowWords)
		p.rowWords += c.words
	}
	for i := range units {
		if b := units[i].block; b != nil && b.nulls != 0 {
			p.masked = true
		}
	}
	if p.masked {
		p.rowWords++
	}
}

// bucketsFor chooses the number of buckets: so many that a bucket's rows stay
// in the second-level cache, but not so many that dealing out thrashes it.
func (p *partition) bucketsFor(n int) {
	const most = 12
	log := 0
	if p.layout.words > 0 {
		log = min(bits.Len(uint(n/p.engine.tuning.bucketRows)), most)
	}
	last, used := uint64(0), 0
	for c, f := range p.layout.fields {
		if f.word == 0 {
			last |= uint64(p.last[c]) << f.shift
			used += f.width
		}
	}
	p.shift = max(0, bits.Len64(last)-log)
	p.buckets = int(last>>p.shift) + 1
}

// bucketCounts is one thread's: how many rows and groups go to each bucket, and
// later where the next of them goes.
type bucketCounts struct {
	rows, groups []int
	fetched      uint64 // means nothing
}

// starts turns counts into places: where each thread's part of each bucket
// begins. It returns where buckets begin and, last, their end.
func starts(counts []bucketCounts, buckets int, of func(*bucketCounts) []int) []int {
	start := make([]int, buckets+1)
	sum := 0
	for b := range buckets {
		start[b] = sum
		for t := range counts {
			n := &of(&counts[t])[b]
			*n, sum = sum, sum+*n
		}
	}
	start[buckets] = sum
	return start
}

// release gives the buckets' memory back.
func (p *partition) release() {
	p.arena.Put(bytesOf(p.rows))
	p.arena.Put(bytesOf(p.groups))
	p.rows, p.groups = nil, nil
	for _, parts := range p.multisets {
		for _, q := range parts {
			q.release()
		}
	}
}
