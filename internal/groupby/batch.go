package groupby

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// build makes the batch of a span: aggregates are put together from the blocks'
// columns, keys are looked up by rank, once a run in the columns that have runs.
func (r *Result) build(s span) arrow.RecordBatch {
	spec := &r.engine.spec
	arrays := make([]arrow.Array, len(spec.Order))
	ranks := make([]uint32, s.n)
	short := len(spec.Keys) // the first key column whose runs are short
	for i, ref := range spec.Order {
		c := newColumn(spec.outputType(ref), s.n, r.memory.Allocate)
		c.batch = &r.memory
		if !ref.Aggregate && ref.Index < short {
			if found, long := r.runs(s, ref.Index); long {
				once := newColumn(c.typ, len(found.ranks), heap)
				r.rankings[ref.Index].values.appendTo(once, found.ranks)
				c.spread(once, found.ends)
				arrays[i] = c.array()
				continue
			}
			short = ref.Index
		}
		at := 0
		if ref.Aggregate {
			r.pieces(s, func(b *block, lo, hi int) bool {
				c.copyFrom(at, b.columns[ref.Index], lo, hi)
				at += hi - lo
				return true
			})
		} else {
			r.pieces(s, func(b *block, lo, hi int) bool {
				r.layout.numbers(ranks[at:at+hi-lo], b.keys[lo*r.layout.words:], ref.Index)
				at += hi - lo
				return true
			})
			r.rankings[ref.Index].values.appendTo(c, ranks)
		}
		arrays[i] = c.array()
	}
	batch := array.NewRecordBatch(spec.Output, arrays, int64(s.n))
	for _, a := range arrays {
		a.Release()
	}
	return batch
}
