package groupby

import (
	"github.com/apache/arrow-go/v18/arrow"
)

// Worker feeds batches of one goroutine into the engine.
type Worker struct {
	engine  *Engine
	loaders []*loader
	uses    []use // by column
	grouper *grouper
	states  *states
	inputs  []input // by aggregate
}

// use says what is made of a column's chunk.
type use struct {
	converted bool // some key or aggregate takes the converted values
	dense     dense
}

// input is where an aggregate's values come from.
type input struct {
	column int // -1: none
	takes  taking
}

// rowCounter is an accumulator that can count many rows without seeing them.
type rowCounter interface {
	addRows(s *states, id uint32, rows uint64)
}

// NewWorker returns a worker for one goroutine. Workers may be made and used
// concurrently.
func (e *Engine) NewWorker() *Worker {
	w := &Worker{engine: e, uses: make([]use, len(e.spec.Columns)), grouper: newGrouper(e)}
	for _, c := range e.spec.Columns {
		l, err := newLoader(c)
		if err != nil {
			panic(err) // New has tried
		}
		w.loaders = append(w.loaders, l)
	}
	for _, k := range e.spec.Keys {
		w.uses[k.Column].converted = true
	}
	s, err := newStates(e.spec.Aggregates, e.spec.Columns)
	if err != nil {
		panic(err) // New has tried
	}
	w.states = s
	for a, acc := range s.accumulators {
		in := input{column: -1, takes: acc.takes()}
		if arguments := e.spec.Aggregates[a].Arguments; in.takes != takesRows && len(arguments) > 0 {
			in.column = arguments[0]
			u := &w.uses[in.column]
			if in.takes == takesConverted {
				u.converted = true
				w.loaders[in.column].checked = isString(w.loaders[in.column].column.Type)
			}
		}
		w.inputs = append(w.inputs, in)
	}
	return w
}

// Update aggregates rows of one batch: columns[i] belongs to Spec.Columns[i]
// and has rows values from its Offset on; nil is a column that this input
// lacks. selected, if not nil, lists the rows to take, ascending. The arrays
// are not kept. Rows may be any number, also 1e15, when every column is nil or
// of type null: then the cost does not depend on it.
//
// After an error the worker is of no more use. Of several bad values in a
// chunk the one in the first row is reported, and of that row's the first
// column's.
func (w *Worker) Update(columns []arrow.ArrayData, rows int64, selected []int32) error {
	if selected != nil {
		rows = int64(len(selected))
	}
	none := true
	for i, l := range w.loaders {
		if err := l.bind(columns[i]); err != nil {
			return err
		}
		none = none && l.none()
	}
	if rows == 0 {
		return nil
	}
	if none {
		return w.updateRows(rows)
	}
	for lo := 0; lo < int(rows); {
		n := min(w.engine.tuning.chunk, int(rows)-lo)
		var part []int32
		if selected != nil {
			part = selected[lo : lo+n]
		}
		n, err := w.load(lo, n, part)
		if err != nil {
			return err
		}
		if err := w.updateChunk(lo, n, part); err != nil {
			return err
		}
		lo += n
	}
	return nil
}

// load reads a chunk of all columns and returns how many rows it has.
func (w *Worker) load(lo, n int, part []int32) (int, error) {
	for again := true; again; {
		again = false
		for _, l := range w.loaders {
			taken := l.load(lo, n, part)
			if taken == 0 {
				return 0, l.tooLong(rowOf(lo, 0, part))
			}
			if taken < n {
				n, again = taken, true
				break
			}
		}
	}
	return n, nil
}

// rowOf is the row in the batch of row i of a chunk.
func rowOf(lo, i int, part []int32) int64 {
	if part != nil {
		return int64(part[i])
	}
	return int64(lo + i)
}

// updateRows takes rows that have no value in any column.
func (w *Worker) updateRows(rows int64) error {
	if _, err := w.load(0, 1, nil); err != nil {
		return err
	}
	for c, l := range w.loaders {
		if w.uses[c].converted {
			l.apply()
		}
	}
	s := w.states
	ids, _, _ := w.grouper.group(s, w.loaders, 1)
	s.mark(ids, 0, touched)
	for _, acc := range s.accumulators {
		if c, ok := acc.(rowCounter); ok && acc.takes() == takesRows {
			c.addRows(s, ids[0], uint64(rows))
		}
	}
	return nil
}

// updateChunk folds the loaded chunk into the states.
func (w *Worker) updateChunk(lo, n int, part []int32) error {
	column, bad := 0, -1
	for c, l := range w.loaders {
		if !w.uses[c].converted {
			continue
		}
		if b := l.apply(); b >= 0 && (bad < 0 || b < bad) {
			column, bad = c, b
		}
	}
	ids, c, b := w.grouper.group(w.states, w.loaders, n)
	if b >= 0 && (bad < 0 || b < bad) {
		column, bad = c, b
	}
	if bad >= 0 {
		return w.loaders[column].valueError(bad, rowOf(lo, bad, part))
	}
	w.accumulate(ids)
	return nil
}
