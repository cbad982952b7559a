package render

import (
	"bytes"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// table draws a box around the rows:
//
//	┌──────┬───────────┐
//	│ host │ bytes_sum │   names exactly as they are
//	├──────┼───────────┤
//	│ a    │         1 │   numbers to the right
//	│ NULL │        22 │   a null; the string NULL is "NULL", the empty one ""
//	└──────┴───────────┘
//
// There is one layout at any size: tablewriter draws the frame once around
// placeholders as wide as the columns (frame.go), and the cells are painted
// into it. So a million rows cost no more than their text, and no width, case
// or blank of a cell is left to the library's or the locale's opinion.
//
// The widths are known only after the last row. Until Close the batches are
// retained, which takes no memory beyond the result's own, and their cells are
// turned into text twice: to measure and to paint.
type table struct {
	sink
	opt     Options
	names   [][]byte // as shown
	class   []class
	null    []byte // as given
	shown   []byte // null as shown
	width   []int
	kept    []arrow.RecordBatch
	column  []column
	cell    cell
	dim     []byte // switches dimming on and off; empty without colour
	notDim  []byte
	padding []byte
}

func newTable(w io.Writer, schema *arrow.Schema, opt Options) (Writer, error) {
	t := &table{sink: newSink(w), opt: opt, null: []byte("NULL"), column: make([]column, schema.NumFields())}
	var err error
	if t.class, err = classes(schema); err != nil {
		return nil, err
	}
	if opt.Null != nil {
		t.null = []byte(*opt.Null)
	}
	t.shown = appendVisible(nil, t.null)
	if opt.Color {
		t.dim, t.notDim = []byte("\x1b[2m"), []byte("\x1b[22m")
	}
	for _, f := range schema.Fields() {
		name := appendVisible(nil, []byte(f.Name))
		t.names = append(t.names, name)
		width := 1 // a column is never nothing at all
		if !opt.NoHeader {
			width = max(width, displayWidth(name))
		}
		t.width = append(t.width, width)
	}
	return t, nil
}

func (t *table) Write(batch arrow.RecordBatch) error {
	if t.err != nil || batch.NumRows() == 0 {
		return t.err
	}
	batch.Retain()
	t.kept = append(t.kept, batch)
	t.bind(batch)
	for i := range t.column {
		for row := range int(batch.NumRows()) {
			t.width[i] = max(t.width[i], displayWidth(t.show(i, row)))
		}
	}
	return nil
}

func (t *table) bind(batch arrow.RecordBatch) {
	for i, a := range batch.Columns() {
		t.column[i] = bindColumn(a, t.opt.FloatDigits)
		t.column[i].text = quotedAsText(t.column[i].text, t.null)
	}
}

// show returns the text of a cell, valid until the next call.
func (t *table) show(i, row int) []byte {
	if t.column[i].null(row) {
		return t.shown
	}
	return t.cell.show(t.column[i].text, row)
}

func (t *table) Close() error {
	defer func() {
		for _, batch := range t.kept {
			batch.Release()
		}
		t.kept = nil
	}()
	if t.err != nil || len(t.width) == 0 || t.opt.NoHeader && len(t.kept) == 0 {
		return t.err
	}
	f, err := drawFrame(t.width, !t.opt.NoHeader, len(t.kept) > 0)
	if err != nil {
		t.err = err
		return err
	}
	f.colour(t.dim, t.notDim)
	t.padding = bytes.Repeat([]byte(" "), slices.Max(t.width))
	t.buf = append(t.buf, f.top...)
	if !t.opt.NoHeader {
		for i, name := range t.names {
			t.buf = append(t.buf, f.lead[i]...)
			t.align(i, name)
		}
		t.buf = append(t.buf, f.tail...)
		t.buf = append(t.buf, f.rule...)
	}
	for _, batch := range t.kept {
		if err := t.paint(batch, f); err != nil {
			return err
		}
	}
	t.buf = append(t.buf, f.bottom...)
	return t.flush()
}

// paint writes the rows of a batch.
func (t *table) paint(batch arrow.RecordBatch, f *frame) error {
	t.bind(batch)
	for row := range int(batch.NumRows()) {
		for i := range t.column {
			t.buf = append(t.buf, f.lead[i]...)
			text := t.show(i, row)
			if t.column[i].null(row) {
				t.buf = append(t.buf, t.dim...)
				t.align(i, text)
				t.buf = append(t.buf, t.notDim...)
			} else {
				t.align(i, text)
			}
		}
		t.buf = append(t.buf, f.tail...)
		if err := t.full(); err != nil {
			return err
		}
	}
	return nil
}

// align appends text, filled up to the width of column i.
func (t *table) align(i int, text []byte) {
	fill := t.padding[:t.width[i]-displayWidth(text)]
	if t.class[i] == number {
		t.buf = append(append(t.buf, fill...), text...)
	} else {
		t.buf = append(append(t.buf, text...), fill...)
	}
}
