package groupby

import "github.com/apache/arrow-go/v18/arrow"

// Export makes the result of an engine that is not finished yet what it would
// be if its spec had been Spec.Spilling: states instead of values, in batches of
// at most so many rows and bytes a column.
func (e *Engine) Export(batchRows, batchBytes int) error {
	spec, err := e.spec.Spilling()
	if err != nil {
		return err
	}
	e.spec = spec
	e.tuning.batchRows, e.tuning.batchBytes = batchRows, batchBytes
	e.bindStates()
	return nil
}

// Empty tells of an engine whose workers are closed that no row reached it.
func (e *Engine) Empty() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.segments {
		if s := &e.segments[i]; len(s.ids) > 0 || s.rows != nil && s.rows.rows > 0 {
			return false
		}
	}
	return true
}

// bindStates settles the columns in which states come in or go out.
func (e *Engine) bindStates() {
	e.stateFields, e.spec.states = e.prototype.fields(), nil
	if !e.spec.Partial {
		return
	}
	for _, fields := range e.stateFields {
		for _, f := range fields {
			e.spec.states = append(e.spec.states, f.Type)
		}
	}
}

// Schema is that of the result's batches.
func (r *Result) Schema() *arrow.Schema { return r.engine.spec.Output }
