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
//	segments │ keys: codes ─► ranks │ deal out by range │ buckets
//
// What the rows lay in is given back on the way (bucketRows).
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

	rows   *bucketRows // of rowWords
	groups *bucketRows // of layout.words + 1
}

// unit is work for one goroutine: the blocks of rows that lie in one chunk of
// memory, or some groups of a segment.
type unit struct {
	segment int
	blocks  []rowBlock // none: groups lo to hi
	lo, hi  int
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

	p.rows = newBucketRows(p.arena, p.buckets, rows, p.rowWords, threads)
	p.groups = newBucketRows(p.arena, p.buckets, groups, p.layout.words+1, threads)
	scratch := make([]dealScratch, threads)
	each(ctx, threads, len(units), func(t, i int) {
		if u := &units[i]; len(u.blocks) > 0 {
			p.dealRows(u, &p.rows.dealers[t], &scratch[t])
		} else {
			p.dealGroups(u, &p.groups.dealers[t], &scratch[t])
		}
	})
	return ctx.Err()
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
		for blocks := s.rows.blocks; len(blocks) > 0; {
			n := 1
			for n < len(blocks) && blocks[n].chunk == blocks[0].chunk {
				n++
			}
			units = append(units, unit{segment: k, blocks: blocks[:n]})
			blocks = blocks[n:]
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
		for _, b := range units[i].blocks {
			p.masked = p.masked || b.nulls != 0
		}
	}
	if p.masked {
		p.rowWords++
	}
	p.rowWords = max(p.rowWords, 1) // rows that are only counted
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

// release gives the buckets' memory back.
func (p *partition) release() {
	p.rows.release()
	p.groups.release()
	for _, parts := range p.multisets {
		for _, q := range parts {
			q.release()
		}
	}
}
