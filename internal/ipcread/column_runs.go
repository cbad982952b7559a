package ipcread

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"arrowagg/internal/ipcmeta"
)

// maxRunRows is how many rows a run-end-encoded column may stand for. A run of
// a few bytes can claim any number, and what is made of the column may take
// time per row; Arrow's own writers keep arrays below this length.
const maxRunRows = math.MaxInt32

// runEndColumn builds a run-end-encoded column. It has no buffers of its own:
// its first child says where each run ends, its second what is in it. The
// array keeps all runs, and its offset is the first wanted row. There may be
// more values than runs; those are left out.
func (d *Decoder) runEndColumn(s *slot, c *ipcmeta.Column, at ipcmeta.Span, r rowRange) (*array.Data, error) {
	runs, err := d.runs(c, at, r)
	if err != nil {
		return nil, err
	}
	values, err := d.column(&c.Children[1], runs.valuesAt, rowRange{total: runs.values, count: runs.count})
	if err != nil {
		return nil, err
	}
	return s.finishRuns(c.Type, r, runs.ends, values), nil
}

// runs is a run-end-encoded column but for its values.
type runs struct {
	count    int64 // runs
	ends     *array.Data
	values   int64 // at least one a run
	valuesAt ipcmeta.Span
}

func (d *Decoder) runs(c *ipcmeta.Column, at ipcmeta.Span, r rowRange) (runs, error) {
	if _, err := d.node(at.Nodes, r.total); err != nil {
		return runs{}, err
	}
	if r.total > maxRunRows {
		return runs{}, faultf(ErrLimit, "run-end column of %d rows, more than the %d that are read", r.total, maxRunRows)
	}
	ends := &c.Children[0]
	endsAt := c.Below(at)
	valuesAt := endsAt.Plus(ends.Span)
	count, _ := d.batch.msg.Node(endsAt.Nodes)
	values, _ := d.batch.msg.Node(valuesAt.Nodes)
	if count < 0 || values < count {
		return runs{}, faultf(ErrCorrupt, "%d runs of %d values", count, values)
	}
	array, err := d.runEnds(ends, endsAt, rowRange{total: count, count: count}, r.total)
	return runs{count, array, values, valuesAt}, err
}

// runEnds builds the first child.
func (d *Decoder) runEnds(c *ipcmeta.Column, at ipcmeta.Span, runs rowRange, rows int64) (*array.Data, error) {
	s := d.slot()
	s.shape(2)
	nulls, err := d.validity(s, at, runs)
	if err != nil {
		return nil, err
	}
	if nulls > 0 {
		return nil, faultf(ErrCorrupt, "%d run ends are null", nulls)
	}
	width := c.Type.(arrow.FixedWidthDataType).Bytes()
	from, err := d.elements(s, at, 1, wordElement("run ends", width), runs.total)
	if err != nil {
		return nil, err
	}
	to, err := d.scratch(s, areaStructure, int64(len(from)))
	if err != nil {
		return nil, err
	}
	ok := false
	switch width {
	case 2:
		ok = copyRunEnds(arrow.GetData[int16](to), arrow.GetData[int16](from), rows)
	case 4:
		ok = copyRunEnds(arrow.GetData[int32](to), arrow.GetData[int32](from), rows)
	case 8:
		ok = copyRunEnds(arrow.GetData[int64](to), arrow.GetData[int64](from), rows)
	}
	if !ok {
		return nil, faultf(ErrCorrupt, "run ends do not rise to the %d rows of the column", rows)
	}
	s.set(1, to)
	return s.finish(c.Type, runs, 0, nil), nil
}
