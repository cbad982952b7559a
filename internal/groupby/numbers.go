package groupby

import "fmt"

// maxNumbers is how many codes of a key column, and how many groups and rows that
// are kept, an engine can number: their numbers have 32 bits wherever they are
// stored by the million.
const maxNumbers = maxCodes

// Crowded reports whether the engine has nearly run out of numbers and had
// better be finished, or put aside, before more rows come, however much memory
// there is. It may be called at any time, like Size; there is room for 2^28 rows
// more. Where nobody asks, Update ends with a FullError.
func (e *Engine) Crowded() bool {
	return e.most() > int64(e.numbers-min(e.numbers/2, 1<<28))
}

// HasRoomFor reports whether the engine has numbers enough to absorb others.
func (e *Engine) HasRoomFor(old ...*Engine) bool {
	most := e.most()
	for _, o := range old {
		most += o.most()
	}
	return most <= int64(e.numbers)
}

// most is the greatest number that the engine can have given.
func (e *Engine) most() int64 {
	most := e.numbered.Load()
	for _, in := range e.interners {
		most = max(most, int64(in.count()))
	}
	for _, m := range e.multisets {
		if m.interner != nil {
			most = max(most, int64(m.interner.count()))
		}
	}
	return most
}

// numbered is the groups and rows that the worker has.
func (w *Worker) numbered() int64 {
	n := w.grouper.groups(w.states)
	if w.appending != nil {
		n = w.states.n
	}
	if w.rows != nil {
		n += w.rows.rows
	}
	for i := range w.compacted {
		n += len(w.compacted[i].ids)
	}
	for i := range w.multisets {
		n += w.multisets[i].len()
	}
	return int64(n)
}

// checkNumbers returns the error that groups and rows are too many, after so many
// rows of a batch. The group of null is one more than there are codes.
func (e *Engine) checkNumbers(rows int64) error {
	if e.numbered.Load() <= int64(e.numbers)+1 {
		return nil
	}
	return &FullError{Row: rows - 1, Most: e.numbers}
}

// keyError describes why row i of the chunk, of that column, has no valid key.
func (w *Worker) keyError(column, i int, row int64) error {
	for c, in := range w.engine.interners {
		if w.grouper.columns[c] == column && in.full() {
			return w.fullError(column, row)
		}
	}
	for _, m := range w.engine.multisets {
		if m.column == column && m.interner != nil && m.interner.full() {
			return w.fullError(column, row)
		}
	}
	return w.loaders[column].valueError(i, row)
}

func (w *Worker) fullError(column int, row int64) error {
	return &FullError{Column: w.loaders[column].column.Name, Row: row, Most: w.engine.numbers}
}

// FullError: there are more distinct values of a column than an engine can tell
// apart, or more groups and rows than it can keep. Row is as in ValueError. Who
// asks Engine.Crowded between batches does not meet it.
type FullError struct {
	Column string // "": groups and rows
	Row    int64
	Most   uint32
}

func (e *FullError) Error() string {
	if e.Column == "" {
		return fmt.Sprintf("more than %d groups and rows at once", e.Most)
	}
	return fmt.Sprintf("column %q: more than %d distinct values at once", e.Column, e.Most)
}

// Limit says that no input is at fault.
func (e *FullError) Limit() bool { return true }

// InRow is the row that the error is about.
func (e *FullError) InRow() int64 { return e.Row }
