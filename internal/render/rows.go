package render

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
)

// rows is the writer of all formats that print one row after another. They
// differ in the bytes around the cells and in how a cell's text is kept apart
// from them:
//
//	open     lead[0] cell tail[…] lead[1] cell …  end    …  close
//	         └──────────── a row ─────────────────┘
//
// All of it is decided in New; what is left per cell is one call.
type rows struct {
	sink
	schema *arrow.Schema
	layout layout
	digits int
	begun  bool // open is written
	some   bool // so is a row
	column []column
	cell   []appender
}

// layout is what a format puts around cells.
type layout struct {
	open    []byte   // before everything
	lead    [][]byte // before the cell of each column
	end     []byte   // after the last cell of a row
	between []byte   // between two rows
	close   []byte   // after the last row
	none    []byte   // instead of open and close if there is no row; nil: those
	null    []byte   // the cell of a null
	// quote wraps a column's appender so that its text is a cell. It gets the
	// class of the column's text and returns the appender itself where that
	// text needs nothing.
	quote func(class, appender) appender
}

// newRows makes a writer after checking that every column has a text.
func newRows(w io.Writer, schema *arrow.Schema, opt Options, l layout) (Writer, error) {
	if _, err := classes(schema); err != nil {
		return nil, err
	}
	n := schema.NumFields()
	return &rows{
		sink: newSink(w), schema: schema, layout: l, digits: opt.FloatDigits,
		column: make([]column, n), cell: make([]appender, n),
	}, nil
}

func (r *rows) Write(batch arrow.RecordBatch) error {
	if r.err != nil || batch.NumRows() == 0 {
		return r.err
	}
	for i, a := range batch.Columns() {
		class, err := classOf(a.DataType())
		if err != nil {
			r.err = err
			return err
		}
		r.column[i] = bindColumn(a, r.digits)
		r.cell[i] = r.layout.quote(class, r.column[i].text)
	}
	r.begin()
	for row := range int(batch.NumRows()) {
		if r.some {
			r.buf = append(r.buf, r.layout.between...)
		}
		r.some = true
		for i := range r.column {
			r.buf = append(r.buf, r.layout.lead[i]...)
			if r.column[i].null(row) {
				r.buf = append(r.buf, r.layout.null...)
			} else {
				r.buf = r.cell[i](r.buf, row)
			}
		}
		r.buf = append(r.buf, r.layout.end...)
		if err := r.full(); err != nil {
			return err
		}
	}
	return nil
}

// begin writes what stands before the first row, once.
func (r *rows) begin() {
	if !r.begun {
		r.begun = true
		r.buf = append(r.buf, r.layout.open...)
	}
}

func (r *rows) Close() error {
	switch {
	case r.err != nil:
		return r.err
	case !r.some && r.layout.none != nil:
		r.buf = append(r.buf, r.layout.none...)
	default:
		r.begin()
		r.buf = append(r.buf, r.layout.close...)
	}
	return r.flush()
}
