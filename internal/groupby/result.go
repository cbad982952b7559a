package groupby

import (
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Result is the sorted result.
type Result struct {
	engine   *Engine
	layout   layout
	rankings []ranking
	block    *block
	next     int // first group not yet given
	ranks    [][]uint32
}

func newResult(e *Engine, l layout, r []ranking, b *block) *Result {
	return &Result{engine: e, layout: l, rankings: r, block: b, ranks: make([][]uint32, len(r))}
}

// Groups is the number of rows that Next will give in all.
func (r *Result) Groups() int64 {
	if r.block == nil {
		return 0
	}
	return int64(r.block.n)
}

// Next returns the next batch of at most 65,536 rows, io.EOF at the end (at
// once for zero rows). The caller releases it.
func (r *Result) Next(ctx context.Context) (arrow.RecordBatch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.block == nil || r.next == r.block.n {
		return nil, io.EOF
	}
	lo := r.next
	n := r.cut(lo, min(r.engine.tuning.batchRows, r.block.n-lo))
	spec := &r.engine.spec
	arrays := make([]arrow.Array, len(spec.Order))
	for i, ref := range spec.Order {
		if ref.Aggregate {
			arrays[i] = r.block.columns[ref.Index].array(lo, lo+n)
			continue
		}
		c := newColumn(spec.Keys[ref.Index].Type, n)
		r.rankings[ref.Index].values.appendTo(c, r.ranks[ref.Index][:n])
		arrays[i] = c.array(0, n)
	}
	r.next += n
	batch := array.NewRecordBatch(spec.Output, arrays, int64(n))
	for _, a := range arrays {
		a.Release()
	}
	return batch, nil
}

// cut unpacks the ranks of n groups and returns how many of them make a batch
// in which the bytes of every column can be addressed.
func (r *Result) cut(lo, n int) int {
	limit := r.engine.tuning.batchBytes
	for c := range r.rankings {
		r.ranks[c] = sized(r.ranks[c], n)
		for i := range n {
			r.ranks[c][i] = r.layout.number(r.block.keys[(lo+i)*r.layout.words:], c)
		}
		n = max(1, r.rankings[c].values.fits(r.ranks[c][:n], limit))
	}
	for _, c := range r.block.columns {
		n = max(1, c.fits(lo, n, limit))
	}
	return n
}

// Close frees what the result holds.
func (r *Result) Close() error {
	r.block, r.rankings = nil, nil
	return nil
}
