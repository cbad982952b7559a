package groupby

import (
	"sort"

	"github.com/apache/arrow-go/v18/arrow"
)

// readInner reads rows whose values are found through positions. A row is null
// if its position is, or the value there.
func (r *reader) readInner(out *vector, lo, n int, rows []int32) int {
	valid := r.readPositions(lo, n, rows)
	taken := r.inner.read(out, 0, n, r.positions)
	switch {
	case valid == nil:
	case out.valid == nil:
		out.valid = valid
	default:
		for i := range out.valid {
			out.valid[i] &= valid[i]
		}
	}
	return taken
}

// readPositions fills positions, with 0 for rows that have none, and returns
// which rows have one, nil if all have.
func (r *reader) readPositions(lo, n int, rows []int32) []uint64 {
	r.positions = sized(r.positions, n)
	var valid []uint64
	if r.encoding == runEnds {
		r.runsOf(lo, n, rows)
	} else {
		valid = r.readValidity(lo, n, rows)
		r.indicesOf(lo, n, rows)
	}
	if valid == nil {
		return nil
	}
	for i := range n { // what stands in a null's place may point anywhere
		r.positions[i] &= -int32(valid[i>>6] >> (i & 63) & 1)
	}
	return valid
}

// indicesOf fills positions with a dictionary's indices.
func (r *reader) indicesOf(lo, n int, rows []int32) {
	dst := &r.positions
	switch r.id {
	case arrow.INT8:
		widen(dst, window[int8](r), lo, n, rows)
	case arrow.UINT8:
		widen(dst, window[uint8](r), lo, n, rows)
	case arrow.INT16:
		widen(dst, window[int16](r), lo, n, rows)
	case arrow.UINT16:
		widen(dst, window[uint16](r), lo, n, rows)
	case arrow.INT32:
		widen(dst, window[int32](r), lo, n, rows)
	case arrow.UINT32:
		widen(dst, window[uint32](r), lo, n, rows)
	default:
		widen(dst, window[int64](r), lo, n, rows)
	}
}

// runsOf fills positions with the runs that rows lie in. Run ends count from
// the array's first row, whatever the offset of a slice of it.
func (r *reader) runsOf(lo, n int, rows []int32) {
	end := func(run int) int {
		e := r.ends
		switch e.id {
		case arrow.INT16:
			return int(window[int16](e)[run])
		case arrow.INT32:
			return int(window[int32](e)[run])
		}
		return int(window[int64](e)[run])
	}
	run, last := -1, 0
	for i := range n {
		row := r.offset + lo + i
		if rows != nil {
			row = r.offset + int(rows[i])
		}
		// Rows mostly ascend, but a dictionary of runs asks in any order.
		if run < 0 || row < last {
			run = sort.Search(r.ends.length, func(k int) bool { return end(k) > row })
		}
		for end(run) <= row {
			run++
		}
		r.positions[i], last = int32(run), row
	}
}
