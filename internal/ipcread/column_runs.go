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
	if _, err := d.node(at.Nodes, r.total); err != nil {
		return nil, err
	}
	if r.total > maxRunRows {
		return nil, faultf(ErrLimit, "run-end column of %d rows, more than the %d that are read", r.total, maxRunRows)
	}
	ends, values := &c.Children[0], &c.Children[1]
	endsAt := at.Plus(ipcmeta.Span{Nodes: 1})
	valuesAt := endsAt.Plus(ends.Span)
	runs, _ := d.batch.msg.Node(endsAt.Nodes)
	held, _ := d.batch.msg.Node(valuesAt.Nodes)
	if runs < 0 || held < runs {
		return nil, faultf(ErrCorrupt, "%d runs of %d values", runs, held)
	}
	endsArray, err := d.runEnds(ends, endsAt, rowRange{total: runs, count: runs}, r.total)
	if err != nil {
		return nil, err
	}
	valuesArray, err := d.column(values, valuesAt, rowRange{total: held, count: runs})
	if err != nil {
		return nil, err
	}
	return s.finishRuns(c.Type, r, endsArray, valuesArray), nil
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
