package arrange

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"

	"arrowagg/internal/expr"
)

// having gives the rows that meet a condition, in batches of any length.
type having struct {
	from   Source
	filter *expr.Filter
	inputs []int
	values []arrow.ArrayData
}

func newHaving(from Source, a Arrangement) *having {
	return &having{
		from: from, filter: a.Having.NewFilter(), inputs: a.HavingInputs,
		values: make([]arrow.ArrayData, len(a.HavingInputs)),
	}
}

func (h *having) Next(ctx context.Context) (arrow.RecordBatch, error) {
	for {
		batch, err := h.from.Next(ctx)
		if err != nil {
			return nil, err
		}
		for i, column := range h.inputs {
			h.values[i] = batch.Column(column).Data()
		}
		selected, all, err := h.filter.Select(h.values, batch.NumRows())
		if err != nil {
			batch.Release()
			return nil, err
		}
		if all && batch.NumRows() > 0 {
			return batch, nil
		}
		if len(selected) > 0 {
			g := gatherer{schema: batch.Schema()}
			g.hold(batch)
			for _, row := range selected {
				g.refs = append(g.refs, newRef(0, int(row)))
			}
			part := g.batch(g.refs)
			g.release()
			return part, nil
		}
		batch.Release()
	}
}

func (h *having) Close() error { return h.from.Close() }
