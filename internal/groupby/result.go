package groupby

import (
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// Result is the sorted result. Batches are built ahead of the caller, several
// at a time, and handed out in order.
type Result struct {
	engine   *Engine
	layout   *layout
	rankings []ranking
	blocks   []*block // in key order, none empty
	groups   int64

	next    span // begins where the last batch planned ends
	pending []chan arrow.RecordBatch
	memory  recycler
}

// span is a range of groups: n of them, from one of a block on.
type span struct {
	block, row int
	n          int
}

func newResult(e *Engine, p *partition, blocks []*block) *Result {
	r := &Result{engine: e, layout: p.layout, rankings: p.rankings}
	for _, b := range blocks {
		if b != nil && b.n > 0 {
			r.blocks = append(r.blocks, b)
			r.groups += int64(b.n)
		}
	}
	return r
}

// Groups is the number of rows that Next will give in all.
func (r *Result) Groups() int64 { return r.groups }

// Size is the memory held outside Go's heap, in bytes: nearly all.
func (r *Result) Size() int64 { return r.engine.arena.Held() }

// Next returns the next batch of at most 65,536 rows, io.EOF at the end (at
// once for zero rows). The caller releases it.
func (r *Result) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for len(r.pending) < r.engine.threads && r.next.block < len(r.blocks) {
		s := r.plan()
		built := make(chan arrow.RecordBatch, 1)
		go func() { built <- r.build(s) }()
		r.pending = append(r.pending, built)
	}
	if len(r.pending) == 0 {
		return nil, io.EOF
	}
	first := r.pending[0]
	r.pending = r.pending[1:]
	return <-first, nil
}

// Rewind lets Next begin anew.
func (r *Result) Rewind() {
	for _, p := range r.pending {
		(<-p).Release()
	}
	r.pending, r.next = nil, span{}
}

// Close frees what the result holds.
func (r *Result) Close() error {
	for _, p := range r.pending {
		(<-p).Release()
	}
	r.pending, r.blocks, r.rankings, r.next = nil, nil, nil, span{}
	r.engine.arena.Close()
	return nil
}

// plan cuts off the next batch: as many groups as a batch has, or as many whose
// bytes can be addressed in each column. It depends on the groups alone.
func (r *Result) plan() span {
	s := r.next
	for block, row := s.block, s.row; block < len(r.blocks) && s.n < r.engine.tuning.batchRows; block, row = block+1, 0 {
		s.n += r.blocks[block].n - row
	}
	s.n = r.fits(s, min(s.n, r.engine.tuning.batchRows))
	r.next.row += s.n
	for r.next.block < len(r.blocks) && r.next.row >= r.blocks[r.next.block].n {
		r.next.row -= r.blocks[r.next.block].n
		r.next.block++
	}
	return s
}

// fits returns how many of n groups make a batch.
func (r *Result) fits(s span, n int) int {
	limit := int64(r.engine.tuning.batchBytes)
	for c, k := range r.rankings {
		if int64(k.values.longest())*int64(n) <= limit {
			continue
		}
		var total int64
		s.n = n
		n = 0
		r.pieces(s, func(b *block, lo, hi int) bool {
			for i := lo; i < hi; i++ {
				rank := r.layout.number(b.keys[i*r.layout.words:], c)
				if total += int64(k.values.length(rank)); total > limit && n > 0 {
					return false
				}
				n++
			}
			return true
		})
	}
	for a := range r.columns() {
		var total int64
		s.n = n
		n = 0
		r.pieces(s, func(b *block, lo, hi int) bool {
			c := b.columns[a]
			k := c.fits(lo, hi-lo, limit-total)
			n += k
			if k < hi-lo {
				return false
			}
			total += c.start(hi) - c.start(lo)
			return true
		})
		n = max(n, 1)
	}
	return n
}

// pieces calls f for the parts of blocks that a span covers, until it says no.
func (r *Result) pieces(s span, f func(b *block, lo, hi int) bool) {
	for left := s.n; left > 0; s.block, s.row = s.block+1, 0 {
		b := r.blocks[s.block]
		n := min(left, b.n-s.row)
		if !f(b, s.row, s.row+n) {
			return
		}
		left -= n
	}
}

// columns is the number of columns of a block.
func (r *Result) columns() int {
	if len(r.blocks) == 0 {
		return 0
	}
	return len(r.blocks[0].columns)
}
