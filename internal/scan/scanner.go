package scan

import (
	"errors"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"arrowagg/internal/expr"
)

// pieceRows is how many rows are filtered and computed at a time.
const pieceRows = 65_536

// Piece is a part of a batch as the engine takes it.
type Piece struct {
	First    int64             // the piece's first row, within the batch
	Columns  []arrow.ArrayData // one per Projection.Columns; nil: all null
	Rows     int64
	Selected []int32 // rows of the piece to take, ascending; nil: all
}

// Scanner takes batches through a projection. It is for one goroutine.
type Scanner struct {
	projection *Projection
	idle       bool
	filter     *expr.Filter
	computers  []*expr.Computer // per column, nil where nothing is computed
	constant   constant         // the source's name

	columns []arrow.ArrayData // of a piece
	inputs  []arrow.ArrayData // of an expression
	slices  []arrow.ArrayData
}

// NewScanner returns a scanner for one goroutine.
func (p *Projection) NewScanner() *Scanner {
	s := &Scanner{projection: p, idle: p.idle()}
	if p.Where != nil {
		s.filter = p.Where.NewFilter()
	}
	s.computers = make([]*expr.Computer, len(p.Columns))
	for i, c := range p.Columns {
		if c.Computed != nil {
			s.computers[i] = c.Computed.NewComputer()
		}
	}
	return s
}

// Scan takes a batch through: its decoded columns, nil where the input lacks
// one, and the name of its input, which is UTF-8. take is called with each piece that has
// rows, in their order.
func (s *Scanner) Scan(decoded []arrow.ArrayData, rows int64, source string, take func(Piece) error) error {
	if s.idle {
		return take(Piece{Columns: decoded, Rows: rows})
	}
	s.constant.set(source)
	if rows <= pieceRows || alike(decoded) {
		return s.piece(decoded, 0, rows, take)
	}
	for first := int64(0); first < rows; first += pieceRows {
		n := min(pieceRows, rows-first)
		s.slices = s.slices[:0]
		for _, a := range decoded {
			if a != nil {
				a = array.NewSliceData(a, first, first+n)
			}
			s.slices = append(s.slices, a)
		}
		err := s.piece(s.slices, first, n, take)
		for _, a := range s.slices {
			if a != nil {
				a.Release()
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// alike tells whether no column has data, so that all rows are the same.
func alike(decoded []arrow.ArrayData) bool {
	for _, a := range decoded {
		if a != nil && a.DataType().ID() != arrow.NULL {
			return false
		}
	}
	return true
}

func (s *Scanner) piece(decoded []arrow.ArrayData, first, rows int64, take func(Piece) error) error {
	p := Piece{First: first, Rows: rows}
	if s.filter != nil {
		selected, all, err := s.filter.Select(s.pick(decoded, s.projection.WhereInputs), rows)
		switch {
		case err != nil:
			return within(err, first, "-w")
		case !all && len(selected) == 0:
			return nil
		case !all:
			p.Selected = selected
		}
	}
	s.columns = s.columns[:0]
	for i, c := range s.projection.Columns {
		var column arrow.ArrayData
		var err error
		switch {
		case c.Computed != nil:
			column, err = s.computers[i].Compute(s.pick(decoded, c.Inputs), rows, p.Selected)
			if err != nil {
				return within(err, first, c.Written)
			}
		case c.Source:
			column = s.constant.column(rows)
		default:
			column = decoded[c.Input]
		}
		s.columns = append(s.columns, column)
	}
	p.Columns = s.columns
	return take(p)
}

// pick lists the columns that an expression is given.
func (s *Scanner) pick(decoded []arrow.ArrayData, inputs []int) []arrow.ArrayData {
	s.inputs = s.inputs[:0]
	for _, i := range inputs {
		s.inputs = append(s.inputs, decoded[i])
	}
	return s.inputs
}

// within makes the row of a piece one of the batch, and says what failed on it.
func within(err error, first int64, what string) error {
	var value *expr.ValueError
	if errors.As(err, &value) {
		value.Row += first
		value.Text = what + ": " + value.Text
	}
	return err
}
