package groupby

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// Worker feeds batches of one goroutine into the engine.
type Worker struct {
	engine    *Engine
	loaders   []*loader
	converted []bool // by column: some key or aggregate takes the converted values
	values    chunkValues
	ordinal   uint64 // of the first row of the batch
	ordinals  vector // of the chunk's rows
	grouper   *grouper
	states    *states
	arrival   arrival
	appending *appending // nil: groups are looked up
	seen      int        // rows folded as they came
	rows      *rowStore  // nil as long as all are
	front     *front
	multisets []multisetRows
	compacted []segment // rows kept before, folded: none or one
	compactAt int       // rows
	accounted int64     // bytes that the engine knows of
	counted   int64     // groups and rows that it knows of
}

// rowCounter is an accumulator that can count many rows without seeing them.
type rowCounter interface {
	takes() taking
	addRows(s *states, id uint32, rows uint64)
}

// NewWorker returns a worker for one goroutine. Workers may be made and used
// concurrently.
func (e *Engine) NewWorker() *Worker {
	w := &Worker{engine: e, grouper: newGrouper(e), states: e.prototype.like()}
	w.values = newChunkValues(e.valueOf, len(e.valueColumns))
	w.multisets = e.newMultisetRows()
	if e.appends {
		w.appending = &appending{}
	}
	columns := e.arrivingColumns()
	w.converted = make([]bool, len(columns))
	for _, c := range columns {
		l, err := newLoader(c)
		if err != nil {
			panic(err) // New has tried
		}
		w.loaders = append(w.loaders, l)
	}
	for _, k := range e.spec.Keys {
		w.converted[k.Column] = true
		w.loaders[k.Column].keyOnly = true
	}
	w.readMultisets()
	for i, v := range e.valueColumns {
		if v.column == ordinalColumn {
			w.values.vectors[i] = &w.ordinals
			continue
		}
		l := w.loaders[v.column]
		l.keyOnly = false
		w.values.vectors[i] = &l.natural
		if v.converted {
			w.values.vectors[i] = &l.converted
			w.converted[v.column] = true
			l.checked = isString(l.column.Type)
		}
	}
	if e.spec.Merges {
		for i := range w.loaders[len(e.spec.Keys):] {
			l := w.loaders[len(e.spec.Keys)+i]
			w.converted[len(e.spec.Keys)+i], l.checked = true, isString(l.column.Type)
		}
	}
	return w
}

// arrivingColumns are the columns of the batches that Update is given.
func (e *Engine) arrivingColumns() []Column {
	if !e.spec.Merges {
		return e.spec.Columns
	}
	columns := slices.Clone(e.spec.Columns[:len(e.spec.Keys)])
	for a, fields := range e.stateFields {
		for _, f := range fields {
			columns = append(columns, Column{Name: e.spec.Aggregates[a].Name + "." + f.Name, Type: f.Type})
		}
	}
	return columns
}

// Update aggregates rows of one batch: columns[i] belongs to Spec.Columns[i]
// and has rows values from its Offset on; nil is a column that this input
// lacks. selected, if not nil, lists the rows to take, ascending. The arrays
// are not kept. Rows may be any number, also 1e15, when every column is nil or
// of type null, or a key that is one run for them all: then the cost does not
// depend on it.
//
// After an error the groups are of no more use, but further batches are taken,
// so that what is wrong with them is found too. Of several bad values in a
// chunk the one in the first row is reported, and of that row's the first
// column's.
func (w *Worker) Update(columns []arrow.ArrayData, rows int64, selected []int32) error {
	if selected != nil {
		rows = int64(len(selected))
	}
	alike := true
	for i, l := range w.loaders {
		if err := l.bind(columns[i]); err != nil {
			return err
		}
		alike = alike && l.alike()
	}
	if rows == 0 {
		return nil
	}
	if alike {
		return w.updateAlike(rows)
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
	w.account()
	return w.engine.checkNumbers(rows)
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

// updateAlike takes rows that all have the key of the first, and no values.
func (w *Worker) updateAlike(rows int64) error {
	if _, err := w.load(0, 1, nil); err != nil {
		return err
	}
	for c, l := range w.loaders {
		if w.converted[c] && l.apply() >= 0 {
			return l.valueError(0, 0)
		}
	}
	s := w.states
	if c, bad := w.grouper.intern(w.loaders, 1); bad >= 0 {
		return w.keyError(c, 0, 0)
	}
	if c, bad := w.internMultisets(1); bad >= 0 {
		return w.keyError(c, 0, 0)
	}
	w.takeMultisets(1, uint64(rows))
	ids := w.grouper.group(s, 1)
	s.flags.set(ids, touched)
	for _, acc := range s.accumulators {
		if c, ok := acc.(rowCounter); ok && c.takes() == takesRows {
			c.addRows(s, ids[0], uint64(rows))
		}
	}
	return nil
}

// updateChunk folds the loaded chunk into the states.
func (w *Worker) updateChunk(lo, n int, part []int32) error {
	column, bad := 0, -1
	for c, l := range w.loaders {
		if !w.converted[c] {
			continue
		}
		if b := l.apply(); b >= 0 && (bad < 0 || b < bad) {
			column, bad = c, b
		}
	}
	c, b := w.grouper.intern(w.loaders, n)
	if b >= 0 && (bad < 0 || b < bad) {
		column, bad = c, b
	}
	if w.engine.spec.Merges {
		if bad >= 0 {
			return w.keyError(column, bad, rowOf(lo, bad, part))
		}
		return w.loadStates(lo, n, part)
	}
	if c, b := w.internMultisets(n); b >= 0 && (bad < 0 || b < bad) {
		column, bad = c, b
	}
	if bad >= 0 {
		return w.keyError(column, bad, rowOf(lo, bad, part))
	}
	w.takeMultisets(n, 1)
	if w.engine.ordinals {
		w.number(lo, n, part)
	}
	if w.rows != nil && w.storable() {
		w.keep(n)
		return nil
	}
	w.values.accumulate(w.states, w.grouper.group(w.states, n))
	w.seen += n
	if w.rows == nil && w.engine.storable && w.many() {
		w.rows = &rowStore{memory: bump{arena: w.engine.arena}}
		w.front = newFront(w.engine)
		w.compactAt = w.engine.compactRows()
	}
	return nil
}

// many reports whether groups are so many that rows had better be kept: past
// what the cache holds, or nearly as many as rows while they get there.
func (w *Worker) many() bool {
	n := w.grouper.groups(w.states)
	t := &w.engine.tuning
	switch {
	case n > t.manyGroups:
		return true
	case n <= t.manyGroups/8:
		return false
	}
	return n*w.states.groupBytes() > t.manyBytes || !w.grouper.shared() && 100*n > 92*w.seen
}

// keep keeps the chunk's n rows, but for those of groups that the worker has.
func (w *Worker) keep(n int) {
	if w.rows.rows >= w.compactAt {
		w.compact()
	}
	var keys []uint64
	keys, w.rows.layout = w.grouper.keys(n, w.rows.layout)
	if !w.front.wanted() {
		w.rows.add(keys, n, w.engine.valueColumns, w.values.vectors)
		return
	}
	if left := w.front.fold(w, n, keys, w.rows.layout); left > 0 {
		w.rows.add(w.front.keys, left, w.engine.valueColumns, w.front.values.vectors)
	}
}

// storable reports whether the chunk's values have the lanes that rows have.
// An input of another type (unsigned integers where the others are signed) is
// folded as it comes.
func (w *Worker) storable() bool {
	for i, c := range w.engine.valueColumns {
		v := w.values.vectors[i]
		if c.words > 0 && v.lane != laneNone && (v.lane != c.lane || c.lane == laneWords && v.width != c.words) {
			return false
		}
	}
	return true
}
